import { cronFields } from "./cron/cron-expression.ts";
import { type OffsetPeriod, offsetPeriodAt } from "./offset-period.ts";
import { UtcFirings } from "./utc-firings.ts";

/** The number of firings up to now, and the last two of them. */
export interface ElapsedFirings {
  readonly count: number;
  /** Counting stopped at the limit; there are more. */
  readonly more: boolean;
  readonly last: number;
  readonly beforeLast: number | undefined;
}

/** Counting 10,000 firings takes 40 ms. */
const maxCounted = 10_000;
const second = 1000;
const spans = [60, 3600, 86_400, 31 * 86_400].map((seconds) => seconds * second);

/**
 * When a cron expression fires in a time zone, in milliseconds. Where the time zone's offset changes:
 *
 * - A schedule with specific hours (`30 2 * * *`) follows the wall clock. A local time that is skipped fires once, at the first
 *   instant after the gap; a local time that occurs twice fires the first time.
 * - A schedule for every hour (`15 * * * *`) follows elapsed time. It fires in both of two repeated hours; a firing in a gap is
 *   delayed by the length of the gap, which usually is when the schedule fires anyway.
 */
export class Firings {
  readonly #utc: UtcFirings;
  readonly #timezone: string;
  readonly #everyHour: boolean;
  #period: OffsetPeriod;

  /** Throws if the cron expression or the time zone is not valid. */
  constructor(cron: string, timezone: string) {
    this.#utc = new UtcFirings(cron);
    this.#timezone = timezone;
    this.#everyHour = isEveryHour(cron);
    this.#period = offsetPeriodAt(timezone, 0);
  }

  /** The first firing after an instant; undefined if there is none. */
  after(instant: number): number | undefined {
    for (let at = instant; ; at = this.#period.end) {
      const firing = this.#within(this.#periodAt(at), instant);
      if (firing === Number.POSITIVE_INFINITY) return undefined;
      if (firing < this.#period.end) return firing;
    }
  }

  next(instant: number, count: number): number[] {
    const firings: number[] = [];
    let at = this.after(instant);
    for (; at !== undefined && firings.length < count; at = this.after(at)) firings.push(at);
    return firings;
  }

  /** The firings from `first`, which is one of them, up to now. */
  elapsed(first: number, now: number): ElapsedFirings {
    let last = first;
    let beforeLast: number | undefined;
    for (let count = 1; count < maxCounted; count++) {
      const next = this.after(last);
      if (next === undefined || next > now) return { count, more: false, last, beforeLast };
      [beforeLast, last] = [last, next];
    }
    return { count: maxCounted, more: true, ...this.#lastUpTo(now, last) };
  }

  /** Searches back from now in growing spans, because a schedule for every second has 2.6 million firings a month. */
  #lastUpTo(now: number, known: number): { last: number; beforeLast: number } {
    let [beforeLast, last] = [known, known];
    for (const span of spans) {
      let next = this.after(Math.max(known, now - span));
      for (; next !== undefined && next <= now; next = this.after(next)) [beforeLast, last] = [last, next];
      if (last > known) break;
    }
    return { last, beforeLast };
  }

  #periodAt(instant: number): OffsetPeriod {
    const { start, end } = this.#period;
    if (instant < start || instant >= end) this.#period = offsetPeriodAt(this.#timezone, instant);
    return this.#period;
  }

  /** The first firing of a period after an instant; a value at or after the period's end if the period has none. */
  #within({ start, offset, previousOffset }: OffsetPeriod, after: number): number {
    const from = Math.max(after, start - second);
    const regular = (wall: number) => this.#utc.after(wall) - offset;
    const isGap = offset > previousOffset;
    if (this.#everyHour) {
      const skipped = isGap ? this.#utc.after(from + previousOffset) : Number.POSITIVE_INFINITY;
      const delayed = skipped < start + offset ? skipped - previousOffset : Number.POSITIVE_INFINITY;
      return Math.min(regular(from + offset), delayed);
    }
    if (isGap && after < start && this.#utc.after(start + previousOffset - second) < start + offset)
      return start;
    const isRepeated = offset < previousOffset;
    return regular(isRepeated ? Math.max(from + offset, start + previousOffset - second) : from + offset);
  }
}

/** Whether the hour field includes every hour. */
function isEveryHour(cron: string): boolean {
  const hours = cronFields(cron).at(-4) ?? "";
  return /^(?:\*|0-23)(?:\/1)?$/.test(hours);
}
