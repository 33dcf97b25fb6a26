import { weekdays } from "../cron/cron-field.ts";
import { quartzMismatch } from "./equivalence.ts";

/**
 * Converts a Quartz expression to a Unix cron expression that fires at the same times, or returns why there is none.
 * The result is compared with the original, so a misread expression is a problem and not a wrong schedule.
 */
export function fromQuartz(quartz: string, timezone: string): { cron: string } | { problem: string } {
  const wrong = (why: string) => ({ problem: `The Quartz expression ${JSON.stringify(quartz)} ${why}` });
  if (quartz.length > 500) return { problem: "The Quartz expression has more than 500 characters." };
  const [second = "", minute = "", hour = "", ofMonth = "", month = "", ofWeek = "", year = "*", ...rest] =
    quartz.trim().split(/[ \t]+/);
  if (ofWeek === "" || rest.length > 0) return wrong("does not have six or seven fields.");
  if (year !== "*") return wrong("has a year, which Unix cron does not have.");
  const days = [ofMonth === "?" ? "*" : ofMonth, month, ofWeek === "?" ? "*" : namedWeekdays(ofWeek)];
  const cron = [...(second === "0" ? [] : [second]), minute, hour, ...days].join(" ");
  const mismatch = quartzMismatch({ cron, quartz, timezone });
  return mismatch === undefined ? { cron } : wrong("cannot be written as a Unix cron expression.");
}

/** Replaces weekday numbers by names, because Quartz counts from Sunday = 1. A number after a slash is a step. */
const namedWeekdays = (field: string): string =>
  field.replace(/(?<![/\d])[1-7](?!\d)/g, (digit) => weekdays[Number(digit) - 1] ?? digit);
