import { type CronExpression, parseCron } from "../cron/cron-expression.ts";
import { type CronField, type CronTerm, months, valuesOf, weekdays } from "../cron/cron-field.ts";
import { isOpen, missingDay } from "../cron/never-fires.ts";

/** A Quartz expression and the cron expression that it was converted from, so that the two can be compared. */
export interface QuartzSchedule {
  readonly cron: string;
  readonly quartz: string;
  readonly timezone: string;
}

/**
 * Converts a Unix cron expression to a Quartz expression of six fields that fires at the same times, or returns why
 * there is none.
 */
export function toQuartz(cron: string): { quartz: string } | { problem: string } {
  const unix = parseCron(cron);
  if ("problem" in unix) return unix;
  const { dayOfMonth, dayOfWeek } = unix;
  if ((dayOfMonth.text === "?" || dayOfWeek.text === "?") && /\d/.test(dayOfWeek.text)) {
    return {
      problem: `The cron expression ${JSON.stringify(cron)} has a "?", which is Quartz syntax, and a weekday as a number ("${dayOfWeek.text}"), which cron and Quartz count differently. Use names: ${weekdays.join(", ")}.`,
    };
  }
  const days = quartzDays(unix);
  if ("problem" in days) return { problem: `The cron expression ${JSON.stringify(cron)} ${days.problem}` };
  const time = [unix.second, unix.minute, unix.hour].map((field) => list(field, numbers));
  return { quartz: [...time, days.ofMonth, list(unix.month, monthText), days.ofWeek].join(" ") };
}

/** Quartz needs `?` in exactly one of the two day fields. */
function quartzDays(unix: CronExpression): { ofMonth: string; ofWeek: string } | { problem: string } {
  const { dayOfMonth, dayOfWeek } = unix;
  const everyDay = { ofMonth: "*", ofWeek: "?" };
  if (isOpen(dayOfWeek)) {
    if (isOpen(dayOfMonth)) return everyDay;
    // Quartz rejects a trigger that never fires, but only when the job is deployed.
    const never = missingDay(unix);
    return never === undefined ? { ofMonth: list(dayOfMonth, numbers), ofWeek: "?" } : { problem: never };
  }
  if (isOpen(dayOfMonth)) {
    return isFull(dayOfWeek) ? everyDay : { ofMonth: "?", ofWeek: list(dayOfWeek, weekdayText) };
  }
  return isFull(dayOfMonth) && isFull(dayOfWeek) ? everyDay : { problem: bothDays(unix) };
}

const isFull = ({ kind, terms }: CronField) =>
  new Set(terms.flatMap(valuesOf).map((value) => value % kind.size)).size === kind.size;

function bothDays({ second, minute, hour, dayOfMonth, month, dayOfWeek }: CronExpression): string {
  const time = [...(second.text === "0" ? [] : [second.text]), minute.text, hour.text];
  const cron = (ofMonth: string, ofWeek: string) => `"${[...time, ofMonth, month.text, ofWeek].join(" ")}"`;
  return (
    `restricts the day of month ("${dayOfMonth.text}") and the day of week ("${dayOfWeek.text}"): Unix cron fires ` +
    "when either matches, which one Quartz expression cannot express. Put * into one of them, or create two schedules, " +
    `${cron(dayOfMonth.text, "*")} and ${cron("*", dayOfWeek.text)}.`
  );
}

function list({ terms }: CronField, textOf: (term: CronTerm) => string): string {
  const texts = terms.map(textOf);
  return texts.includes("*") ? "*" : [...new Set(texts)].join(",");
}

function numbers({ shape, first, last, step }: CronTerm): string {
  // A single value. This also covers steps of 60 minutes or 24 hours, which Quartz rejects.
  if (first + step > last) return `${first}`;
  if (step === 1) return shape === "star" ? "*" : `${first}-${last}`;
  if (shape === "star") return `*/${step}`;
  return shape === "open" ? `${first}/${step}` : `${first}-${last}/${step}`;
}

/** Quartz ignores a step after names, and cannot read a range that mixes names and numbers. */
function monthText(term: CronTerm): string {
  if (!term.named || term.step > 1) return numbers(term);
  const name = (value: number) => months[value - 1];
  return term.first === term.last ? `${name(term.first)}` : `${name(term.first)}-${name(term.last)}`;
}

/**
 * Weekdays are always names, because Quartz numbers them from Sunday = 1. A range up to 7 wraps around (FRI-SUN), which
 * Quartz allows.
 */
function weekdayText(term: CronTerm): string {
  const names = [...new Set(valuesOf(term).map((value) => weekdays[value % 7]))];
  return term.step === 1 && names.length > 1 ? `${names[0]}-${names.at(-1)}` : names.join(",");
}
