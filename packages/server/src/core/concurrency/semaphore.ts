/** A counting semaphore: runs at most this many tasks at once; others wait in FIFO order. */
export type Semaphore = <Result>(signal: AbortSignal, work: () => Promise<Result>) => Promise<Result>;

interface Waiter {
  readonly signal: AbortSignal;
  start(): void;
  fail(reason: unknown): void;
}

export function createSemaphore(most: number): Semaphore {
  const waiting = new Set<Waiter>();
  /** One listener for all waiters of a signal: Node compares a new listener with each existing one. */
  const listeners = new Map<AbortSignal, { waiters: number; readonly onAbort: () => void }>();
  let working = 0;

  function listenTo(signal: AbortSignal) {
    const onAbort = () => {
      listeners.delete(signal);
      for (const one of waiting) {
        if (one.signal !== signal) continue;
        waiting.delete(one);
        one.fail(signal.reason);
      }
    };
    signal.addEventListener("abort", onAbort, { once: true });
    return { waiters: 0, onAbort };
  }

  async function acquire(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (working < most) {
      working += 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    waiting.add({ signal, start: resolve, fail: reject });
    listeners.getOrInsertComputed(signal, listenTo).waiters += 1;
    await promise;
  }

  /** The permit passes to the next waiter. */
  function release(): void {
    const [next] = waiting;
    if (!next) {
      working -= 1;
      return;
    }
    waiting.delete(next);
    const listener = listeners.get(next.signal);
    if (listener) listener.waiters -= 1;
    if (listener?.waiters === 0) {
      next.signal.removeEventListener("abort", listener.onAbort);
      listeners.delete(next.signal);
    }
    next.start();
  }

  return async (signal, work) => {
    await acquire(signal);
    try {
      return await work();
    } finally {
      release();
    }
  };
}
