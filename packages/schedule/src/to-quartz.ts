import { readUnixCron, type UnixCron } from "./unix-cron.ts";
import { months, type Term, type UnixField, valuesOf, weekdays } from "./unix-field.ts";

/** A schedule that was converted, with what it was converted from, so that the two can be compared. */
export interface ConvertedSchedule {
  readonly cron: string;
  readonly quartz: string;
  readonly timezone: string;
}

/**
 * A Unix cron expression as a Quartz expression of six fields that fires at the same times, or the reason why
 * there is none.
 */
export function toQuartz(cron: string): { quartz: string } | { problem: string } {
  const unix = readUnixCron(cron);
  if ("problem" in unix) return unix;
  const { dayOfMonth, dayOfWeek } = unix;
  if ((dayOfMonth.text === "?" || dayOfWeek.text === "?") && /\d/.test(dayOfWeek.text)) {
    return {
      problem: `The cron expression ${JSON.stringify(cron)} has a "?", as Quartz has it, and a weekday as a number ("${dayOfWeek.text}"), which cron and Quartz count differently. Expected names: ${weekdays.join(", ")}.`,
    };
  }
  const days = quartzDays(unix);
  if ("problem" in days) return { problem: `The cron expression ${JSON.stringify(cron)} ${days.problem}` };
  const time = [unix.second, unix.minute, unix.hour].map((field) => list(field, numbers));
  return { quartz: [...time, days.ofMonth, list(unix.month, monthText), days.ofWeek].join(" ") };
}

/** Quartz wants `?` in exactly one of the two day fields. */
function quartzDays(unix: UnixCron): { ofMonth: string; ofWeek: string } | { problem: string } {
  const { dayOfMonth, dayOfWeek } = unix;
  const everyDay = { ofMonth: "*", ofWeek: "?" };
  if (isOpen(dayOfWeek)) {
    if (isOpen(dayOfMonth)) return everyDay;
    return neverComes(unix) ?? { ofMonth: list(dayOfMonth, numbers), ofWeek: "?" };
  }
  if (isOpen(dayOfMonth)) {
    return isFull(dayOfWeek) ? everyDay : { ofMonth: "?", ofWeek: list(dayOfWeek, weekdayText) };
  }
  return isFull(dayOfMonth) && isFull(dayOfWeek) ? everyDay : { problem: bothDays(unix) };
}

/** Only a bare star: of `1-31` or a star with a step beside a weekday, crons disagree whether it restricts. */
const isOpen = ({ text }: UnixField) => text === "*" || text === "?";

const isFull = ({ kind, terms }: UnixField) =>
  new Set(terms.flatMap(valuesOf).map((value) => value % kind.size)).size === kind.size;

function bothDays({ second, minute, hour, dayOfMonth, month, dayOfWeek }: UnixCron): string {
  const time = [...(second.text === "0" ? [] : [second.text]), minute.text, hour.text];
  const cron = (ofMonth: string, ofWeek: string) => `"${[...time, ofMonth, month.text, ofWeek].join(" ")}"`;
  return (
    `restricts the day of month ("${dayOfMonth.text}") and the day of week ("${dayOfWeek.text}"): Unix cron fires ` +
    "when either matches, which one Quartz expression cannot say. Put * into one of them, or make two schedules, " +
    `${cron(dayOfMonth.text, "*")} and ${cron("*", dayOfWeek.text)}.`
  );
}

const lengthOfMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Quartz refuses a trigger that never fires, and does so only when the job is deployed. */
function neverComes({ dayOfMonth, month }: UnixCron): { problem: string } | undefined {
  const earliest = Math.min(...dayOfMonth.terms.map(({ first }) => first));
  const longest = Math.max(...month.terms.flatMap(valuesOf).map((value) => lengthOfMonth[value - 1] ?? 0));
  if (earliest <= longest) return undefined;
  return {
    problem: `never fires: the month field ("${month.text}") leaves no month with a day ${earliest} (day of month field "${dayOfMonth.text}").`,
  };
}

function list({ terms }: UnixField, textOf: (term: Term) => string): string {
  const texts = terms.map(textOf);
  return texts.includes("*") ? "*" : [...new Set(texts)].join(",");
}

function numbers({ shape, first, last, step }: Term): string {
  // One value left: also the steps of 60 minutes or 24 hours, which Quartz refuses.
  if (first + step > last) return `${first}`;
  if (step === 1) return shape === "star" ? "*" : `${first}-${last}`;
  if (shape === "star") return `*/${step}`;
  return shape === "open" ? `${first}/${step}` : `${first}-${last}/${step}`;
}

/** Quartz ignores a step after names, and cannot read a range that mixes them with numbers. */
function monthText(term: Term): string {
  if (!term.named || term.step > 1) return numbers(term);
  const name = (value: number) => months[value - 1];
  return term.first === term.last ? `${name(term.first)}` : `${name(term.first)}-${name(term.last)}`;
}

/** Always names: Quartz counts from Sunday = 1. A range up to 7 goes around, FRI-SUN, as Quartz allows. */
function weekdayText(term: Term): string {
  const names = [...new Set(valuesOf(term).map((value) => weekdays[value % 7]))];
  return term.step === 1 && names.length > 1 ? `${names[0]}-${names.at(-1)}` : names.join(",");
}
