import type { Background } from "../../core/concurrency/background-tasks.ts";
import type { Dependencies } from "../../core/dependencies.ts";
import { createNews } from "../../core/store/other-servers.ts";
import { createLostRunCheck } from "./recovery.ts";

export interface PeriodicTasks {
  /** Corrects what is due if the clock was set. */
  followClock(): Promise<void>;
  runScheduler(): Promise<number>;
  /** When the scheduler or a worker has something to do, in one query; undefined: not until something changes. */
  earliest(): Promise<string | undefined>;
  /** When the next slot is due, and when the next run may start. */
  next(): Promise<readonly (Date | string | undefined)[]>;
  claim(): Promise<number>;
  /** Whether queued runs wait for free space on the disk: no event says when they may start. */
  isHeldBack(): boolean;
  beat(): Promise<void>;
  recover(): Promise<number>;
  areRunning(): Promise<boolean>;
  pollFiles(): Promise<boolean>;
  pollTables(): Promise<boolean>;
  tablesAreDue(): boolean;
  onError(error: unknown): void;
}

export interface Timers {
  /** A change without an event may have made something due earlier. */
  changed(): void;
  stop(): void;
}

const secondMs = 1000;
/** Batches the changes of a moment. */
const batchMs = 20;
/** The same for the changes of another server. */
const followMs = 100;
/** A suspended machine is noticed within this time. */
const longestMs = 60_000;
const recoverMs = 5_000;

/**
 * One timer waits for the next slot and is reset after every change. A second one ticks every second for what cannot be
 * known in advance: files, cancelled runs, whether this server may run jobs, and on PostgreSQL writes of other servers
 * that were not reported.
 */
export function startTimers(
  { store, system, settings }: Dependencies,
  tasks: PeriodicTasks,
  { run }: Background,
): Timers {
  const { onError } = tasks;
  let timer: NodeJS.Timeout | undefined;
  let timerAt = Number.POSITIVE_INFINITY;
  let stopped = false;
  const hasNews = createNews(store.engine);
  const recoverLost = createLostRunCheck({
    hasNews: createNews(store.engine),
    areRunning: tasks.areRunning,
    recover: tasks.recover,
  });

  function checkIn(ms: number): void {
    const at = performance.now() + ms;
    if (stopped || at >= timerAt) return;
    clearTimeout(timer);
    timerAt = at;
    timer = setTimeout(() => {
      timerAt = Number.POSITIVE_INFINITY;
      run(check);
    }, ms).unref();
  }

  function waitFor(times: readonly (Date | string | undefined)[]): void {
    const instants = times.flatMap((at) => (at === undefined ? [] : [new Date(at).getTime()]));
    checkIn(Math.min(longestMs, Math.max(0, Math.min(...instants) - system.now().getTime())));
  }

  async function check(): Promise<void> {
    try {
      const due = await tasks.earliest();
      if (due === undefined || due > system.now().toISOString()) return waitFor([due]);
      await tasks.runScheduler();
      // The next slot must not wait for the start of runs.
      run(tasks.claim);
      waitFor(await tasks.next());
    } catch (error) {
      onError(error);
      checkIn(secondMs);
    }
  }

  const last = { recovered: performance.now(), tables: Number.NEGATIVE_INFINITY };
  const isTime = (task: keyof typeof last, ms: number) => {
    if (performance.now() - last[task] < ms) return false;
    last[task] = performance.now();
    return true;
  };
  const claimIf = (task: () => Promise<boolean>) =>
    run(async () => {
      if (await task()) await tasks.claim();
    });

  function beat(): void {
    run(tasks.beat);
    run(tasks.followClock);
    claimIf(tasks.pollFiles);
    if (isTime("tables", settings.PLATFORM_TABLE_LOOK_SECONDS * secondMs) || tasks.tablesAreDue()) {
      claimIf(tasks.pollTables);
    }
    if (store.engine.exclusive || tasks.isHeldBack()) run(tasks.claim);
    else if (hasNews()) checkIn(0);
    if (isTime("recovered", recoverMs)) claimIf(async () => (await recoverLost()) > 0);
  }

  store.onEvents(() => checkIn(batchMs));
  store.engine.others?.onWritten(() => checkIn(followMs));
  run(async () => {
    await tasks.recover().catch(onError);
    await check();
  });
  const beats = setInterval(beat, secondMs).unref();
  return {
    changed: () => checkIn(batchMs),
    stop() {
      stopped = true;
      clearTimeout(timer);
      clearInterval(beats);
    },
  };
}
