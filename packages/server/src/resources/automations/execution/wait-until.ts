import type { System } from "../../../core/system.ts";

/** Often enough for a clock that was set, or that a test moves. */
const lookMs = 200;

/** Resolves when a time has come; throws the signal's reason where that comes first. */
export function waitUntil(system: Pick<System, "now">, timeMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const look = () => {
      const left = timeMs - system.now().getTime();
      if (left > 0) {
        timer = setTimeout(look, Math.min(left, lookMs));
        return;
      }
      signal.removeEventListener("abort", stop);
      resolve();
    };
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    look();
  });
}
