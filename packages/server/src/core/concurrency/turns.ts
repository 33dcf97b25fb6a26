import { setImmediate } from "node:timers/promises";

/** For long work on the main thread: each call lets other requests have a turn if the work has lasted this long since the last one. */
export function turns(milliseconds = 20): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < milliseconds) return;
    await setImmediate();
    since = performance.now();
  };
}
