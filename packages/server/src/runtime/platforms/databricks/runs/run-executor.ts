import { setTimeout as pause } from "node:timers/promises";
import type { Run } from "@lakehelm/contract";
import { backoffMs } from "../../../../core/concurrency/backoff.ts";
import type { Dependencies } from "../../../../core/dependencies.ts";
import { conflict } from "../../../../core/errors.ts";
import { VersionConflict } from "../../../../core/store/store.ts";
import { workerContext } from "../../../../core/system.ts";
import { CancelledElsewhere, Stopped } from "../../../jobs/attempt-outcome.ts";
import type { Executor, RunControl } from "../../../jobs/executor.ts";
import type { StoredJob } from "../../../jobs/job-rows.ts";
import type { RunRows } from "../../../jobs/run-rows.ts";
import type { WorkspaceClient } from "../client/client.ts";
import { numericId } from "../client/json.ts";
import { isWorkspaceError } from "../client/workspace-error.ts";
import type { Workspaces } from "../workspaces.ts";
import { cancelRun, type RunFollower, slotPrefix } from "./run-follower.ts";
import { describedFailure, outputLines, outputsOf } from "./run-output.ts";
import { hasEnded, stateOf, type WorkspaceRun, wordOf } from "./run-state.ts";

export interface ExecutorOptions {
  readonly workspaces: Workspaces;
  readonly runs: Pick<RunRows, "slotOf" | "moveTo">;
  readonly follower: Pick<RunFollower, "left">;
  /** A run of a resource has ended: with an error, or null. */
  readonly onEnded: (subject: string, error: string | null) => Promise<void>;
}

/**
 * Starts a run in the workspace, or follows one that was started there. It may be called again for the same run: the id
 * of our run is the idempotency token, so that the same run is found.
 */
export function createRunExecutor(
  { store, system }: Dependencies,
  { workspaces, runs, follower, onEnded }: ExecutorOptions,
): Executor {
  const random = () => system.randomBytes(4).readUInt32LE() / 2 ** 32;

  async function knownRun(id: string): Promise<string | undefined> {
    const slot = await runs.slotOf(id);
    return slot?.startsWith(slotPrefix) ? slot.slice(slotPrefix.length) : undefined;
  }

  /** Starts it, however often the workspace does not answer; the token lets it start once. */
  async function start(
    client: WorkspaceClient,
    run: Run,
    job: StoredJob,
    control: RunControl,
  ): Promise<string> {
    const body = {
      job_id: numericId(job.reference ?? ""),
      idempotency_token: run.id,
      ...(run.cause.parameters && { job_parameters: textsOf(run.cause.parameters) }),
    };
    for (let failures = 1; ; failures++) {
      try {
        const { run_id } = await client.send<{ run_id?: string }>("POST", "/api/2.2/jobs/run-now", body, {
          isIdempotent: true,
        });
        if (run_id === undefined) throw new Error("The workspace started a run and did not say its id.");
        await keep(run.id, run_id);
        return run_id;
      } catch (error) {
        if (!isWorkspaceError(error, "open", "busy")) throw error;
        // After a cancellation it is asked for once more, because only its id can be cancelled.
        if (isStopped(control.signal, "stopping", "lost") || (control.signal.aborted && failures > 1))
          throw control.signal.reason;
        control.line("warn", `The workspace did not start it yet: ${(error as Error).message}`);
        await pause(backoffMs(failures, 1, 30, random), undefined, { signal: control.signal }).catch(
          () => {},
        );
      }
    }
  }

  /** From now on the run there is this run. */
  async function keep(id: string, runId: string): Promise<void> {
    const step = runs.moveTo({ id, slot: `${slotPrefix}${runId}` });
    await store.apply({ context: workerContext(system), steps: [step], events: [] }).catch((error) => {
      if (!(error instanceof VersionConflict)) throw error;
    });
  }

  /** Waits until it has ended there. */
  async function ended(
    client: WorkspaceClient,
    job: StoredJob,
    runId: string,
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
        const run = await client.get<WorkspaceRun>("/api/2.2/jobs/runs/get", { run_id: runId }, { signal });
        if (hasEnded(run)) return run;
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

  /** Ends it there, because it was cancelled here. */
  async function cancel(client: WorkspaceClient, runId: string, line: RunControl["line"]): Promise<void> {
    try {
      await cancelRun(client, runId);
    } catch (error) {
      line("warn", `The workspace did not confirm the cancellation: ${(error as Error).message}`);
    }
  }

  async function finish(client: WorkspaceClient, run: WorkspaceRun, job: StoredJob, { line }: RunControl) {
    const outputs = await outputsOf(client, run);
    for (const text of outputLines(run, outputs)) line("info", text);
    const result = stateOf(run);
    if (result === "cancelled") throw new CancelledElsewhere("It was cancelled in the workspace.");
    const failure = result === "succeeded" ? null : describedFailure(run, outputs);
    await onEnded(job.subject, failure);
    if (failure !== null) throw new Error(failure);
    return { metrics: metricsOf(run, job) };
  }

  return {
    async execute(run, job, control) {
      const { client } = await workspaces.open(job.environmentId);
      const runId = (await knownRun(run.id)) ?? (await start(client, run, job, control));
      control.progress(metricsOf({ run_id: runId }, job));
      try {
        const found = await ended(client, job, runId, control);
        control.progress(metricsOf(found, job));
        return await finish(client, found, job, control);
      } catch (error) {
        if (isStopped(control.signal, "cancelled")) await cancel(client, runId, control.line);
        throw error;
      }
    },
    async checkParameters(job, parameters) {
      if (job.kind !== "automation" && Object.keys(parameters).length > 0) {
        throw conflict(`The runs of a ${job.kind} in a Databricks workspace take no parameters yet.`);
      }
    },
    async abandon({ id, environment_id }) {
      const runId = await knownRun(id);
      if (runId === undefined) return;
      const { client } = await workspaces.open(environment_id);
      await cancelRun(client, runId);
    },
  };
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
