import type { Run } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import { singleFlight } from "../../core/concurrency/single-flight.ts";
import type { Dependencies } from "../../core/dependencies.ts";
import { VersionConflict } from "../../core/store/store.ts";
import { workerContext } from "../../core/system.ts";
import { type AttemptDependencies, type AttemptOptions, type RunAttempt, startAttempt } from "./attempt.ts";
import type { Executor } from "./executor.ts";
import type { StoredJob } from "./job-rows.ts";
import { runEvent } from "./queue.ts";
import type { Lane, StoredRun } from "./run-rows.ts";

/**
 * A server sends a heartbeat every 5 seconds. After 20 seconds without success it stops its runs; after 30 others take
 * them over. So the clocks of servers that share a PostgreSQL may differ by up to 10 seconds.
 */
const heartbeat = { everyMs: 5_000, stopMs: 20_000, lostMs: 30_000 };

const progressMs = 2_000;
const page = 100;
/** They hold little more than a timer while they wait for other runs. */
const automationsAtOnce = 1_000;
const laneOf = ({ kind }: Pick<StoredJob, "kind">): Lane => (kind === "automation" ? "automations" : "work");

export interface WorkerOptions
  extends Pick<AttemptOptions, "owner" | "executor" | "onError">,
    Required<Pick<Executor, "abandon">> {
  readonly mayRun: (environmentId: string) => boolean;
  /** Called when an attempt has ended, with any outcome. */
  readonly onEnded: (run: Run) => void;
}

export interface Worker {
  /** Starts due runs while there are free slots. Returns how many. */
  claim(): Promise<number>;
  /** Renews the heartbeat; stops attempts that were cancelled, timed out, or taken by another server. */
  beat(): Promise<void>;
  isWorkingOn(runId: string): boolean;
  /** Resolves when no attempt is running. */
  idle(): Promise<void>;
  /** Stops all attempts and puts their runs back into the queue; waits for that up to a limit. */
  stop(waitMs: number): Promise<void>;
}

