import { setTimeout as pause } from "node:timers/promises";
import type { Dependencies } from "../../core/dependencies.ts";
import { createLease } from "../../core/store/leases.ts";

interface ChatLeaderOptions {
  readonly owner: string;
  /** Reads the event log to its end and returns the last sequence. */
  readonly follow: () => Promise<number>;
  /** After the log was read to its end. */
  readonly onFollowed: () => void;
  /** Resolves when the log has something after this sequence. */
  readonly next: (after: number, signal: AbortSignal) => Promise<void>;
  readonly onGained: () => void;
  readonly onError: (error: unknown) => void;
}

/** If several servers share a PostgreSQL database, only the lease holder turns events into deliveries. */
export interface ChatLeader {
  /** Takes or renews the lease if no other server has it. */
  claim(): Promise<boolean>;
  start(): void;
  /** Stops following, and releases the lease for another server. */
  stop(): Promise<void>;
}

const errorPauseMs = 5_000;

export function createChatLeader(
  deps: Dependencies,
  { owner, follow, onFollowed, next, onGained, onError }: ChatLeaderOptions,
): ChatLeader {
  const isAlone = deps.store.engine.exclusive;
  const lease = createLease(deps, "chat", {
    owner,
    address: null,
    seconds: deps.settings.PLATFORM_LEASE_SECONDS,
    gained() {
      onGained();
      begin();
    },
    lost: () => term?.abort(),
    onError,
  });
  let term: AbortController | undefined;
  let running: Promise<void> | undefined;
  let started = false;

  const claim = async () => isAlone || lease.held() || lease.beat();

  function begin(): void {
    if (!started || (term && !term.signal.aborted)) return;
    term = new AbortController();
    const { signal } = term;
    const before = running;
    running = (async () => {
      await before;
      while (!signal.aborted) await round(signal);
    })();
  }

  async function round(signal: AbortSignal): Promise<void> {
    try {
      // If the machine was suspended, the lease may have expired unnoticed.
      if (!(await claim())) return;
      const read = await follow();
      onFollowed();
      await next(read, signal);
    } catch (error) {
      if (signal.aborted) return;
      onError(error);
      await pause(errorPauseMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  return {
    claim,
    start() {
      started = true;
      if (isAlone) begin();
      else lease.start();
    },
    async stop() {
      started = false;
      term?.abort();
      await running;
      // An unreachable database must not prevent the server from stopping: the lease then expires.
      if (!isAlone) await lease.release().catch(onError);
    },
  };
}
