import type { Dependencies } from "../../core/dependencies.ts";
import { createEventHistory } from "../../core/events/history.ts";
import type { Outbox } from "../../core/outbox/outbox.ts";
import type { Jobs } from "../../runtime/jobs/jobs.ts";
import type { CallerNow } from "../../web/identity/authenticate.ts";
import type { Agents } from "../agents/agents.ts";
import type { Apps } from "../apps/apps.ts";
import type { Automations } from "../automations/automations.ts";
import type { CodeGenerator } from "../codegen/generator.ts";
import type { Connectors } from "../connectors/connectors.ts";
import type { DriftRecord } from "../drift/drift-record.ts";
import type { Environments } from "../environments/environments.ts";
import type { Files } from "../files/files.ts";
import type { Flows } from "../flows/flows.ts";
import type { Pipelines } from "../pipelines/pipelines.ts";
import type { SecretStore } from "../secrets/secret-store.ts";
import { createAppliedRows } from "./applied-rows.ts";
import { changedSince } from "./changed-since.ts";
import type { ReadCodeLineage } from "./code-lineage.ts";
import { columnChecks, type ReadPlannedCode } from "./column-check.ts";
import { createDigest } from "./digest.ts";
import { type FileWriteOptions, fileWriteRules } from "./file-writes.ts";
import { flowChecks } from "./flow-check.ts";
import { judgeWrites } from "./judged-writes.ts";
import { agentKind } from "./kinds/agent-kind.ts";
import { appKind } from "./kinds/app-kind.ts";
import { automationKind } from "./kinds/automation-kind.ts";
import { connectorKind } from "./kinds/connector-kind.ts";
import { flowKind } from "./kinds/flow-kind.ts";
import { pipelineKind } from "./kinds/pipeline-kind.ts";
import { withCode } from "./kinds/with-code.ts";
import { createPlanChecks } from "./plan-checks.ts";
import { createPlanExecution } from "./plan-execution.ts";
import { createPlanRows } from "./plan-rows.ts";
import { createPlanner } from "./planner.ts";
import { createPlans } from "./plans.ts";
import { policyFacts } from "./policy-facts.ts";
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
  readonly readPlannedCode: ReadPlannedCode;
  readonly generator: CodeGenerator;
  readonly holdsDataFolder: () => boolean;
  readonly sealEvents: () => Promise<void>;
  readonly callerNow: CallerNow;
  readonly secrets: Pick<SecretStore, "names">;
  readonly whileFilesAre: Files["whileFilesAre"];
  /** The resources whose code is in a file of the workspace. */
  readonly codeUsersOf: FileWriteOptions["usersOf"];
  readonly settleDrift: DriftRecord["settle"];
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
  const { readPlannedCode } = options;
  const planner = createPlanner({ kinds, applied, digest, jobs, codeLineage, readPlannedCode, environments });
  const policies = readServerPolicies(deps.settings.PLATFORM_POLICIES_DIR);
  const checkFlows = flowChecks(options.generator);
  const history = createEventHistory(deps.store);
  const checkColumns = columnChecks(readPlannedCode);
  const facts = policyFacts(environments.actIn);
  const { callerNow } = options;
  const checks = createPlanChecks(deps, {
    rows,
    planner,
    environments,
    serverPolicies: policies,
    facts,
    callerNow,
  });
  const rules = createPlans(deps, {
    rows,
    planner,
    kinds,
    environments,
    outbox,
    policies,
    facts,
    checkFlows,
    checkColumns,
    checks,
    secrets: options.secrets,
    async changedSince(...states) {
      // The event of a change that was made just now may not be sealed.
      await sealEvents();
      return changedSince(history, ...states);
    },
  });
  const writes = judgeWrites({ kinds, planner, environments, policies, facts });
  const usersOf = options.codeUsersOf;
  return {
    rules,
    kinds,
    writes,
    requireFileAllowed: fileWriteRules(deps.settings, { kinds, rows, digest, writes, usersOf, checks }),
    driftSource: projectSource({
      kinds,
      applied,
      rows,
      environments,
      history,
      sealEvents,
      digest,
      settle: options.settleDrift,
    }),
    handlers: planHandlers(rules, environments),
    outbox: createPlanExecution(deps, {
      rows,
      applied,
      kinds,
      environments,
      digest,
      holdsDataFolder,
      checks,
      callerNow,
      whileFilesAre: options.whileFilesAre,
    }),
  };
}
