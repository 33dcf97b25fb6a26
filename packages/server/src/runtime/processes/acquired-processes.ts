import { setTimeout as pause } from "node:timers/promises";
import type { AcquiredProcess } from "../../core/processes.ts";

/** Counts the requests that a process works on. */
export interface Loans {
  lend(port: number): AcquiredProcess;
  /** When all have been given back, or when this time is over. */
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
