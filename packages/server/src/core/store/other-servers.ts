import type { Database } from "./database.ts";

/** Without a report of another server's commit, it is assumed after this time. */
const slowPollMs = 30_000;

type Written = Pick<Database, "written" | "others">;

/**
 * Whether something may have been written since the last call: what a poll would find. Each poll has its own. While
 * other servers' commits are not reported, the answer is always yes.
 */
export function createNews({ written, others }: Written, now: () => number = () => performance.now()) {
  let seen = -1;
  let askedAt = Number.NEGATIVE_INFINITY;
  return (): boolean => {
    const current = written();
    const isReported = !others || (others.isListening() && now() - askedAt < slowPollMs);
    if (current === seen && isReported) return false;
    seen = current;
    askedAt = now();
    return true;
  };
}
