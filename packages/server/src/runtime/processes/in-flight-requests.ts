import { setTimeout as pause } from "node:timers/promises";
import type { AcquiredProcess } from "../../core/processes.ts";

/** Counts the requests that a process is handling. */
export interface InFlightRequests {
  acquire(port: number): AcquiredProcess;
  /** Resolves when all requests are released, or after `withinMs`. */
  drained(withinMs: number): Promise<void>;
}

export function createInFlightRequests(): InFlightRequests {
  let count = 0;
  let onDrained = () => {};
  return {
    acquire(port) {
      count += 1;
      let isReleased = false;
      return {
        port,
        release() {
          if (isReleased) return;
          isReleased = true;
          count -= 1;
          if (count === 0) onDrained();
        },
      };
    },
    async drained(withinMs) {
      if (count === 0) return;
      const none = new AbortController();
      onDrained = () => none.abort();
      await pause(withinMs, undefined, { signal: none.signal, ref: false }).catch(() => {});
    },
  };
}
