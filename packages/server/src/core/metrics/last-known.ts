import { setTimeout as pause } from "node:timers/promises";

/** A scrape does not wait longer for a database that is slow or down. */
const waitMs = 1000;

/**
 * Reads a value for metrics. If the read fails or takes too long, the last known value is the answer: a lost database
 * must not hide what was known before.
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
      // `lakehelm_database_up` reports this.
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
