import { setTimeout as pause } from "node:timers/promises";

/** A scrape does not wait longer for a database that is slow or down. */
const waitMs = 1000;

/**
 * Reads something for metrics. If that fails or takes too long, the answer is what was read last: a lost database must not
 * hide what was known before.
 */
export function lastKnown<Value, Args extends readonly unknown[]>(
  read: (...args: Args) => Promise<Value>,
): (...args: Args) => Promise<Value | undefined> {
  let known: Value | undefined;
  let reading: Promise<void> | undefined;

  async function refresh(args: Args): Promise<void> {
    try {
      known = await read(...args);
    } catch {
      // `lakehelm_database_up` says it.
    } finally {
      reading = undefined;
    }
  }

  return async (...args) => {
    reading ??= refresh(args);
    await Promise.race([reading, pause(waitMs, undefined, { ref: false })]);
    return known;
  };
}
