import { UtcFirings } from "../utc-firings.ts";
import type { QuartzSchedule } from "./conversion.ts";
import { firingsBetween, parseQuartz, type QuartzTimetable } from "./timetable.ts";

/** A walk over firings: each step goes to the next second, minute, … that has one. */
interface FiringWalk {
  readonly from: number;
  readonly steps: number;
  /** The last second of the time unit that contains an instant. */
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
 * The first walks visit the next fifty firings after two instants. For a schedule of every minute, these are within one
 * hour, so further walks visit every minute, hour, day and month in which it fires.
 */
const walks: readonly FiringWalk[] = [
  { from: newYear, steps: 50, endOf: every(1000) },
  { from: beforeLeapDay, steps: 50, endOf: every(1000) },
  { from: newYear, steps: 60, endOf: every(60_000) },
  { from: newYear, steps: 24, endOf: every(3_600_000) },
  { from: newYear, steps: 31, endOf: every(86_400_000) },
  { from: newYear, steps: 12, endOf: everyMonth },
];

/** Quartz searches for a firing until about this date. */
const horizon = Date.parse("2099-12-31T23:59:59Z");

/**
 * Describes the first difference between a cron expression and its Quartz expression; undefined if they fire at the
 * same times. Two independent evaluators read them, both with the wall clock in UTC, because the time zone applies
 * equally to both.
 */
export function quartzMismatch({ cron, quartz }: QuartzSchedule): string | undefined {
  const read = parseQuartz(quartz);
  if ("problem" in read) return read.problem;
  if (quartz.trim().split(/\s+/).length > 6) {
    return `The Quartz expression ${JSON.stringify(quartz)} has a year field, which a cron expression cannot have.`;
  }
  let utc: UtcFirings;
  try {
    utc = new UtcFirings(cron);
  } catch (error) {
    return `The cron expression ${JSON.stringify(cron)} could not be checked: ${error instanceof Error ? error.message : error}`;
  }
  // This is checked first, because croner searches 400 years for a day that does not exist.
  if (quartzAfter(read.timetable, newYear) === undefined) {
    return `The Quartz expression ${JSON.stringify(quartz)} never fires before the year 2100.`;
  }
  for (const { from, steps, endOf } of walks) {
    let last = from;
    let end = from;
    for (let step = 0; step < steps; step += 1) {
      const firing = utc.after(end, last);
      const expected = firing > horizon ? undefined : firing;
      const actual = quartzAfter(read.timetable, end);
      if (expected !== actual) {
        return (
          `The cron expression ${JSON.stringify(cron)} and its Quartz expression ${JSON.stringify(quartz)} differ: ` +
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
