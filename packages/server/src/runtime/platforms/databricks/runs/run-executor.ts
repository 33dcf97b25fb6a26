import { setTimeout as pause } from "node:timers/promises";
import type { Connector, Run } from "@lakehelm/contract";
import { withEnvironment } from "@lakehelm/contract/changes";
import { isMap } from "@lakehelm/contract/connections";
import { backoffMs } from "../../../../core/concurrency/backoff.ts";
import type { Dependencies } from "../../../../core/dependencies.ts";
import { conflict } from "../../../../core/errors.ts";
import { idOf, VersionConflict } from "../../../../core/store/store.ts";
import { randomFraction, workerContext } from "../../../../core/system.ts";
import { CancelledElsewhere, Stopped } from "../../../jobs/attempt-outcome.ts";
import type { Executor, RunControl } from "../../../jobs/executor.ts";
import type { JobRows, StoredJob } from "../../../jobs/job-rows.ts";
import type { RunRows } from "../../../jobs/run-rows.ts";
import type { InstalledSettings } from "../../installed-settings.ts";
import type { WorkspaceClient } from "../client/client.ts";
import { numericId } from "../client/json.ts";
import { isWorkspaceError } from "../client/workspace-error.ts";
import type { Workspace, Workspaces } from "../workspaces.ts";
import { automationTasks } from "./automation-tasks.ts";
import { jobParameters, requireFlowJobParameters, requireKnownParameters } from "./connector-parameters.ts";
import { slotPrefix } from "./remote-runs.ts";
import { cancelRun, type RunFollower } from "./run-follower.ts";
import { describedFailure, outputLines, outputsOf } from "./run-output.ts";
import { hasEnded, stateOf, type WorkspaceRun, wordOf } from "./run-state.ts";

/** A run in the workspace; a retry here is a repair of it there. */
interface RunThere {
  readonly runId: string;
  readonly repairId: string | undefined;
}

/** A run that was read alone, with its repairs. */
type WholeRun = WorkspaceRun & {
  readonly repair_history?: readonly { readonly id?: string; readonly type?: string }[];
};

export interface ExecutorOptions {
  readonly workspaces: Workspaces;
  readonly jobs: Pick<JobRows, "find">;
  readonly runs: Pick<RunRows, "slotOf" | "moveTo">;
  readonly follower: Pick<RunFollower, "left">;
  readonly installed: Pick<InstalledSettings, "get">;
  /** Undefined: the connector was deleted. */
  readonly connector: (id: string) => Promise<Pick<Connector, "datasets" | "target_type"> | undefined>;
  /** A run of a resource has ended: with an error, or null. */
  readonly onEnded: (subject: string, error: string | null) => Promise<void>;
}

/**
 * Starts a run in the workspace, or follows one that was started there. It may be called again for the same run: the id
 * of our run is the idempotency token, so that the same run is found.
 */
