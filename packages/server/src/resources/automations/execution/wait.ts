import type { System } from "../../../core/system.ts";

/** Short enough for a test that moves the clock. */
const pollMs = 200;

/** Resolves after this many milliseconds, however the clock is set; throws the signal's reason if it is aborted first. */
export function waitFor(
  { monotonicMs }: Pick<System, "monotonicMs">,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  const end = monotonicMs() + ms;
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const check = () => {
      const left = end - monotonicMs();
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
