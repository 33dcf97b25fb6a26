import { Problem } from "../errors.ts";

export interface FairQueueLimits {
  /** Tasks at once, in total and for one owner. */
  readonly atOnce: number;
  readonly perOwner: number;
  /** Tasks that may wait, in total and for one owner. */
  readonly waiting: number;
  readonly waitingPerOwner: number;
  /** The longest wait. */
  readonly waitMs: number;
}

/** Runs tasks of several owners. Many tasks of one owner delay that owner and not the others. */
export interface FairQueue {
  run<Result>(owner: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
  usage(): QueueUsage;
}

/** The tasks that run and wait, the most that may do so, and how many were refused since the start. */
interface QueueUsage {
  readonly used: number;
  readonly limit: number;
  readonly refused: number;
}

interface Owner {
  running: number;
  readonly waiting: (() => void)[];
  /** The number of the last start of a task, over all owners. */
  lastStart: number;
}

/**
 * The next task belongs to the owner with the fewest running tasks; among equals, to the owner whose last start is the
 * longest ago. A new task is refused with 429 if too many tasks of its owner wait, and with 503 if too many tasks of
 * all owners wait. A task that has waited too long is refused with 429 if a task of its owner ran meanwhile, and with
 * 503 if none did.
 */
export function createFairQueue(subject: string, limits: FairQueueLimits): FairQueue {
  const owners = new Map<string, Owner>();
  let running = 0;
  let waiting = 0;
  let starts = 0;
  let refused = 0;

  function begin(owner: Owner): void {
    running += 1;
    owner.running += 1;
    starts += 1;
    owner.lastStart = starts;
  }

  function end(name: string, owner: Owner): void {
    running -= 1;
    owner.running -= 1;
    if (owner.running === 0 && owner.waiting.length === 0) owners.delete(name);
    startNext();
  }

  function startNext(): void {
    while (running < limits.atOnce) {
      let next: Owner | undefined;
      for (const owner of owners.values()) {
        if (owner.waiting.length === 0 || owner.running >= limits.perOwner) continue;
        if (!next || isBefore(owner, next)) next = owner;
      }
      if (!next) return;
      const start = next.waiting.shift();
      waiting -= 1;
      begin(next);
      start?.();
    }
  }

  function wait(owner: Owner, signal: AbortSignal): Promise<void> {
    if (owner.waiting.length >= limits.waitingPerOwner)
      throw busy("tooMany", `You have too many ${subject} at once. Try again when some have finished.`);
    if (waiting >= limits.waiting)
      throw busy("unavailable", `Too many ${subject} are waiting. Try again later.`);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (reason: unknown) => {
      const index = owner.waiting.indexOf(start);
      if (index < 0) return;
      owner.waiting.splice(index, 1);
      waiting -= 1;
      settle();
      reject(reason);
    };
    const stop = () => leave(signal.reason);
    const before = owner.lastStart;
    const timer = setTimeout(() => {
      const isOwnFault = owner.running > 0 || owner.lastStart > before;
      leave(
        isOwnFault
          ? busy("tooMany", `Your other ${subject} take too long. Try again when some have finished.`)
          : busy("unavailable", `The server is busy with other ${subject}. Try again later.`),
      );
    }, limits.waitMs).unref();
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    };
    const start = () => {
      settle();
      resolve();
    };
    signal.addEventListener("abort", stop, { once: true });
    owner.waiting.push(start);
    waiting += 1;
    return promise;
  }

  return {
    async run(name, signal, work) {
      signal.throwIfAborted();
      const owner = owners.get(name) ?? { running: 0, waiting: [], lastStart: 0 };
      owners.set(name, owner);
      if (running < limits.atOnce && owner.running < limits.perOwner && owner.waiting.length === 0)
        begin(owner);
      else {
        try {
          await wait(owner, signal);
        } catch (error) {
          if (error instanceof Problem) refused += 1;
          if (owner.running === 0 && owner.waiting.length === 0) owners.delete(name);
          throw error;
        }
      }
      try {
        return await work();
      } finally {
        end(name, owner);
      }
    },
    usage: () => ({ used: running + waiting, limit: limits.atOnce + limits.waiting, refused }),
  };
}

const isBefore = (left: Owner, right: Owner): boolean =>
  left.running === right.running ? left.lastStart < right.lastStart : left.running < right.running;

const busy = (kind: "tooMany" | "unavailable", sentence: string): Problem =>
  new Problem(kind, sentence, { retryAfterSeconds: 2 });
