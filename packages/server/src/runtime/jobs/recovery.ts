import { encodeJson } from "@lakehelm/contract/schema";
import type { Dependencies } from "../../core/dependencies.ts";
import { createExpiries } from "../../core/expiries.ts";
import { type DomainEvent, type Step, VersionConflict } from "../../core/store/store.ts";
import { workerContext } from "../../core/system.ts";
import type { AttemptDependencies } from "./attempt.ts";
import { endedEvent } from "./ended-event.ts";
import type { Executor } from "./executor.ts";
import { withRetry } from "./run-retries.ts";
import type { StoredRun } from "./run-row.ts";
import { heartbeat } from "./worker.ts";

/** A run whose server crashed this often fails: it may be the cause of the crashes. */
const fewestAttempts = 3;

/** Puts runs of crashed servers back into the queue. */
export interface Recovery {
  /** Returns the number of these runs. `isOnlyServer`: no other server executes runs. */
  recover(isOnlyServer?: boolean): Promise<number>;
}

interface LostRunCheckOptions {
  /** Whether something was written since the last call. */
  readonly hasNews: () => boolean;
  readonly areRunning: () => Promise<boolean>;
  readonly recover: () => Promise<number>;
}

/** Recovers lost runs, without a query while no run is executing and nothing is written: then none can be lost. */
export function createLostRunCheck({ hasNews, areRunning, recover }: LostRunCheckOptions) {
  let mayBeRunning = true;
  return async (): Promise<number> => {
    if (!hasNews() && !mayBeRunning) return 0;
    mayBeRunning = await areRunning();
    return mayBeRunning ? recover() : 0;
  };
}

interface RecoveryOptions extends Required<Pick<Executor, "abandon">> {
  readonly isWorkingOn: (runId: string) => boolean;
}

export function createRecovery(
  { store, system }: Dependencies,
  { jobs, runs, log, ending, observer }: AttemptDependencies,
  { isWorkingOn, abandon }: RecoveryOptions,
): Recovery {
  let isStart = true;
  const heartbeats = createExpiries(system, heartbeat.lostMs);

  async function lostRuns(isOnlyServer: boolean): Promise<StoredRun[]> {
    // In an exclusive database, every running run found at the start is orphaned.
    const isOrphaned = isOnlyServer || (isStart && store.engine.exclusive);
    isStart = false;
    const others = (await runs.heartbeats()).filter(({ id }) => !isWorkingOn(id));
    const expired = heartbeats.expired(
      others.map(({ id, owner, attempt, heartbeat_until }) => ({
        key: `${id} ${owner} ${attempt}`,
        until: heartbeat_until ?? "",
      })),
    );
    const lost = others.filter((_, n) => isOrphaned || expired[n]);
    const found = await Promise.all(lost.map(({ id }) => runs.get(id)));
    return found.filter((one) => one !== undefined);
  }

  async function recoverOne({ run, owner: lostOwner }: StoredRun, now: Date): Promise<void> {
    const time = now.toISOString();
    const context = workerContext(now);
    const job = await jobs.get(run.job_id);
    const claim = { id: run.id, owner: lostOwner ?? "", attempt: run.attempt };
    const apply = (step: Step, also: Step[], events: DomainEvent[]) =>
      store.apply({ context, steps: [{ ...step, expect: 1 }, ...also], events });
    const end = async (to: "failed" | "cancelled", error: string) => {
      const how = { outcome: to, error, at: now };
      await apply(
        runs.end({ ...claim, to, now: time, error, metrics: encodeJson(run.metrics), quiet: null }),
        [log.append(run.id, "error", error, time), ...(job ? ending.steps(run, job, how) : [])],
        [endedEvent(run, job, to, { error })],
      );
      if (job) observer.ended(run, job, how);
      await abandon(run);
    };
    const lost = `The server crashed during attempt ${run.attempt}`;
    if (run.cancelled || !job) return end("cancelled", `${lost}, after it was cancelled.`);
    const most = Math.max(job.definition.attempts, fewestAttempts);
    if (run.attempt >= most) return end("failed", `${lost}. It has failed too often to be retried.`);
    const error = `${lost}.`;
    const metrics = encodeJson(withRetry(run, run.metrics, { at: time, error }));
    const back = runs.putBack({ ...claim, counted: run.attempt, not_before: time, error, metrics });
    return apply(back, [log.append(run.id, "warn", `${lost}. The run starts again.`, time)], []);
  }

  return {
    async recover(isOnlyServer = false) {
      const now = system.now();
      const lost = await lostRuns(isOnlyServer);
      for (const one of lost) {
        await recoverOne(one, now).catch((error) => {
          if (!(error instanceof VersionConflict)) throw error;
        });
        log.wake(one.run.id);
      }
      return lost.length;
    },
  };
}
