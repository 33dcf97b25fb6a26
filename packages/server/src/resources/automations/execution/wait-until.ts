import type { System } from "../../../core/system.ts";

/** Short enough to notice when the clock is set, or moved by a test. */
const pollMs = 200;

/** Resolves at the given time; throws the signal's reason if it is aborted first. */
export function waitUntil(system: Pick<System, "now">, timeMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const check = () => {
      const left = timeMs - system.now().getTime();
      if (left > 0) {
        timer = setTimeout(check, Math.min(left, pollMs));
        return;
      }
      signal.removeEventListener("abort", stop);
      resolve();
    };
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    check();
  });
}
