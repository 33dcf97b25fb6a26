import { Problem } from "../../core/errors.ts";

/** Runs a few tasks at once and queues the others; if the queue is full, the caller is asked to retry later. */
export interface WorkQueue {
  run<T>(task: () => Promise<T>): Promise<T>;
  isEmpty(): boolean;
}

/** Functions, not numbers: limits may change while a task waits. */
export interface WorkQueueLimits {
  atOnce(): number;
  room(): number;
  retryAfterSeconds(): number;
}

export function createWorkQueue({ atOnce, room, retryAfterSeconds }: WorkQueueLimits): WorkQueue {
  const waiting: { readonly enter: () => void; readonly refuse: (problem: Problem) => void }[] = [];
  let running = 0;

  function advance(): void {
    while (running < atOnce()) {
      const next = waiting.shift();
      if (!next) return;
      running += 1;
      next.enter();
    }
    for (const late of waiting.splice(room())) {
      const options = { retryAfterSeconds: retryAfterSeconds() };
      late.refuse(new Problem("tooMany", "Too many attempts are waiting. Try again later.", options));
    }
  }

  return {
    async run(task) {
      await new Promise<void>((enter, refuse) => {
        waiting.push({ enter, refuse });
        advance();
      });
      try {
        return await task();
      } finally {
        running -= 1;
        advance();
      }
    },
    isEmpty: () => running === 0 && waiting.length === 0,
  };
}