export function createWorker(
  deps: Dependencies,
  rows: AttemptDependencies,
  { owner, executor, mayRun, abandon, onEnded, onError }: WorkerOptions,
): Worker {
  const { store, system, settings } = deps;
  const { jobs, runs, log } = rows;
  const attempts = new Map<string, RunAttempt>();
  let stopping = false;
  let renewedMs = 0;
  let progressedMs = 0;
  const heartbeatUntil = (now: Date) => new Date(now.getTime() + heartbeat.lostMs).toISOString();
  const sinceRenewalMs = () => system.now().getTime() - renewedMs;
  const options = {
    owner,
    executor,
    onError,
    ownsRuns: () => !stopping && sinceRenewalMs() < heartbeat.lostMs,
  };

  /** Claims a queued run; false if another server, or another run of its job, was faster. */
  async function start(queued: Run): Promise<boolean> {
    const now = system.now();
    const time = now.toISOString();
    const job = await jobs.get(queued.job_id);
    const about = { id: queued.id, jobId: queued.job_id };
    const attempt = queued.attempt + 1;
    const gone = `Its job was deleted before it ${queued.started_at === null ? "started" : "could continue"}.`;
    const change = job
      ? {
          step: runs.claim({
            id: queued.id,
            owner,
            now: time,
            until: heartbeatUntil(now),
            holds: job.definition.overlap ? null : job.id,
          }),
          event: runEvent(about, "run.started", { name: job.name, attempt }),
        }
      : {
          step: runs.cancelQueued({
            id: queued.id,
            now: time,
            cancel: encodeJson({ by: "worker", at: time }),
            error: gone,
          }),
          event: runEvent(about, "run.cancelled", { error: gone }),
        };
    try {
      await store.apply({
        context: workerContext(now),
        steps: [{ ...change.step, expect: 1 }],
        events: [change.event],
      });
    } catch (error) {
      if (error instanceof VersionConflict) return false;
      throw error;
    }
    log.wake(queued.id);
    if (!job) {
      await abandon(queued);
      return false;
    }
    if (attempts.size === 0) renewedMs = now.getTime();
    const started_at = queued.started_at ?? time;
    const running: Run = { ...queued, status: "running", attempt, started_at, not_before: null };
    const started = startAttempt(deps, rows, options, running, job);
    attempts.set(queued.id, started);
    void started.done.then(() => {
      attempts.delete(queued.id);
      log.wake(queued.id);
      onEnded(running);
    });
    return true;
  }

  function freeSlots(lane: Lane): number {
    if (stopping) return 0;
    const ofLane = [...attempts.values()].filter(({ job }) => laneOf(job) === lane);
    return (lane === "work" ? settings.PLATFORM_RUNS_AT_ONCE : automationsAtOnce) - ofLane.length;
  }

  const claimAll = async () => (await claimIn("automations")) + (await claimIn("work"));

  async function claimIn(lane: Lane): Promise<number> {
    const free = () => freeSlots(lane);
    let started = 0;
    for (let skip = 0; free() > 0; skip += page) {
      const waiting = await runs.waiting(lane, system.now().toISOString(), page, skip);
      let ours = waiting.filter(({ run }) => mayRun(run.environment_id));
      while (ours.length > 0 && free() > 0) {
        const [next, later] = firstOfEachJob(ours);
        // Concurrently: SQLite then writes them with one fsync.
        const some = await Promise.all(next.splice(0, free()).map(({ run }) => start(run)));
        started += some.filter(Boolean).length;
        ours = [...next, ...later];
      }
      if (waiting.length < page) break;
    }
    return started;
  }

  /** Stops attempts that were cancelled, timed out, or taken by another server, according to the rows. */
  async function stopObsolete(now: Date): Promise<void> {
    const known = new Map((await runs.ownedBy(owner)).map(({ run }) => [run.id, run]));
    for (const attempt of attempts.values()) {
      const row = known.get(attempt.run.id);
      // The row is no longer ours, or not yet in the snapshot that we read.
      if (row?.attempt !== attempt.run.attempt) {
        if ((await runs.get(attempt.run.id))?.owner !== owner) attempt.stop("lost");
        continue;
      }
      if (row.cancelled) attempt.stop("cancelled", row.cancelled.by);
      const { timeout_seconds } = attempt.job.definition;
      if (now.getTime() - attempt.startedMs >= timeout_seconds * 1000) attempt.stop("timeout");
    }
  }

  async function write(now: Date): Promise<void> {
    const isHeartbeat = sinceRenewalMs() >= heartbeat.everyMs;
    const isProgress = now.getTime() - progressedMs >= progressMs;
    const running = isHeartbeat ? [...attempts.values()] : [];
    const beats = running.map(({ run }) =>
      runs.renew({ id: run.id, owner, attempt: run.attempt, until: heartbeatUntil(now) }),
    );
    const unwritten = isProgress ? [...attempts.values()].filter((attempt) => attempt.unwritten) : [];
    const progress = unwritten.map(({ run, unwritten: metrics }) =>
      runs.progress({ id: run.id, owner, attempt: run.attempt, metrics: encodeJson(metrics) }),
    );
    if (beats.length + progress.length === 0) return;
    for (const attempt of unwritten) attempt.unwritten = undefined;
    await store.apply({ context: workerContext(now), steps: [...beats, ...progress], events: [] });
    if (isHeartbeat) renewedMs = now.getTime();
    if (isProgress) progressedMs = now.getTime();
  }

  const claim = singleFlight(claimAll);

  async function idle(): Promise<void> {
    while (attempts.size > 0) await Promise.all([...attempts.values()].map(({ done }) => done));
  }

  return {
    claim,
    isWorkingOn: (runId) => attempts.has(runId),
    async beat() {
      if (attempts.size === 0) return;
      const now = system.now();
      for (const attempt of attempts.values()) {
        if (!mayRun(attempt.run.environment_id)) attempt.stop("stopping");
      }
      try {
        await stopObsolete(now);
        await write(now);
      } catch (error) {
        onError(error);
      }
      if (sinceRenewalMs() < heartbeat.stopMs) return;
      for (const attempt of attempts.values()) attempt.stop("lost");
    },
    idle,
    async stop(waitMs) {
      stopping = true;
      // Also stops what is being claimed right now.
      await claim().catch(onError);
      for (const attempt of attempts.values()) attempt.stop("stopping");
      const timeout = Promise.withResolvers<void>();
      const timer = setTimeout(timeout.resolve, waitMs);
      await Promise.race([idle(), timeout.promise]);
      clearTimeout(timer);
    },
  };
}

/** Runs of one job start in queue order: only the oldest of each job is started concurrently. */
function firstOfEachJob(waiting: readonly StoredRun[]): [StoredRun[], StoredRun[]] {
  const jobs = new Set<string>();
  const isFirst = waiting.map(({ run }) => jobs.size < jobs.add(run.job_id).size);
  return [waiting.filter((_, n) => isFirst[n]), waiting.filter((_, n) => !isFirst[n])];
}
