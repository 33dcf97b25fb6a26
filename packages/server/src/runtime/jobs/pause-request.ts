import type { ScheduleOverride } from "@lakehelm/contract";
import { has } from "@lakehelm/contract/schema";
import { conflict } from "../../core/errors.ts";
import type { ChangeContext } from "../../core/store/store.ts";

/** Our extension keys of a pause request: invalid values are a 409, never a 422. */
export function readPause(body: unknown, context: ChangeContext): ScheduleOverride {
  const reason = field(body, "reason");
  const until = field(body, "until");
  if (until === null) return { paused: true, by: context.actor, at: context.time, reason, until };
  const time = new Date(isDateTime(until) ? until : Number.NaN);
  if (Number.isNaN(time.getTime())) {
    throw conflict("until must be a date-time such as 2026-03-01T12:00:00Z.");
  }
  if (time.toISOString() <= context.time) throw conflict("until must be in the future.");
  return { paused: true, by: context.actor, at: context.time, reason, until: time.toISOString() };
}

/** The extension key `paused` of a request that creates something: the pause that it starts with. */
export function initialPause(paused: unknown, context: ChangeContext): ScheduleOverride | undefined {
  if (paused === undefined || paused === null || paused === false) return undefined;
  if (paused !== true) throw conflict("paused must be true or false.");
  return {
    paused: true,
    by: context.actor,
    at: context.time,
    reason: "It was created as paused.",
    until: null,
  };
}

/** Whether a body has pause settings: if so, it replaces an existing pause. */
export const hasPauseSettings = (body: unknown): boolean =>
  field(body, "reason") !== null || field(body, "until") !== null;

function field(body: unknown, key: string): string | null {
  const value = has(body, key) ? body[key] : undefined;
  if (value === undefined || value === null) return null;
  if (typeof value !== "string") throw conflict(`${key} must be a string or null.`);
  return value;
}

/** RFC 3339 with an offset: a time without one would depend on the machine. */
const isDateTime = (text: string) =>
  /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/.test(text);
