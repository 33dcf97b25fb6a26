import type { PlatformRequest } from "../../platform-request.ts";

export interface LateCreateOptions {
  readonly now: () => Date;
  readonly onError: (error: unknown) => void;
  /** When to look for what a create without an answer made late. */
  readonly lookAgainMs?: readonly number[];
}

/**
 * A create without an answer may be carried out after the look for its mark. After a request that waited, or whose earlier
 * attempt had no answer, `look` is called again later to remove what it made.
 */
export function lookForLateCreates(
  { id }: Pick<PlatformRequest, "id">,
  look: () => Promise<void>,
  { now, onError, lookAgainMs = [60_000, 600_000] }: LateCreateOptions,
): void {
  if (now().getTime() - timeOf(id) <= 5_000) return;
  for (const ms of lookAgainMs) setTimeout(() => void look().catch(onError), ms).unref();
}

/** A request's id begins with the milliseconds at which it was made. */
const timeOf = (id: string): number => Number.parseInt(id.replace("-", "").slice(0, 12), 16);
