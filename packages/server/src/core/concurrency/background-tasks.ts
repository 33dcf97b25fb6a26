/** Work that nobody waits for, but for the one who stops it all. */
export interface Background {
  run(work: () => Promise<unknown>): void;
  /** Resolves when nothing goes on any more, or when this time is over. */
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
