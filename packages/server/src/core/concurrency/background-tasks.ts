/** Tasks that no caller waits for, except at shutdown. */
export interface Background {
  run(work: () => Promise<unknown>): void;
  /** Resolves when no task is running, or after `waitMs`. */
  idle(waitMs: number): Promise<void>;
}

export function createBackground(onError: (error: unknown) => void): Background {
  const running = new Set<Promise<unknown>>();
  return {
    run(work) {
      const done = work()
        .catch(onError)
        .finally(() => running.delete(done));
      running.add(done);
    },
    async idle(waitMs) {
      const timeout = Promise.withResolvers<void>();
      const timer = setTimeout(timeout.resolve, waitMs);
      await Promise.race([Promise.all(running), timeout.promise]);
      clearTimeout(timer);
    },
  };
}
