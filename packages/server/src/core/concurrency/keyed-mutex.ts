/** One at a time for each name, in the order they came; different names do not wait for each other. */
export interface KeyedMutex {
  run<T>(name: string, task: () => Promise<T>): Promise<T>;
}

export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>();
  return {
    async run(name, task) {
      const before = last.get(name) ?? Promise.resolve();
      // How the one before ended is its own caller's concern.
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
