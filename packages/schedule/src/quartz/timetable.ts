import { parseQuartzField, quartzFields } from "./quartz-field.ts";

/** The times at which a Quartz expression fires: the values of each field, ascending. */
export interface QuartzTimetable {
  readonly seconds: readonly number[];
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  /** Undefined stands for `?`: the other day field decides. */
  readonly daysOfMonth: ReadonlySet<number> | undefined;
  readonly months: ReadonlySet<number>;
  /** Sunday is 1. */
  readonly daysOfWeek: ReadonlySet<number> | undefined;
  readonly years: ReadonlySet<number>;
}

const ascending = (values: ReadonlySet<number>) => [...values].sort((a, b) => a - b);

/**
 * Parses a Quartz expression of six or seven fields. It shares no code with the conversion from Unix cron, so that it
 * can check the conversion. `L`, `W` and `#` are not supported.
 */
export function parseQuartz(expression: string): { timetable: QuartzTimetable } | { problem: string } {
  const wrong = (why: string) => ({ problem: `The Quartz expression ${JSON.stringify(expression)} ${why}` });
  const parts = expression.trim().split(/[ \t]+/);
  if (parts.length !== 6 && parts.length !== 7) {
    return wrong("has the wrong number of fields: expected six, seconds first, or seven with a year.");
  }
  if ((parts[3] === "?") === (parts[5] === "?")) {
    return wrong("must have ? in exactly one of day-of-month and day-of-week.");
  }
  const sets: (ReadonlySet<number> | undefined)[] = [];
  for (const [index, kind] of quartzFields.entries()) {
    const part = parts[index] ?? "*";
    if (part === "?" && (index === 3 || index === 5)) {
      sets.push(undefined);
      continue;
    }
    const values = parseQuartzField(part, kind);
    if (typeof values === "string") return wrong(`is not valid: ${values}`);
    sets.push(values);
  }
  const none = new Set<number>();
  const [seconds = none, minutes = none, hours = none, daysOfMonth, months = none, daysOfWeek, years = none] =
    sets;
  return {
    timetable: {
      seconds: ascending(seconds),
      minutes: ascending(minutes),
      hours: ascending(hours),
      daysOfMonth,
      months,
      daysOfWeek,
      years,
    },
  };
}

const aSecond = 1000;
const aMinute = 60 * aSecond;
const anHour = 60 * aMinute;
const aDay = 24 * anHour;

/** The firings after `from` and up to `until`, in milliseconds, with the wall clock in UTC. */
export function* firingsBetween(
  timetable: QuartzTimetable,
  from: number,
  until: number,
): Generator<number, void> {
  const { seconds, minutes, hours } = timetable;
  for (const day of matchingDays(timetable, from, until)) {
    for (const hour of hours) {
      const hourStart = day + hour * anHour;
      if (hourStart + anHour <= from) continue;
      for (const minute of minutes) {
        const minuteStart = hourStart + minute * aMinute;
        if (minuteStart + aMinute <= from) continue;
        for (const second of seconds) {
          const firing = minuteStart + second * aSecond;
          if (firing > until) return;
          if (firing > from) yield firing;
        }
      }
    }
  }
}

/** The starts of the days on which the expression fires. Months that do not match are skipped. */
function* matchingDays(timetable: QuartzTimetable, from: number, until: number): Generator<number, void> {
  const { daysOfMonth, months, daysOfWeek, years } = timetable;
  const start = new Date(from);
  let year = start.getUTCFullYear();
  let month = start.getUTCMonth();
  for (let monthStart = Date.UTC(year, month); monthStart <= until; ) {
    const nextMonth = Date.UTC(year, month + 1);
    if (years.has(year) && months.has(month + 1)) {
      for (let day = monthStart; day < nextMonth; day += aDay) {
        if (day + aDay <= from) continue;
        // 1 January 1970 was a Thursday, which has the number 5 in Quartz.
        const matches = daysOfMonth
          ? daysOfMonth.has((day - monthStart) / aDay + 1)
          : daysOfWeek?.has(((day / aDay + 4) % 7) + 1);
        if (matches) yield day;
      }
    }
    month = (month + 1) % 12;
    if (month === 0) year += 1;
    monthStart = nextMonth;
  }
}
