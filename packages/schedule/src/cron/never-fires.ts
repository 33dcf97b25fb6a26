import { type CronExpression, parseCron } from "./cron-expression.ts";
import { type CronField, valuesOf } from "./cron-field.ts";

const lengthOfMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Whether a day field is a bare star or `?`. Cron implementations disagree whether `1-31`, or a star with a step,
 * restricts the day in addition to a weekday.
 */
export const isOpen = ({ text }: CronField): boolean => text === "*" || text === "?";

/** Why an expression with open weekdays never fires, as the end of a sentence: no month has the day of the month. */
export function missingDay({ dayOfMonth, month }: CronExpression): string | undefined {
  const earliest = Math.min(...dayOfMonth.terms.map(({ first }) => first));
  const longest = Math.max(...month.terms.flatMap(valuesOf).map((value) => lengthOfMonth[value - 1] ?? 0));
  if (earliest <= longest) return undefined;
  return `never fires: the month field ("${month.text}") leaves no month with a day ${earliest} (day of month field "${dayOfMonth.text}").`;
}

/**
 * Why a valid expression never fires, from its fields alone. This takes microseconds; searching for a firing takes 100.
 */
export function neverFires(cron: string): string | undefined {
  const read = parseCron(cron);
  if ("problem" in read || !isOpen(read.dayOfWeek)) return undefined;
  const why = missingDay(read);
  return why === undefined ? undefined : `The cron expression ${JSON.stringify(cron)} ${why}`;
}
