/** A mutex per key, first come, first served. Tasks of different keys run concurrently. */
export interface KeyedMutex {
  run<T>(name: string, task: () => Promise<T>): Promise<T>;
}

export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>();
  return {
    async run(name, task) {
      const before = last.get(name) ?? Promise.resolve();
      // A failure of the previous task is reported to its own caller.
      const mine = before.then(task, task);
      last.set(name, mine);
      try {
        return await mine;
      } finally {
        if (last.get(name) === mine) last.delete(name);
      }
    },
  };
}
