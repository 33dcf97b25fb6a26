import { setTimeout as pause } from "node:timers/promises";
import type { Run } from "@lakehelm/contract";
import { isMap } from "@lakehelm/contract/connections";
import { backoffMs } from "../../../../core/concurrency/backoff.ts";
import type { Dependencies } from "../../../../core/dependencies.ts";
import { VersionConflict } from "../../../../core/store/store.ts";
import { randomFraction, workerContext } from "../../../../core/system.ts";
import { CancelledElsewhere } from "../../../jobs/attempt-outcome.ts";
import type { Executor, RunControl } from "../../../jobs/executor.ts";
import type { StoredJob } from "../../../jobs/job-rows.ts";
import type { RunRows } from "../../../jobs/run-rows.ts";
import type { WorkspaceClient } from "../client/client.ts";
import { isWorkspaceError } from "../client/workspace-error.ts";
import { slotPrefix } from "../runs/remote-runs.ts";
import { isStopped } from "../runs/run-executor.ts";
import type { Workspaces } from "../workspaces.ts";
import { readUpdate, type UpdateFollower } from "./update-follower.ts";
import { completionOf, eventsOf } from "./update-log.ts";
import { hasEnded, isSameRequest, optionsOf, type WorkspaceUpdate, wasRequested } from "./update-state.ts";
import { failureOf, readsOf, tablesOf } from "./update-tables.ts";
import { pathOf, readPipeline } from "./workspace-pipelines.ts";

export interface UpdateExecutorOptions {
  readonly workspaces: Workspaces;
  readonly runs: Pick<RunRows, "slotOf" | "moveTo" | "bySlot">;
  readonly follower: Pick<UpdateFollower, "left">;
  /** Writes the current files of the pipeline before an update. */
  readonly refresh: (
    job: Pick<StoredJob, "environmentId" | "subject" | "name">,
    isValidation: boolean,
  ) => Promise<void>;
}

/**
 * What was known before a start was sent: if its answer is lost, the executor looks for an update that is newer than
 * this.
 */
interface Asked {
  /** The newest update before the start; null: there was none. */
  readonly newest: string | null;
}

/**
 * Starts an update in the workspace, or follows one that was started there. The start of an update takes no idempotency
 * token. So the newest update is recorded first, and after a lost answer or a crash, a newer update with the same
 * options counts as this one.
 */
