import { cronProblem } from "./cron/cron-expression.ts";
import { firingsOf } from "./firings-cache.ts";

/** The first firing after an instant, in milliseconds, or why there is none. */
export type FirstFiring = { readonly at: number } | { readonly problem: string };

/** The cached answer is valid for every instant from `from` up to the firing at `at`. */
interface CachedFiring {
  readonly from: number;
  readonly at: number;
}

/** This many answers take about 2 MB. */
const maxAnswers = 10_000;
const answers = new Map<string, CachedFiring>();

/**
 * The first firing of a cron expression after an instant, or a sentence that explains why it never fires. The first
 * call takes 100 µs. The answer is cached until that firing, because many jobs share a schedule.
 */
export function firstFiring(cron: string, timezone: string, after: number): FirstFiring {
  const key = `${timezone}\n${cron}`;
  const cached = answers.get(key);
  if (cached && cached.from <= after && after < cached.at) return cached;
  if (!isTimezone(timezone)) return { problem: `Unknown time zone ${JSON.stringify(timezone)}.` };
  const expression = JSON.stringify(cron);
  try {
    const at = firingsOf(cron, timezone).after(after);
    if (at === undefined)
      return { problem: `The cron expression ${expression} never fires: its day does not exist.` };
    return cache(key, { from: after, at });
  } catch (error) {
    const problem = cronProblem(cron);
    return {
      problem: problem ?? `The cron expression ${expression} is not valid: ${(error as Error).message}`,
    };
  }
}

/**
 * Why a cron expression never fires in a time zone. The reason does not depend on the time, so it is computed once, for
 * any time, and stays cached.
 */
export function firingProblem(cron: string, timezone: string): string | undefined {
  if (answers.has(`${timezone}\n${cron}`)) return undefined;
  const first = firstFiring(cron, timezone, 0);
  return "problem" in first ? first.problem : undefined;
}

/** Drops the oldest answer when the cache is full: a map keeps the order in which its keys were set. */
function cache(key: string, answer: CachedFiring): CachedFiring {
  answers.delete(key);
  const [oldest] = answers.keys();
  if (answers.size >= maxAnswers && oldest !== undefined) answers.delete(oldest);
  answers.set(key, answer);
  return answer;
}

function isTimezone(timezone: string): boolean {
  try {
    new Temporal.ZonedDateTime(0n, timezone);
    return true;
  } catch {
    return false;
  }
}
