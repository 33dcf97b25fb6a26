import {
  type CronField,
  type CronFieldKind,
  dayOfMonth,
  dayOfWeek,
  hour,
  minute,
  month,
  parseField,
  second,
} from "./cron-field.ts";

/** A Unix cron expression, parsed. */
export interface CronExpression {
  readonly second: CronField;
  readonly minute: CronField;
  readonly hour: CronField;
  readonly dayOfMonth: CronField;
  readonly month: CronField;
  readonly dayOfWeek: CronField;
}

/** Twice the length of an expression that lists every single value in all six fields. */
const maxLength = 1000;

/** The fields of an expression as written, without the white space between them. */
export const cronFields = (cron: string): readonly string[] =>
  cron.split(/\p{White_Space}+/u).filter((part) => part !== "");

/** Parses five fields, or six with seconds first. The problem names every invalid field. */
export function parseCron(cron: string): CronExpression | { problem: string } {
  if (cron.length > maxLength) {
    return { problem: `The cron expression has ${cron.length} characters: expected at most ${maxLength}.` };
  }
  const parts = cronFields(cron);
  if (parts.length !== 5 && parts.length !== 6) {
    return {
      problem:
        `The cron expression ${JSON.stringify(cron)} has ${parts.length === 1 ? "1 field" : `${parts.length} fields`}: ` +
        "expected five (minute, hour, day of month, month, day of week), or six with seconds first.",
    };
  }
  const [seconds = "", minutes = "", hours = "", days = "", months = "", weekdays = ""] =
    parts.length === 5 ? ["0", ...parts] : parts;

  const problems: string[] = [];
  const parse = (text: string, kind: CronFieldKind): CronField => {
    const field = parseField(text, kind);
    if (!("problem" in field)) return field;
    problems.push(field.problem);
    return { kind, text, terms: [] };
  };
  const expression: CronExpression = {
    second: parse(seconds, second),
    minute: parse(minutes, minute),
    hour: parse(hours, hour),
    dayOfMonth: parse(days, dayOfMonth),
    month: parse(months, month),
    dayOfWeek: parse(weekdays, dayOfWeek),
  };
  return problems.length === 0
    ? expression
    : { problem: `The cron expression ${JSON.stringify(cron)} is not valid: ${problems.join(" ")}` };
}

/** What is wrong with an expression, or undefined. */
export function cronProblem(cron: string): string | undefined {
  const read = parseCron(cron);
  return "problem" in read ? read.problem : undefined;
}
