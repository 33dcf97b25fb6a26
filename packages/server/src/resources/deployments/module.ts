import type { Dependencies } from "../../core/dependencies.ts";
import type { Environments } from "../environments/environments.ts";
import { createDeployments } from "./deployments.ts";
import { deploymentHandlers } from "./routes.ts";
import type { CurrentReleases } from "./summaries.ts";

interface Uses {
  readonly environments: Environments;
  readonly currentReleases: CurrentReleases;
}

export function deploymentsModule(deps: Dependencies, { environments, currentReleases }: Uses) {
  const rules = createDeployments(deps, currentReleases);
  return {
    rules,
    handlers: deploymentHandlers(rules, environments),
    prepare: rules.resume,
    tick: rules.resume,
  };
}
