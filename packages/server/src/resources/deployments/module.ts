import type { Dependencies } from "../../core/dependencies.ts";
import type { Outbox } from "../../core/outbox/outbox.ts";
import { completed, handlerOf } from "../../core/outbox/topic.ts";
import { serverContext } from "../../core/system.ts";
import type { Environments } from "../environments/environments.ts";
import { createDeployments, type ReleaseOfDeployment } from "./deployments.ts";
import { createDeploymentLogRetention } from "./log-retention.ts";
import { deploymentHandlers } from "./routes.ts";
import { type CurrentReleases, summaryTopic } from "./summaries.ts";

interface DeploymentsOptions {
  readonly outbox: Outbox;
  readonly environments: Environments;
  readonly currentReleases: CurrentReleases;
  readonly releaseOf: ReleaseOfDeployment;
}

export function deploymentsModule(
  deps: Dependencies,
  { outbox, environments, currentReleases, releaseOf }: DeploymentsOptions,
) {
  const rules = createDeployments(deps, outbox, currentReleases, releaseOf);
  return {
    rules,
    handlers: deploymentHandlers(rules, environments),
    outbox: handlerOf(summaryTopic, {
      isLocal: true,
      async perform({ environmentId }) {
        await rules.reconcile(environmentId ?? "", serverContext(deps.system));
        return completed(undefined);
      },
    }),
    retention: [createDeploymentLogRetention(deps)],
    prepare: () => outbox.runDue([summaryTopic]),
  };
}
