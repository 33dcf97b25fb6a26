import type { Run } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import { stopwatch } from "../../core/clock.ts";
import { singleFlight } from "../../core/concurrency/single-flight.ts";
import type { Dependencies } from "../../core/dependencies.ts";
import { VersionConflict } from "../../core/store/store.ts";
import { workerContext } from "../../core/system.ts";
import { type AttemptDependencies, type AttemptOptions, type RunAttempt, startAttempt } from "./attempt.ts";
import type { Executor } from "./executor.ts";
import { allSlots, fairChoice, leastLoaded, type OccupiedSlot, type Share } from "./fair-share.ts";
import { isContinuous, runEvent } from "./queue.ts";
import type { StoredRun } from "./run-row.ts";
import type { Lane } from "./waiting-runs.ts";

/**
 * A server sends a heartbeat every 5 seconds. After 20 seconds without success it stops its runs; after 30 others take
 * them over. So the clocks of servers that share a PostgreSQL may differ by up to 10 seconds.
 */
export const heartbeat = { everyMs: 5_000, stopMs: 20_000, lostMs: 30_000 };

const progressMs = 2_000;
const page = 100;
/** The most runs at once that wait for other runs or for another system: they hold little more than a timer. */
const waitingAtOnce = 1_000;

interface WaitingRun extends Share {
  readonly run: Run;
}

export interface WorkerOptions
  extends Pick<AttemptOptions, "owner" | "executor" | "onError">,
    Required<Pick<Executor, "abandon">> {
  readonly mayRun: (environmentId: string) => boolean;
  readonly mayStart: () => Promise<boolean>;
  /** Called when an attempt has ended, with any outcome. */
  readonly onEnded: (run: Run) => void;
}

export interface Worker {
  /** Starts due runs while there are free slots. Returns how many. */
  claim(): Promise<number>;
  /** Renews the heartbeat; stops attempts that were cancelled, timed out, or taken by another server. */
  beat(): Promise<void>;
  isWorkingOn(runId: string): boolean;
  /** The runs that count for `PLATFORM_RUNS_AT_ONCE`, and the most there can be. */
  usage(): { readonly used: number; readonly limit: number };
  /** Resolves when no attempt is running. */
  idle(): Promise<void>;
  /** Stops all attempts and puts their runs back into the queue; waits for that up to a limit. */
  stop(waitMs: number): Promise<void>;
}

