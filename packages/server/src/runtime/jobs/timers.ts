import type { Background } from "../../core/concurrency/background-tasks.ts";
import type { Dependencies } from "../../core/dependencies.ts";

/** Periodic tasks. */
export interface Chores {
  look(): Promise<number>;
  /** When the scheduler or a worker has something to do, in one query; undefined: not until something changes. */
  earliest(): Promise<string | undefined>;
  /** When the next slot is due, and when the next run may start. */
  next(): Promise<readonly (Date | string | undefined)[]>;
  claim(): Promise<number>;
  beat(): Promise<void>;
  recover(): Promise<number>;
  lookAtFiles(): Promise<boolean>;
  lookAtTables(): Promise<boolean>;
  tablesAreDue(): boolean;
  prune(): Promise<void>;
  onError(error: unknown): void;
}

const secondMs = 1000;
/** Batches the changes of a moment. */
const gatherMs = 20;
/** A clock change or a suspended machine is noticed within this time. */
const longestMs = 60_000;
const recoverMs = 5_000;
const pruneMs = 3_600_000;

/**
 * One timer waits for the next slot and is reset after every change. A second one ticks every second for what cannot be
 * known in advance: files, cancelled runs, whether this server may run jobs, and on PostgreSQL the writes of other
 * servers. Returns how to stop them.
 */
export function startTimers(
  { store, system, settings }: Dependencies,
  chores: Chores,
  { run }: Background,
): () => void {
  const { onError } = chores;
  let timer: NodeJS.Timeout | undefined;
  let timerAt = Number.POSITIVE_INFINITY;
  let stopped = false;

  function lookIn(ms: number): void {
    const at = performance.now() + ms;
    if (stopped || at >= timerAt) return;
    clearTimeout(timer);
    timerAt = at;
    timer = setTimeout(() => {
      timerAt = Number.POSITIVE_INFINITY;
      run(look);
    }, ms).unref();
  }

  function waitFor(times: readonly (Date | string | undefined)[]): void {
    const instants = times.flatMap((at) => (at === undefined ? [] : [new Date(at).getTime()]));
    lookIn(Math.min(longestMs, Math.max(0, Math.min(...instants) - system.now().getTime())));
  }

  async function look(): Promise<void> {
    try {
      const due = await chores.earliest();
      if (due === undefined || due > system.now().toISOString()) return waitFor([due]);
      await chores.look();
      // The next slot must not wait for the start of runs.
      run(chores.claim);
      waitFor(await chores.next());
    } catch (error) {
      onError(error);
      lookIn(secondMs);
    }
  }

  const last = { recovered: performance.now(), tables: Number.NEGATIVE_INFINITY, pruned: performance.now() };
  const isTime = (chore: keyof typeof last, ms: number) => {
    if (performance.now() - last[chore] < ms) return false;
    last[chore] = performance.now();
    return true;
  };
  const claimIf = (chore: () => Promise<boolean>) =>
    run(async () => {
      if (await chore()) await chores.claim();
    });

  function beat(): void {
    run(chores.beat);
    claimIf(chores.lookAtFiles);
    if (isTime("tables", settings.PLATFORM_TABLE_LOOK_SECONDS * secondMs) || chores.tablesAreDue()) {
      claimIf(chores.lookAtTables);
    }
    if (store.engine.exclusive) run(chores.claim);
    else lookIn(0);
    if (isTime("recovered", recoverMs)) claimIf(async () => (await chores.recover()) > 0);
    if (isTime("pruned", pruneMs)) run(chores.prune);
  }

  store.onEvents(() => lookIn(gatherMs));
  run(async () => {
    await chores.recover().catch(onError);
    await look();
  });
  const beats = setInterval(beat, secondMs).unref();
  return () => {
    stopped = true;
    clearTimeout(timer);
    clearInterval(beats);
  };
}
