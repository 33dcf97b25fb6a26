import { Firings } from "./firings.ts";

/** The first firing after an instant, in milliseconds, or why there is none. */
export type FirstFiring = { readonly at: number } | { readonly problem: string };

/** Between two firings the answer is the same for every instant: from the first one that was asked about. */
interface Answer {
  readonly from: number;
  readonly at: number;
}

/** About 2 MB. A croner object has 80 kB, so answers are kept and no croner objects. */
const mostAnswers = 10_000;
const answers = new Map<string, Answer>();

/**
 * When a cron expression fires first after an instant, or a sentence for its author that says why it never does. An answer
 * takes 100 µs the first time and is kept until the firing that it names: most schedules are shared by many jobs.
 */
export function firstFiring(cron: string, timezone: string, after: number): FirstFiring {
  const key = `${timezone}\n${cron}`;
  const known = answers.get(key);
  if (known && known.from <= after && after < known.at) return known;
  if (!isTimezone(timezone)) return { problem: `The time zone ${JSON.stringify(timezone)} is not known.` };
  const expression = `The cron expression ${JSON.stringify(cron)}`;
  try {
    const at = new Firings(cron, timezone).after(after);
    if (at === undefined) return { problem: `${expression} names a day that never comes.` };
    return keep(key, { from: after, at });
  } catch (error) {
    return { problem: `${expression} cannot be read: ${(error as Error).message}` };
  }
}

/** The oldest answer makes way: a map keeps the order in which its keys were set. */
function keep(key: string, answer: Answer): Answer {
  answers.delete(key);
  const [oldest] = answers.keys();
  if (answers.size >= mostAnswers && oldest !== undefined) answers.delete(oldest);
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
