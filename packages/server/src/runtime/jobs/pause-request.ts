import type { ScheduleOverride } from "@lakehelm/contract";
import { has } from "@lakehelm/contract/schema";
import { conflict } from "../../core/errors.ts";
import type { ChangeContext } from "../../core/store/store.ts";

/** Our keys where something is paused: what is wrong with them is a rule's error, never a 422. */
export function readPause(body: unknown, context: ChangeContext): ScheduleOverride {
  const reason = sent(body, "reason");
  const until = sent(body, "until");
  if (until === null) return { paused: true, by: context.actor, at: context.time, reason, until };
  const time = new Date(isDateTime(until) ? until : Number.NaN);
  if (Number.isNaN(time.getTime())) {
    throw conflict("until must be a date-time such as 2026-03-01T12:00:00Z.");
  }
  if (time.toISOString() <= context.time) throw conflict("until must lie in the future.");
  return { paused: true, by: context.actor, at: context.time, reason, until: time.toISOString() };
}

/** Whether a body says something about a pause: one that does replaces a pause that is there. */
export const saysPause = (body: unknown): boolean =>
  sent(body, "reason") !== null || sent(body, "until") !== null;

function sent(body: unknown, key: string): string | null {
  const value = has(body, key) ? body[key] : undefined;
  if (value === undefined || value === null) return null;
  if (typeof value !== "string") throw conflict(`${key} must be a string or null.`);
  return value;
}

/** RFC 3339, with its offset: a time without one would mean another moment on another machine. */
const isDateTime = (text: string) =>
  /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/.test(text);
