/** A counting semaphore: runs at most this many tasks at once; others wait in FIFO order. */
export type Semaphore = <Result>(signal: AbortSignal, work: () => Promise<Result>) => Promise<Result>;

export function createSemaphore(most: number): Semaphore {
  const waiting: (() => void)[] = [];
  let working = 0;

  async function acquire(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (working < most) {
      working += 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const stop = () => {
      waiting.splice(waiting.indexOf(resolve), 1);
      reject(signal.reason);
    };
    waiting.push(resolve);
    signal.addEventListener("abort", stop, { once: true });
    await promise;
    signal.removeEventListener("abort", stop);
  }

  return async (signal, work) => {
    await acquire(signal);
    try {
      return await work();
    } finally {
      // The permit passes to the next waiter.
      const next = waiting.shift();
      if (next) next();
      else working -= 1;
    }
  };
}
