import { firingsBetween, type QuartzTimetable, readQuartz } from "./quartz.ts";
import type { ConvertedSchedule } from "./to-quartz.ts";
import { UnixFirings } from "./unix-firings.ts";

/** Goes from firing to firing, each time on to the next second, minute, … that has one. */
interface Walk {
  readonly from: number;
  readonly steps: number;
  /** The last second of the unit of time that an instant is in. */
  readonly endOf: (instant: number) => number;
}

const every = (unit: number) => (instant: number) => instant - (instant % unit) + unit - 1000;
const everyMonth = (instant: number) => {
  const date = new Date(instant);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) - 1000;
};

const newYear = Date.parse("2026-01-01T00:00:00Z");
const beforeLeapDay = Date.parse("2028-02-28T12:34:56Z");

/**
 * The next fifty firings, from two instants. As those of a schedule that fires every minute do not even leave the
 * hour, further walks come to every minute, hour, day and month in which it fires.
 */
const walks: readonly Walk[] = [
  { from: newYear, steps: 50, endOf: every(1000) },
  { from: beforeLeapDay, steps: 50, endOf: every(1000) },
  { from: newYear, steps: 60, endOf: every(60_000) },
  { from: newYear, steps: 24, endOf: every(3_600_000) },
  { from: newYear, steps: 31, endOf: every(86_400_000) },
  { from: newYear, steps: 12, endOf: everyMonth },
];

/** Quartz does not look much further ahead. */
const horizon = Date.parse("2099-12-31T23:59:59Z");

/**
 * Says where a Unix cron expression and the Quartz expression made from it part ways; undefined where they fire
 * alike. Each is read by an evaluator of its own, and both as wall clock in UTC: the time zone that is then laid
 * over the wall clock is the same for both.
 */
export function disagreement({ cron, quartz }: ConvertedSchedule): string | undefined {
  const read = readQuartz(quartz);
  if ("problem" in read) return read.problem;
  if (quartz.trim().split(/\s+/).length > 6) {
    return `The Quartz expression ${JSON.stringify(quartz)} names years, which a cron expression cannot.`;
  }
  let unix: UnixFirings;
  try {
    unix = new UnixFirings(cron);
  } catch (error) {
    return `The cron expression ${JSON.stringify(cron)} could not be checked: ${error instanceof Error ? error.message : error}`;
  }
  // Asked first: croner searches four hundred years for a day that never comes.
  if (quartzAfter(read.timetable, newYear) === undefined) {
    return `The Quartz expression ${JSON.stringify(quartz)} never fires before the year 2100.`;
  }
  for (const { from, steps, endOf } of walks) {
    let last = from;
    let end = from;
    for (let step = 0; step < steps; step += 1) {
      const firing = unix.after(end, last);
      const expected = firing > horizon ? undefined : firing;
      const actual = quartzAfter(read.timetable, end);
      if (expected !== actual) {
        return (
          `The cron expression ${JSON.stringify(cron)} and its Quartz expression ${JSON.stringify(quartz)} disagree: ` +
          `after ${shown(end)} the first fires ${when(expected)}, the second ${when(actual)}.`
        );
      }
      if (expected === undefined) break;
      last = expected;
      end = endOf(expected);
    }
  }
  return undefined;
}

function quartzAfter(timetable: QuartzTimetable, instant: number): number | undefined {
  return firingsBetween(timetable, instant, horizon).next().value ?? undefined;
}

const shown = (instant: number) => new Date(instant).toISOString().replace(".000", "");
const when = (instant: number | undefined) => (instant === undefined ? "no more" : `at ${shown(instant)}`);
