import { setTimeout as pause } from "node:timers/promises";
import type { AcquiredProcess } from "../../core/processes.ts";

/** Counts the requests that a process is handling. */
export interface Loans {
  lend(port: number): AcquiredProcess;
  /** Resolves when all are released, or after this time. */
  returned(withinMs: number): Promise<void>;
}

export function createLoans(): Loans {
  let lent = 0;
  let whenNone = () => {};
  return {
    lend(port) {
      lent += 1;
      let isReturned = false;
      return {
        port,
        release() {
          if (isReturned) return;
          isReturned = true;
          lent -= 1;
          if (lent === 0) whenNone();
        },
      };
    },
    async returned(withinMs) {
      if (lent === 0) return;
      const none = new AbortController();
      whenNone = () => none.abort();
      await pause(withinMs, undefined, { signal: none.signal, ref: false }).catch(() => {});
    },
  };
}
