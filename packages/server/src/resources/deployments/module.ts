import type { Dependencies } from "../../core/dependencies.ts";
import type { Outbox } from "../../core/outbox/outbox.ts";
import { completed, handlerOf } from "../../core/outbox/topic.ts";
import { serverContext } from "../../core/system.ts";
import type { Environments } from "../environments/environments.ts";
import { createDeployments } from "./deployments.ts";
import { deploymentHandlers } from "./routes.ts";
import { type CurrentReleases, summaryTopic } from "./summaries.ts";

interface DeploymentsOptions {
  readonly outbox: Outbox;
  readonly environments: Environments;
  readonly currentReleases: CurrentReleases;
}

export function deploymentsModule(
  deps: Dependencies,
  { outbox, environments, currentReleases }: DeploymentsOptions,
) {
  const rules = createDeployments(deps, outbox, currentReleases);
  return {
    rules,
    handlers: deploymentHandlers(rules, environments),
    outbox: handlerOf(summaryTopic, {
      async perform({ environmentId }) {
        await rules.reconcile(environmentId ?? "", serverContext(deps.system));
        return completed(undefined);
      },
    }),
    prepare: () => outbox.runDue([summaryTopic]),
  };
}