export function createRunExecutor(
  { store, system }: Dependencies,
  { workspaces, jobs, runs, follower, installed, connector, onEnded }: ExecutorOptions,
): Executor {
  const random = () => randomFraction(system);

  async function knownRun(id: string): Promise<RunThere | undefined> {
    const slot = await runs.slotOf(id);
    if (!slot?.startsWith(slotPrefix)) return undefined;
    const [runId = "", repairId] = slot.slice(slotPrefix.length).split("/");
    return { runId, repairId };
  }

  /** Calls until the workspace has answered, however often it does not. */
  async function untilAnswered<Result>(call: () => Promise<Result>, control: RunControl): Promise<Result> {
    for (let failures = 1; ; failures++) {
      try {
        return await call();
      } catch (error) {
        if (!isWorkspaceError(error, "open", "busy")) throw error;
        // After a cancellation the call is repeated once, because the run can be cancelled only by its id.
        if (isStopped(control.signal, "stopping", "lost") || (control.signal.aborted && failures > 1))
          throw control.signal.reason;
        control.line("warn", `The workspace did not start it yet: ${(error as Error).message}`);
        await pause(backoffMs(failures, 1, 30, random), undefined, { signal: control.signal }).catch(
          () => {},
        );
      }
    }
  }

  /**
   * A retry repairs the run that it retries: tasks that have succeeded are not run again. Undefined: there is nothing to
   * repair, and a new run is started.
   */
  async function repair(
    client: WorkspaceClient,
    run: Run,
    job: StoredJob,
    control: RunControl,
  ): Promise<RunThere | undefined> {
    const { retry_of } = run.cause;
    const before = retry_of === undefined ? undefined : await knownRun(retry_of);
    if (!before) return undefined;
    const { runId } = before;
    let asked = askedRepair(run.metrics);
    try {
      return await untilAnswered(async () => {
        const { repair_history = [], ...there } = await readRun(client, runId);
        const latest = repair_history.findLast(({ type }) => type === "REPAIR")?.id ?? null;
        // The answer to an earlier request was lost. A newer repair is ours: only one is accepted after the latest one
        // that we named.
        if (asked && latest !== null && latest !== asked.latest)
          return keep(run.id, { runId, repairId: latest });
        if (!hasEnded(there)) throw conflict("The workspace is still working on that run. Cancel it first.");
        if (stateOf(there) === "skipped") return undefined;
        asked = { latest };
        await control.checkpoint({ databricks: { job_id: job.reference, run_id: runId, repair: asked } });
        const { repair_id } = await client.send<{ repair_id?: string }>("POST", "/api/2.2/jobs/runs/repair", {
          run_id: numericId(runId),
          rerun_all_failed_tasks: true,
          ...(latest !== null && { latest_repair_id: numericId(latest) }),
        });
        if (repair_id === undefined) throw new Error("The workspace repairs the run and did not say the id.");
        return keep(run.id, { runId, repairId: repair_id });
      }, control);
    } catch (error) {
      if (!isWorkspaceError(error, "gone", "refused", "conflict")) throw error;
      control.line("warn", `A new run is started: ${(error as Error).message}`);
      return undefined;
    }
  }

  /** Starts a run; with the token it starts only once. */
  async function start(
    client: WorkspaceClient,
    run: Run,
    job: StoredJob,
    control: RunControl,
  ): Promise<RunThere> {
    const { parameters } = run.cause;
    const sent =
      parameters && job.kind === "connector"
        ? jobParameters(parameters, await connector(idOf(job.subject)))
        : parameters;
    const body = {
      job_id: numericId(job.reference ?? ""),
      idempotency_token: run.id,
      ...(sent && { job_parameters: textsOf(sent) }),
    };
    const { run_id } = await untilAnswered(
      () => client.send<{ run_id?: string }>("POST", "/api/2.2/jobs/run-now", body, { isIdempotent: true }),
      control,
    );
    if (run_id === undefined) throw new Error("The workspace started a run and did not say its id.");
    return keep(run.id, { runId: run_id, repairId: undefined });
  }

  /** Records that this run is that run in the workspace. */
  async function keep(id: string, there: RunThere): Promise<RunThere> {
    const { runId, repairId } = there;
    const slot = `${slotPrefix}${runId}${repairId === undefined ? "" : `/${repairId}`}`;
    const step = runs.moveTo({ id, slot });
    await store.apply({ context: workerContext(system), steps: [step], events: [] }).catch((error) => {
      if (!(error instanceof VersionConflict)) throw error;
    });
    return there;
  }

  /** Waits until the run has ended in the workspace. */
  async function ended(
    client: WorkspaceClient,
    job: StoredJob,
    { runId, repairId }: RunThere,
    { signal, line }: RunControl,
  ): Promise<WorkspaceRun> {
    let last: string | undefined;
    const onState = (run: WorkspaceRun) => {
      const word = wordOf(run);
      if (word !== last) line("info", `The workspace says: ${word}.`);
      last = word;
    };
    for (let failures = 0; ; ) {
      try {
        const run = await readRun(client, runId, signal);
        // Until a repair is shown, the run is shown as it ended before.
        const isShown =
          repairId === undefined || (run.repair_history ?? []).some(({ id }) => id === repairId);
        if (isShown && hasEnded(run)) return run;
        if (!isShown) await pause(1_000, undefined, { signal });
        failures = 0;
        onState(run);
        await follower.left(job.environmentId, runId, onState, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (!isWorkspaceError(error, "open", "busy", "denied")) throw error;
        failures += 1;
        await pause(backoffMs(failures, 1, 30, random), undefined, { signal });
      }
    }
  }

  /** Ends the run in the workspace, because it was cancelled here. */
  async function cancel(client: WorkspaceClient, runId: string, line: RunControl["line"]): Promise<void> {
    try {
      await cancelRun(client, runId);
    } catch (error) {
      line("warn", `The workspace did not confirm the cancellation: ${(error as Error).message}`);
    }
  }

  async function finish(
    { client, environment }: Pick<Workspace, "client" | "environment">,
    run: WorkspaceRun,
    job: StoredJob,
    { line, progress }: RunControl,
  ) {
    // Our own code there does not know the name of its environment. What other programs print stays as it is.
    const isOurs = job.kind === "connector" || job.kind === "flow";
    const shown = (text: string) => (isOurs ? withEnvironment(text, environment.name) : text);
    const outputs = await outputsOf(client, run);
    const kindOf = async (jobId: string) => (await jobs.find(jobId))?.kind;
    const found = {
      ...metricsOf(run, job),
      ...(job.kind === "automation" && { tasks: await automationTasks(run.tasks ?? [], outputs, kindOf) }),
    };
    progress(found);
    for (const text of outputLines(run, outputs)) line("info", shown(text));
    const result = stateOf(run);
    if (result === "cancelled") throw new CancelledElsewhere("It was cancelled in the workspace.");
    const failure = result === "succeeded" ? null : shown(describedFailure(run, outputs));
    await onEnded(job.subject, failure);
    if (failure !== null) throw new Error(failure);
    return { metrics: found };
  }

  return {
    async execute(run, job, control) {
      const workspace = await workspaces.open(job.environmentId);
      const { client } = workspace;
      const there =
        (await knownRun(run.id)) ??
        (await repair(client, run, job, control)) ??
        (await start(client, run, job, control));
      control.progress(metricsOf({ run_id: there.runId }, job));
      try {
        const found = await ended(client, job, there, control);
        return await finish(workspace, found, job, control);
      } catch (error) {
        if (isStopped(control.signal, "cancelled")) await cancel(client, there.runId, control.line);
        throw error;
      }
    },
    async checkParameters(job, parameters) {
      if (job.kind === "flow") await requireFlowJobParameters(job, parameters, installed);
      const found = job.kind === "connector" ? await connector(idOf(job.subject)) : undefined;
      if (found) await requireKnownParameters(job, parameters, found, installed);
    },
    async abandon({ id, environment_id }) {
      const there = await knownRun(id);
      if (!there) return;
      const { client } = await workspaces.open(environment_id);
      await cancelRun(client, there.runId);
    },
  };
}

const readRun = (client: WorkspaceClient, runId: string, signal?: AbortSignal): Promise<WholeRun> =>
  client.get<WholeRun>("/api/2.2/jobs/runs/get", { run_id: runId, include_history: true }, { signal });

/** The latest repair before one was requested. */
function askedRepair({ databricks }: Run["metrics"]): { readonly latest: string | null } | undefined {
  const repair = isMap(databricks) ? databricks.repair : undefined;
  if (!isMap(repair)) return undefined;
  return { latest: typeof repair.latest === "string" ? repair.latest : null };
}

export const isStopped = ({ reason }: AbortSignal, ...reasons: readonly Stopped["reason"][]): boolean =>
  reason instanceof Stopped && reasons.includes(reason.reason);

const textsOf = (parameters: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(parameters).map(([key, value]) => [
      key,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );

const timeOf = (ms: number | undefined) => (ms ? new Date(ms).toISOString() : null);

/** The run there, and its tasks. */
const metricsOf = (run: WorkspaceRun, job: StoredJob): Run["metrics"] => ({
  databricks: {
    job_id: job.reference,
    run_id: run.run_id,
    ...(run.run_page_url && { url: run.run_page_url }),
    ...(run.status || run.state
      ? {
          state: wordOf(run),
          started_at: timeOf(run.start_time),
          ended_at: timeOf(run.end_time),
          tasks: (run.tasks ?? [])
            .slice(0, 100)
            .map((task) => ({ task: task.task_key, state: wordOf(task) })),
        }
      : {}),
  },
});