export function createWorker(
  deps: Dependencies,
  rows: AttemptDependencies,
  { owner, executor, mayRun, mayStart, abandon, onEnded, onError }: WorkerOptions,
): Worker {
  const { store, system, settings } = deps;
  const { jobs, runs, log, observer, quietJobs, lineage } = rows;
  const attempts = new Map<string, RunAttempt>();
  const occupied = new Map<string, OccupiedSlot & { readonly lane: Lane }>();
  let stopping = false;
  let sinceRenewalMs = () => Number.POSITIVE_INFINITY;
  let progressedMs = Number.NEGATIVE_INFINITY;
  const isUnannounced = (run: Run) => isContinuous(run.cause) || quietJobs.isSilent(run);
  const heartbeatUntil = (now: Date) => new Date(now.getTime() + heartbeat.lostMs).toISOString();
  const options = {
    owner,
    executor,
    mayRun,
    onError,
    ownsRuns: () => !stopping && sinceRenewalMs() < heartbeat.lostMs,
  };

  /** Claims a queued run; false if another server, or another run of its job, was faster. */
  async function start({ run: queued, ...share }: WaitingRun & OccupiedSlot, lane: Lane): Promise<boolean> {
    const now = system.now();
    const sinceClaim = stopwatch(system);
    const time = now.toISOString();
    const job = await jobs.get(queued.job_id);
    const attempt = queued.attempt + 1;
    const gone = `Its job was deleted before it ${queued.started_at === null ? "started" : "could continue"}.`;
    const change = job
      ? {
          step: runs.claim({
            id: queued.id,
            owner,
            now: time,
            until: heartbeatUntil(now),
            // Another system has a queue of its own.
            holds: job.definition.overlap || job.reference !== null ? null : job.id,
          }),
          events: isUnannounced(queued) ? [] : [runEvent(queued, "run.started", { attempt })],
        }
      : {
          step: runs.cancelQueued({
            id: queued.id,
            now: time,
            cancel: encodeJson({ by: "worker", at: time }),
            error: gone,
          }),
          events: [runEvent(queued, "run.cancelled", { error: gone })],
        };
    try {
      await store.apply({
        context: workerContext(now),
        steps: [
          { ...change.step, expect: 1 },
          ...(job && lineage && isReportedAtStart(queued) ? [lineage.started(queued, job, now)] : []),
        ],
        events: change.events,
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
    if (attempts.size === 0) sinceRenewalMs = sinceClaim;
    const started_at = queued.started_at ?? time;
    const running: Run = { ...queued, status: "running", attempt, started_at, not_before: null };
    observer.started(running, job, now);
    const started = startAttempt(deps, rows, options, running, job);
    attempts.set(queued.id, started);
    occupied.set(queued.id, { ...share, lane });
    void started.done.then(() => {
      attempts.delete(queued.id);
      occupied.delete(queued.id);
      log.wake(queued.id);
      onEnded(running);
    });
    return true;
  }

  const slotsOf = (lane: Lane) => (lane === "work" ? settings.PLATFORM_RUNS_AT_ONCE : waitingAtOnce);
  const occupiedIn = (lane: Lane) => [...occupied.values()].filter((slot) => slot.lane === lane);

  const claimAll = async () =>
    (await mayStart())
      ? (await claimIn("automations")) + (await claimIn("remote")) + (await claimIn("work"))
      : 0;

  async function claimIn(lane: Lane): Promise<number> {
    let started = 0;
    for (let isMore = true; isMore && !stopping; ) {
      if (occupiedIn(lane).length >= allSlots(slotsOf(lane))) return started;
      const before = started;
      const found = await candidates(lane);
      let waiting = found.runs;
      while (waiting.length > 0 && !stopping) {
        const [first, later] = firstOfEachJob(waiting);
        const next = fairChoice(first, occupiedIn(lane), slotsOf(lane));
        if (next.length === 0) return started;
        const chosen = new Set(next.map(({ run }) => run.id));
        // Concurrently: SQLite then writes them with one fsync.
        const some = await Promise.all(next.map((choice) => start(choice, lane)));
        started += some.filter(Boolean).length;
        waiting = [...first.filter(({ run }) => !chosen.has(run.id)), ...later];
      }
      isMore = found.isMore && started > before;
    }
    return started;
  }

  /** Due runs that this server may start: the oldest, and the oldest of the callers that are not among them. */
  async function candidates(lane: Lane): Promise<{ runs: WaitingRun[]; isMore: boolean }> {
    const now = system.now().toISOString();
    const ours = (found: readonly StoredRun[]) =>
      found
        .filter(({ run }) => mayRun(run.environment_id))
        .map(({ run, caller }): WaitingRun => ({ run, caller, environmentId: run.environment_id }));
    const oldest = await runs.waiting(lane, now, page);
    if (oldest.length < page) return { runs: ours(oldest), isMore: false };
    // One caller has queued many. The runs of others must not wait behind them.
    const known = new Set(oldest.map(({ run, caller }) => JSON.stringify([run.environment_id, caller])));
    const others = (await runs.waitingShares(lane, now))
      .filter(({ environmentId, caller }) => !known.has(JSON.stringify([environmentId, caller])))
      .filter(({ environmentId }) => mayRun(environmentId));
    const first = leastLoaded(others, occupiedIn(lane)).slice(0, page);
    const theirs = await Promise.all(
      first.map((share) => runs.waitingOfShare(lane, now, share, Math.min(page, slotsOf(lane)))),
    );
    return { runs: [...ours(oldest), ...theirs.flatMap(ours)], isMore: true };
  }

  /** Stops attempts that were cancelled, timed out, or taken by another server, according to the rows. */
  async function stopObsolete(): Promise<void> {
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
      // Another system knows how long a run waited there, and applies the timeout itself.
      if (attempt.job.reference !== null) continue;
      if (attempt.ageMs() >= timeout_seconds * 1000) attempt.stop("timeout");
    }
  }

  async function write(now: Date): Promise<void> {
    const isHeartbeat = sinceRenewalMs() >= heartbeat.everyMs;
    const isProgress = system.monotonicMs() - progressedMs >= progressMs;
    const sinceBeat = stopwatch(system);
    const running = isHeartbeat ? [...attempts.values()] : [];
    const beats = running.map(({ run }) => ({
      ...runs.renew({ id: run.id, owner, attempt: run.attempt, until: heartbeatUntil(now) }),
      isSilent: true,
    }));
    const unwritten = isProgress ? [...attempts.values()].filter((attempt) => attempt.unwritten) : [];
    const progress = unwritten.map(({ run, unwritten: metrics }) =>
      runs.progress({ id: run.id, owner, attempt: run.attempt, metrics: encodeJson(metrics) }),
    );
    if (beats.length + progress.length === 0) return;
    for (const attempt of unwritten) attempt.unwritten = undefined;
    await store.apply({ context: workerContext(now), steps: [...beats, ...progress], events: [] });
    if (isHeartbeat) sinceRenewalMs = sinceBeat;
    if (isProgress) progressedMs = system.monotonicMs();
  }

  const claim = singleFlight(claimAll);

  async function idle(): Promise<void> {
    while (attempts.size > 0) await Promise.all([...attempts.values()].map(({ done }) => done));
  }

  return {
    claim,
    isWorkingOn: (runId) => attempts.has(runId),
    usage: () => ({ used: occupiedIn("work").length, limit: allSlots(slotsOf("work")) }),
    async beat() {
      if (attempts.size === 0) return;
      const now = system.now();
      const startedMs = system.monotonicMs();
      const since = sinceRenewalMs;
      const sinceMs = since();
      for (const attempt of attempts.values()) {
        if (!mayRun(attempt.run.environment_id)) attempt.stop("stopping");
      }
      try {
        await stopObsolete();
        await write(now);
      } catch (error) {
        onError(error);
      }
      // The clock may jump during a beat: the next beat finds whether another server has taken runs over.
      const beforeMs = sinceRenewalMs === since ? sinceMs : 0;
      if (beforeMs + system.monotonicMs() - startedMs < heartbeat.stopMs) return;
      for (const attempt of attempts.values()) attempt.stop("lost");
    },
    idle,
    async stop(waitMs) {
      stopping = true;
      // Waits for a claim in progress, so that the runs it starts are stopped, too.
      await claim().catch(onError);
      for (const attempt of attempts.values()) attempt.stop("stopping");
      const timeout = Promise.withResolvers<void>();
      const timer = setTimeout(timeout.resolve, waitMs);
      await Promise.race([idle(), timeout.promise]);
      clearTimeout(timer);
    },
  };
}

/** A live job runs all the time: its runs are reported when they have ended, if they are worth a report. */
const isReportedAtStart = ({ started_at, cause }: Run): boolean =>
  started_at === null && !isContinuous(cause);

/** Runs of one job start in queue order: only the oldest of each job is started concurrently. */
function firstOfEachJob(waiting: readonly WaitingRun[]): [WaitingRun[], WaitingRun[]] {
  const jobs = new Set<string>();
  const isFirst = waiting.map(({ run }) => jobs.size < jobs.add(run.job_id).size);
  return [waiting.filter((_, n) => isFirst[n]), waiting.filter((_, n) => !isFirst[n])];
}
