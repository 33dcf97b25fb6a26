/** Tasks that no caller waits for, except at shutdown. */
export interface Background {
  run(work: () => Promise<unknown>): void;
  /** Resolves when no task is running, or after this time. */
  settled(waitMs: number): Promise<void>;
}

export function createBackground(onError: (error: unknown) => void): Background {
  const goingOn = new Set<Promise<unknown>>();
  return {
    run(work) {
      const done = work()
        .catch(onError)
        .finally(() => goingOn.delete(done));
      goingOn.add(done);
    },
    async settled(waitMs) {
      const timeout = Promise.withResolvers<void>();
      const timer = setTimeout(timeout.resolve, waitMs);
      await Promise.race([Promise.all(goingOn), timeout.promise]);
      clearTimeout(timer);
    },
  };
}
