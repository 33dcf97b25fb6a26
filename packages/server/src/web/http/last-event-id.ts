import { unreadable } from "../../core/errors.ts";

/**
 * The position after which a stream resumes: the header `Last-Event-ID`, which browsers send when they connect again.
 * Undefined if there is none. `what` names the position in the error.
 */
export function lastEventId(sent: string | undefined, what: string): number | undefined {
  if (sent === undefined || sent === "") return undefined;
  const position = /^\d{1,16}$/.test(sent) ? Number(sent) : Number.NaN;
  if (!Number.isSafeInteger(position)) throw unreadable(`Last-Event-ID must be ${what}.`);
  return position;
}
