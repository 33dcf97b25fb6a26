import type { Engine } from "@lakehelm/engine";
import type { Dependencies } from "../../core/dependencies.ts";
import type { ChangeContext } from "../../core/store/store.ts";
import { workerContext } from "../../core/system.ts";
import type { Executors } from "../../runtime/jobs/executors.ts";
import type { Jobs } from "../../runtime/jobs/jobs.ts";
import { hasEnded } from "../../runtime/jobs/run-stream.ts";
import type { Outbound } from "../../runtime/outbound/outbound.ts";
import type { PlatformRequests } from "../../runtime/platforms/platform-requests.ts";
import type { TaskProcesses } from "../../runtime/processes/tasks/task-processes.ts";
import type { Environments } from "../environments/environments.ts";
import type { SecretStore } from "../secrets/secret-store.ts";
import type { FindBoundChannel } from "./automation-removal.ts";
import { createAutomations } from "./automations.ts";
import type { DeploymentRecorder } from "./deployment-recorder.ts";
import { type AutomationExecutorOptions, createAutomationExecutor } from "./execution/automation-run.ts";
import type { Lookups } from "./lookups.ts";
import { automationHandlers } from "./routes.ts";
import { automationRunHandlers } from "./run-routes.ts";
import { createAutomationRuns } from "./runs.ts";
import { planScript } from "./statements.ts";
import { cleanTemporary } from "./temporary-folder.ts";

interface AutomationsOptions extends Pick<AutomationExecutorOptions, "invoke"> {
  /** The job id of a resource with this name; undefined if it does not exist. */
  readonly jobOf: (
    kind: "connector" | "flow" | "pipeline",
    name: string,
    environmentId: string,
  ) => Promise<string | undefined>;
  readonly platformRequests: PlatformRequests;
  readonly environments: Environments;
  readonly deployments: DeploymentRecorder;
  readonly secrets: SecretStore;
  readonly outbound: Outbound;
  readonly jobs: Jobs;
  readonly engine: Pick<Engine, "request">;
  readonly taskProcesses: TaskProcesses;
  /** Whether a resource that a definition names exists. */
  readonly lookups: Omit<Lookups, "plan">;
  readonly boundChannel: FindBoundChannel;
  readonly holdsDataFolder: () => boolean;
  readonly stopwatch: () => number;
}

export function automationsModule(deps: Dependencies, options: AutomationsOptions) {
  const { platformRequests, environments, deployments, jobs, stopwatch } = options;
  const rules = createAutomations(deps, platformRequests, environments, deployments, {
    clock: stopwatch,
    now: deps.system.now,
    lookups: { ...options.lookups, plan: planScript },
    boundChannel: options.boundChannel,
    problemOf: async (jobId) => (await jobs.rows.find(jobId))?.problem ?? null,
  });
  const executors: Executors = {
    automation: createAutomationExecutor(deps, {
      ...options,
      automations: rules,
      calls: { find: rules.releasedCalls, run: jobs.rules.find },
      jobOf: async (kind, name, environmentId) =>
        kind === "automation"
          ? (await rules.releasedCalls(name, environmentId))?.jobId
          : options.jobOf(kind, name, environmentId),
      context: () => workerContext(deps.system),
    }),
  };
  const cleanProcesses = () =>
    options.taskProcesses.clean(async (id) => {
      const run = await jobs.rules.find(id);
      return !run || hasEnded(run);
    });
  return {
    rules,
    executors,
    outbox: platformRequests.handler("automation", rules.recordOutcome, rules.recordWaiting),
    handlers: {
      ...automationHandlers(rules, environments),
      ...automationRunHandlers(createAutomationRuns(rules, environments, jobs)),
    },
    pauseEnded: { automation: rules.pauseEnded },
    maskStored: rules.maskStored,
    installMissing: rules.installMissing,
    async prepare(context: ChangeContext) {
      await cleanTemporary();
      await rules.fillLineage(context);
    },
    // Before lost runs continue, stops the programs of runs that have ended in the meantime.
    takeOver: cleanProcesses,
    async tick(context: ChangeContext) {
      await rules.endPauses(context);
      if (options.holdsDataFolder()) await cleanProcesses();
    },
  };
}
