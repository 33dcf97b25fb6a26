import { UnixFirings } from "./unix-firings.ts";
import { type Stretch, stretchAt } from "./zone.ts";

/** Slots that have gone by: how many, and the last two of them. */
export interface Passed {
  readonly count: number;
  /** Counting stopped at the most that is counted; there are more. */
  readonly more: boolean;
  readonly last: number;
  readonly beforeLast: number | undefined;
}

/** Counting so many takes 40 ms. */
const mostCounted = 10_000;
const second = 1000;
const spans = [60, 3600, 86_400, 31 * 86_400].map((seconds) => seconds * second);

/**
 * When a cron expression fires in a time zone, in milliseconds. Where clocks are changed:
 *
 * - A schedule with hours of its own (`30 2 * * *`) is about the clock on the wall. A time that is left out fires
 *   once, at the first instant after the gap; a time that comes twice fires the first time.
 * - A schedule for every hour (`15 * * * *`) is about the time that goes by. It fires in both of two equal hours,
 *   and what falls into a gap fires as much later as the gap is long, which mostly is when it fires anyway.
 */
export class Firings {
  readonly #unix: UnixFirings;
  readonly #timezone: string;
  readonly #everyHour: boolean;
  #stretch: Stretch;

  /** Throws for what is no cron expression, or no time zone. */
  constructor(cron: string, timezone: string) {
    this.#unix = new UnixFirings(cron);
    this.#timezone = timezone;
    this.#everyHour = isEveryHour(cron);
    this.#stretch = stretchAt(timezone, 0);
  }

  /** The first firing after an instant, undefined where none follows. */
  after(instant: number): number | undefined {
    for (let at = instant; ; at = this.#stretch.end) {
      const firing = this.#within(this.#stretchOf(at), instant);
      if (firing === Number.POSITIVE_INFINITY) return undefined;
      if (firing < this.#stretch.end) return firing;
    }
  }

  next(instant: number, count: number): number[] {
    const firings: number[] = [];
    let at = this.after(instant);
    for (; at !== undefined && firings.length < count; at = this.after(at)) firings.push(at);
    return firings;
  }

  /** The firings from one of them, itself included, up to now. */
  through(first: number, now: number): Passed {
    let last = first;
    let beforeLast: number | undefined;
    for (let count = 1; count < mostCounted; count++) {
      const next = this.after(last);
      if (next === undefined || next > now) return { count, more: false, last, beforeLast };
      [beforeLast, last] = [last, next];
    }
    return { count: mostCounted, more: true, ...this.#lastUpTo(now, last) };
  }

  /** Not by walking on: a schedule for every second has 2.6 million firings a month. */
  #lastUpTo(now: number, known: number): { last: number; beforeLast: number } {
    let [beforeLast, last] = [known, known];
    for (const span of spans) {
      let next = this.after(Math.max(known, now - span));
      for (; next !== undefined && next <= now; next = this.after(next)) [beforeLast, last] = [last, next];
      if (last > known) break;
    }
    return { last, beforeLast };
  }

  #stretchOf(instant: number): Stretch {
    const { start, end } = this.#stretch;
    if (instant < start || instant >= end) this.#stretch = stretchAt(this.#timezone, instant);
    return this.#stretch;
  }

  /** The first firing after an instant that a stretch has; at its end or later where it has none. */
  #within({ start, offset, before }: Stretch, after: number): number {
    const from = Math.max(after, start - second);
    const regular = (wall: number) => this.#unix.after(wall) - offset;
    const isGap = offset > before;
    if (this.#everyHour) {
      const left = isGap ? this.#unix.after(from + before) : Number.POSITIVE_INFINITY;
      const delayed = left < start + offset ? left - before : Number.POSITIVE_INFINITY;
      return Math.min(regular(from + offset), delayed);
    }
    if (isGap && after < start && this.#unix.after(start + before - second) < start + offset) return start;
    const isSecondTime = offset < before;
    return regular(isSecondTime ? Math.max(from + offset, start + before - second) : from + offset);
  }
}

/** Whether the field of the hours leaves none out. */
function isEveryHour(cron: string): boolean {
  const fields = cron.trim().split(/\p{White_Space}+/u);
  const hours = fields[fields.length - 4] ?? "";
  return /^(?:\*|0-23)(?:\/1)?$/.test(hours);
}
