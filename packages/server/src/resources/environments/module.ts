import type { Dependencies } from "../../core/dependencies.ts";
import type { Work } from "../../runtime/platforms/work.ts";
import { createEnvironments, type EnvironmentRemoval } from "./environments.ts";
import { environmentHandlers } from "./routes.ts";

interface Uses {
  readonly work: Pick<Work, "platform">;
  readonly removal: EnvironmentRemoval;
}

export function environmentsModule(deps: Dependencies, { work, removal }: Uses) {
  const rules = createEnvironments(deps, work, removal);
  return { rules, handlers: environmentHandlers(rules), prepare: rules.ensureDefault };
}
