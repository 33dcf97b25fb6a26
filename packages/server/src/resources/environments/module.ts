import type { Dependencies } from "../../core/dependencies.ts";
import type { Platforms } from "../../runtime/platforms/platform-requests.ts";
import { createChangeRequests } from "./change-requests.ts";
import { createEnvironments, type EnvironmentRemoval } from "./environments.ts";
import { environmentHandlers } from "./routes.ts";

interface EnvironmentsOptions {
  readonly platforms: Platforms;
  readonly removal: EnvironmentRemoval;
}

export function environmentsModule(deps: Dependencies, { platforms, removal }: EnvironmentsOptions) {
  const rules = createEnvironments(deps, platforms, removal);
  return {
    rules,
    handlers: environmentHandlers(rules, createChangeRequests(deps, rules)),
    prepare: rules.ensureDefault,
    maskStored: rules.maskStored,
  };
}
