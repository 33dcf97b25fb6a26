import type { Dependencies } from "../../core/dependencies.ts";
import { createEventHistory } from "../../core/events/history.ts";
import type { Outbox } from "../../core/outbox/outbox.ts";
import type { Jobs } from "../../runtime/jobs/jobs.ts";
import type { Agents } from "../agents/agents.ts";
import type { Apps } from "../apps/apps.ts";
import type { Automations } from "../automations/automations.ts";
import type { CodeGenerator } from "../codegen/generator.ts";
import type { Connectors } from "../connectors/connectors.ts";
import type { Environments } from "../environments/environments.ts";
import type { Flows } from "../flows/flows.ts";
import type { Pipelines } from "../pipelines/pipelines.ts";
import { createAppliedRows } from "./applied-rows.ts";
import type { ReadCodeLineage } from "./code-lineage.ts";
import { createDigest } from "./digest.ts";
import { flowChecks } from "./flow-check.ts";
import { agentKind } from "./kinds/agent-kind.ts";
import { appKind } from "./kinds/app-kind.ts";
import { automationKind } from "./kinds/automation-kind.ts";
import { connectorKind } from "./kinds/connector-kind.ts";
import { flowKind } from "./kinds/flow-kind.ts";
import { pipelineKind } from "./kinds/pipeline-kind.ts";
import { withCode } from "./kinds/with-code.ts";
import { createPlanExecution } from "./plan-execution.ts";
import { createPlanRows } from "./plan-rows.ts";
import { createPlanner } from "./planner.ts";
import { createPlans } from "./plans.ts";
import { projectSource } from "./project-drift.ts";
import { planHandlers } from "./routes.ts";
import { readServerPolicies } from "./server-policies.ts";

interface PlansOptions {
  readonly environments: Environments;
  readonly connectors: Connectors;
  readonly pipelines: Pipelines;
  readonly flows: Flows;
  readonly agents: Agents;
  readonly apps: Apps;
  readonly automations: Automations;
  readonly jobs: Pick<Jobs, "rules">;
  readonly outbox: Outbox;
  readonly codeLineage: ReadCodeLineage;
  readonly generator: CodeGenerator;
  readonly holdsDataFolder: () => boolean;
  readonly sealEvents: () => Promise<void>;
}

export function plansModule(deps: Dependencies, options: PlansOptions) {
  const { environments, jobs, outbox, holdsDataFolder, sealEvents } = options;
  const applied = createAppliedRows(deps);
  const kinds = [
    connectorKind(options.connectors),
    pipelineKind(options.pipelines),
    flowKind(options.flows),
    withCode(agentKind(options.agents), applied),
    withCode(appKind(options.apps, options.agents), applied),
    automationKind(options.automations),
  ];
  const digest = createDigest(deps.vault);
  const rows = createPlanRows(deps);
  const { codeLineage } = options;
  const planner = createPlanner({ kinds, applied, digest, jobs, codeLineage });
  const policies = readServerPolicies(deps.settings.PLATFORM_POLICIES_DIR);
  const checkFlows = flowChecks(options.generator);
  const rules = createPlans(deps, { rows, planner, kinds, environments, outbox, policies, checkFlows });
  const history = createEventHistory(deps.store);
  return {
    rules,
    kinds,
    driftSource: projectSource({ kinds, applied, rows, environments, history, sealEvents, digest }),
    handlers: planHandlers(rules, environments),
    outbox: createPlanExecution(deps, { rows, applied, kinds, environments, digest, holdsDataFolder }),
  };
}
