/** Lets so many work at once; the others wait in the order in which they came. */
export type Turns = <Result>(signal: AbortSignal, work: () => Promise<Result>) => Promise<Result>;

export function createTurns(most: number): Turns {
  const waiting: (() => void)[] = [];
  let working = 0;

  async function myTurn(signal: AbortSignal): Promise<void> {
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
    await myTurn(signal);
    try {
      return await work();
    } finally {
      // The turn goes on to the next, if there is one.
      const next = waiting.shift();
      if (next) next();
      else working -= 1;
    }
  };
}
