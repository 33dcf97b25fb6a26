import { setImmediate } from "node:timers/promises";

/**
 * For long work on the main thread: a call yields to other requests if the work has run for this long since the last
 * yield.
 */
export function turns(milliseconds = 20): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < milliseconds) return;
    await setImmediate();
    since = performance.now();
  };
}
