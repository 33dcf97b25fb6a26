import {
  dayOfMonth,
  dayOfWeek,
  type FieldKind,
  hour,
  minute,
  month,
  readField,
  second,
  type UnixField,
} from "./unix-field.ts";

/** A Unix cron expression as it was understood. */
export interface UnixCron {
  readonly second: UnixField;
  readonly minute: UnixField;
  readonly hour: UnixField;
  readonly dayOfMonth: UnixField;
  readonly month: UnixField;
  readonly dayOfWeek: UnixField;
}

/** Lists of every single value in all six fields take half of it. */
const longest = 1000;

/** Five fields, or six with seconds first. Every field with a mistake is named. */
export function readUnixCron(cron: string): UnixCron | { problem: string } {
  if (cron.length > longest) {
    return { problem: `The cron expression has ${cron.length} characters: expected at most ${longest}.` };
  }
  const parts = cron.split(/\p{White_Space}+/u).filter((part) => part !== "");
  if (parts.length !== 5 && parts.length !== 6) {
    return {
      problem:
        `The cron expression ${JSON.stringify(cron)} has ${parts.length === 1 ? "1 field" : `${parts.length} fields`}: ` +
        "expected five (minute, hour, day of month, month, day of week), or six with seconds first.",
    };
  }
  const [seconds = "", minutes = "", hours = "", days = "", monthsOfYear = "", daysOfWeek = ""] =
    parts.length === 5 ? ["0", ...parts] : parts;

  const problems: string[] = [];
  const read = (text: string, kind: FieldKind): UnixField => {
    const field = readField(text, kind);
    if (!("problem" in field)) return field;
    problems.push(field.problem);
    return { kind, text, terms: [] };
  };
  const understood: UnixCron = {
    second: read(seconds, second),
    minute: read(minutes, minute),
    hour: read(hours, hour),
    dayOfMonth: read(days, dayOfMonth),
    month: read(monthsOfYear, month),
    dayOfWeek: read(daysOfWeek, dayOfWeek),
  };
  return problems.length === 0
    ? understood
    : { problem: `The cron expression ${JSON.stringify(cron)} is wrong: ${problems.join(" ")}` };
}