export function createUpdateExecutor(
  { store, system }: Dependencies,
  { workspaces, runs, follower, refresh }: UpdateExecutorOptions,
): Executor {
  const random = () => randomFraction(system);

  async function knownUpdate(id: string): Promise<string | undefined> {
    const slot = await runs.slotOf(id);
    return slot?.startsWith(slotPrefix) ? slot.slice(slotPrefix.length) : undefined;
  }

  /** Records that this run is that update. */
  async function keep(id: string, updateId: string): Promise<void> {
    const step = runs.moveTo({ id, slot: `${slotPrefix}${updateId}` });
    await store.apply({ context: workerContext(system), steps: [step], events: [] }).catch((error) => {
      if (!(error instanceof VersionConflict)) throw error;
    });
  }

  async function start(
    client: WorkspaceClient,
    run: Run,
    job: StoredJob,
    control: RunControl,
  ): Promise<string> {
    const { signal, line } = control;
    const pipelineId = job.reference ?? "";
    const options = optionsOf(run.cause);
    let asked = askedIn(run.metrics);
    if (!asked) await refresh(job, options.validate_only === true);
    for (let failures = 1; ; failures++) {
      try {
        const updates = await latestUpdates(client, pipelineId);
        const own = asked && (await startedSince(asked, updates, job, options));
        if (own) {
          await keep(run.id, own);
          return own;
        }
        // An earlier start was certainly not carried out.
        signal.throwIfAborted();
        const current = updates.find((update) => !hasEnded(update));
        if (current?.update_id) {
          if (job.definition.trigger.kind === "live") throw new Error(alreadyRunning(job.name));
          line("info", "It waits for an update in progress.");
          asked = undefined;
          await follower.left(job.environmentId, current.update_id, () => {}, signal);
          continue;
        }
        asked = { newest: updates[0]?.update_id ?? null };
        await control.checkpoint({ databricks: { pipeline_id: pipelineId, asked } });
        const path = `${pathOf(pipelineId)}/updates`;
        const { update_id } = await client.send<{ update_id?: string }>("POST", path, options);
        if (update_id === undefined)
          throw new Error("The workspace started an update and did not say its id.");
        await keep(run.id, update_id);
        return update_id;
      } catch (error) {
        if (!isWorkspaceError(error, "open", "busy", "conflict")) throw error;
        // After a cancellation the update is looked for once more, because only a known update can be stopped.
        if (isStopped(signal, "stopping", "lost") || (signal.aborted && failures > 1)) throw signal.reason;
        line("warn", `The workspace did not start it yet: ${(error as Error).message}`);
        await pause(backoffMs(failures, 1, 30, random), undefined, { signal }).catch(() => {});
      }
    }
  }

  /** The update that an earlier start made, if its answer was lost. */
  async function startedSince(
    { newest }: Asked,
    updates: readonly WorkspaceUpdate[],
    job: StoredJob,
    options: ReturnType<typeof optionsOf>,
  ): Promise<string | undefined> {
    const at = updates.findIndex(({ update_id }) => update_id === newest);
    const since = at < 0 ? updates : updates.slice(0, at);
    // Takes the first newer update: a later one may be somebody else's.
    for (const update of since.toReversed()) {
      const { update_id } = update;
      if (update_id === undefined || !wasRequested(update) || !isSameRequest(update, options)) continue;
      if (!(await runs.bySlot(job.id, `${slotPrefix}${update_id}`))) return update_id;
    }
    return undefined;
  }

  /** Waits until the update has ended in the workspace. */
  async function ended(
    client: WorkspaceClient,
    job: StoredJob,
    updateId: string,
    { signal, line }: RunControl,
  ): Promise<WorkspaceUpdate> {
    let last: string | undefined;
    const onState = (word = "") => {
      if (word !== last) line("info", `The workspace says: ${word}.`);
      last = word;
    };
    for (let failures = 0; ; ) {
      try {
        const update = await readUpdate(client, job.reference ?? "", updateId, signal);
        onState(update.state);
        if (hasEnded(update)) return update;
        failures = 0;
        await follower.left(job.environmentId, updateId, onState, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (!isWorkspaceError(error, "open", "busy", "denied")) throw error;
        failures += 1;
        await pause(backoffMs(failures, 1, 30, random), undefined, { signal });
      }
    }
  }

  async function finish(
    client: WorkspaceClient,
    update: WorkspaceUpdate,
    job: StoredJob,
    updateId: string,
    { line, lineage, progress }: RunControl,
  ) {
    const pipelineId = job.reference ?? "";
    const pipeline = (await readPipeline(client, pipelineId)) ?? {};
    const complete = completionOf(pipeline);
    const events = await eventsOf(client, pipelineId, updateId);
    for (const { message, level } of events.slice(-500)) {
      if (message)
        line(level === "ERROR" ? "error" : level === "WARN" ? "warn" : "info", message.slice(0, 4_000));
    }
    const tables = tablesOf(events, complete);
    const found = { ...metricsOf(job, updateId, update), ...sumsOf(tables), tables, again: [] };
    progress(found);
    const reads = readsOf(events, complete);
    const inputs = new Set([...reads.values()].flatMap((names) => [...names]));
    lineage?.({
      inputs: [...inputs].filter((name) => !reads.has(name)).map((name) => ({ name })),
      outputs: tables.filter(({ kind }) => kind !== "view").map(({ name }) => ({ name })),
    });
    if (update.state === "CANCELED") throw new CancelledElsewhere("It was stopped in the workspace.");
    if (update.state !== "COMPLETED") throw new Error(failureOf(events));
    return { metrics: found };
  }

  return {
    async execute(run, job, control) {
      const { client } = await workspaces.open(job.environmentId);
      const updateId = (await knownUpdate(run.id)) ?? (await start(client, run, job, control));
      control.progress(metricsOf(job, updateId));
      try {
        const update = await ended(client, job, updateId, control);
        return await finish(client, update, job, updateId, control);
      } catch (error) {
        if (isStopped(control.signal, "cancelled")) {
          await stop(client, job.reference ?? "", updateId).catch((failure: Error) =>
            control.line("warn", `The workspace did not confirm that it stops: ${failure.message}`),
          );
        }
        throw error;
      }
    },
    async abandon({ id, environment_id, metrics }) {
      const updateId = await knownUpdate(id);
      const pipelineId = databricksIn(metrics).pipeline_id;
      if (updateId === undefined || typeof pipelineId !== "string") return;
      await stop((await workspaces.open(environment_id)).client, pipelineId, updateId);
    },
  };
}

/** Stops an update. A pipeline has one update at a time: another one must not be stopped instead. */
async function stop(client: WorkspaceClient, pipelineId: string, updateId: string): Promise<void> {
  if (hasEnded(await readUpdate(client, pipelineId, updateId))) return;
  await client.send("POST", `${pathOf(pipelineId)}/stop`, {}, { isIdempotent: true });
}

/** The newest updates, newest first. */
async function latestUpdates(
  client: WorkspaceClient,
  pipelineId: string,
): Promise<readonly WorkspaceUpdate[]> {
  const path = `${pathOf(pipelineId)}/updates`;
  const { updates = [] } = await client.get<{ updates?: readonly WorkspaceUpdate[] }>(path, {
    max_results: 25,
  });
  return updates;
}

const databricksIn = ({ databricks }: Run["metrics"]): Readonly<Record<string, unknown>> =>
  isMap(databricks) ? databricks : {};

function askedIn(metrics: Run["metrics"]): Asked | undefined {
  const { asked } = databricksIn(metrics);
  if (!isMap(asked)) return undefined;
  return { newest: typeof asked.newest === "string" ? asked.newest : null };
}

const metricsOf = (job: StoredJob, updateId: string, { state }: WorkspaceUpdate = {}): Run["metrics"] => ({
  databricks: { pipeline_id: job.reference, update_id: updateId, ...(state && { state }) },
});

const sumsOf = (tables: ReturnType<typeof tablesOf>) => {
  const sum = (key: "rows_added" | "rows_updated" | "rows_removed" | "rows_dropped") =>
    tables.reduce((total, table) => total + table[key], 0);
  return {
    rows_added: sum("rows_added"),
    rows_updated: sum("rows_updated"),
    rows_removed: sum("rows_removed"),
    rows_dropped: sum("rows_dropped"),
  };
};

const alreadyRunning = (name: string) =>
  `The pipeline "${name}" runs without end in the workspace, which allows only one update at a time. Stop it before you start another one.`;
