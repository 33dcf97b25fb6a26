import { setTimeout as pause } from "node:timers/promises";
import type { Dependencies } from "../../core/dependencies.ts";
import { createLease } from "../../core/store/leases.ts";

interface TurnsOptions {
  readonly owner: string;
  /** Reads the event log to its end; answers the last sequence. */
  readonly follow: () => Promise<number>;
  /** Does what is due; answers when something will be. */
  readonly look: () => Promise<Date | undefined>;
  /** Resolves when the log has something behind this sequence. */
  readonly next: (after: number, signal: AbortSignal) => Promise<void>;
  readonly onGained: () => void;
  readonly onError: (error: unknown) => void;
}

/** When to follow the log and to look for what is due, and whether this server is the one that does. */
export interface Turns {
  /** Now, as far as it is known without asking. */
  isOurs(): boolean;
  /** Takes it, or renews it, if nobody else has it. */
  claim(): Promise<boolean>;
  /** Looks again, without waiting for an event. */
  wake(): void;
  start(): void;
  /** Begins nothing any more; what is ours stays ours. */
  halt(): Promise<void>;
  /** Lets another server have it at once. */
  release(): Promise<void>;
}

const troubleMs = 5_000;
/** A clock that was set, or a machine that slept, is noticed within this time. */
const longestMs = 60_000;

/**
 * Servers that share a PostgreSQL take turns by a lease; with SQLite there is no other. In its turn a server sleeps until
 * the log goes on or the next message is due: where nothing waits, nothing is asked.
 */
export function createTurns(
  deps: Dependencies,
  { owner, follow, look, next, onGained, onError }: TurnsOptions,
): Turns {
  const { store, system, settings } = deps;
  const isAlone = store.engine.exclusive;
  const lease = createLease(deps, "chat", {
    owner,
    address: null,
    seconds: settings.PLATFORM_LEASE_SECONDS,
    gained,
    lost: () => turn?.abort(),
    onError,
  });
  let turn: AbortController | undefined;
  let nap: AbortController | undefined;
  let running: Promise<void> | undefined;
  let started = false;

  function gained(): void {
    onGained();
    begin();
  }

  function begin(): void {
    if (!started || (turn && !turn.signal.aborted)) return;
    turn = new AbortController();
    const { signal } = turn;
    const before = running;
    running = (async () => {
      await before;
      while (!signal.aborted) await round(signal);
    })();
  }

  async function round(signal: AbortSignal): Promise<void> {
    try {
      // Whoever wakes it from here on has something that it may not see.
      nap = new AbortController();
      // After a long sleep the lease is over, and nobody was there to notice.
      if (!(await claim())) return;
      const read = await follow();
      const due = await look();
      const ms = due ? Math.min(longestMs, Math.max(0, due.getTime() - system.now().getTime())) : undefined;
      const timer = ms === undefined ? undefined : setTimeout(wake, ms).unref();
      await next(read, AbortSignal.any([signal, nap.signal]));
      clearTimeout(timer);
    } catch (error) {
      if (signal.aborted) return;
      onError(error);
      await pause(troubleMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  const claim = async () => isAlone || lease.held() || lease.beat();

  function wake(): void {
    nap?.abort();
  }

  return {
    isOurs: () => isAlone || lease.held(),
    claim,
    wake,
    start() {
      started = true;
      if (isAlone) begin();
      else lease.start();
    },
    async halt() {
      started = false;
      turn?.abort();
      await running;
    },
    async release() {
      // A database that is gone keeps nobody from stopping: the lease then ends by itself.
      if (!isAlone) await lease.release().catch(onError);
    },
  };
}
