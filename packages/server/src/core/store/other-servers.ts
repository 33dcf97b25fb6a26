import type { Database } from "./database.ts";

/** If no commit of another server is reported for this time, one is assumed. */
const slowPollMs = 30_000;

type Written = Pick<Database, "written" | "others">;

/**
 * Says whether something may have been written since the last call, so that a poll could find it. Each poller has its
 * own. While other servers' commits are not reported, the answer is always yes.
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
