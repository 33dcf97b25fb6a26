import { type PlatformOutcome, RequestInProgress } from "../../platform.ts";

/** Does what can be done now. Returns the outcome, or a text that says what the work waits for. */
export type Advance = () => Promise<PlatformOutcome | string>;

export interface ProgressClock {
  now(): number;
  sleep(ms: number): Promise<void>;
}

/** A caller waits this long: what is not ready by then takes minutes. */
const patienceMs = 3_000;
/** Starts take minutes in a workspace; after this time they count as failed. */
const longestMs = 40 * 60_000;

/**
 * Advances until there is an outcome. After a while the request is left to the outbox, which checks it again: the longer it
 * takes, the less often.
 */
export async function advanced(
  advance: Advance,
  { ageMs, clock }: { readonly ageMs: number; readonly clock: ProgressClock },
): Promise<PlatformOutcome> {
  const end = clock.now() + patienceMs;
  for (let pauseMs = 200; ; pauseMs = Math.min(pauseMs * 2, 2_000)) {
    const result = await advance();
    if (typeof result !== "string") return result;
    if (ageMs > longestMs) {
      const reason = `It did not get ready within ${longestMs / 60_000} minutes: ${result}`;
      return { done: false, reason };
    }
    if (clock.now() + pauseMs > end)
      throw new RequestInProgress(result, Math.min(Math.max(ageMs / 5, 3_000), 30_000));
    await clock.sleep(pauseMs);
  }
}
