/**
 * Runs a few credential exchanges at once. Clients take turns: a client with many attempts delays others by one each.
 */
export interface ExchangeSlots {
  /** `isKnown`: this client has logged in before, and goes before clients that have not. */
  run<T>(client: string, isKnown: boolean, exchange: () => Promise<T>): Promise<T>;
}

export function createExchangeSlots(atOnce: number): ExchangeSlots {
  const known = createTurns();
  const others = createTurns();
  let running = 0;

  function advance(): void {
    while (running < atOnce) {
      const enter = known.next() ?? others.next();
      if (!enter) return;
      running += 1;
      enter();
    }
  }

  return {
    async run(client, isKnown, exchange) {
      await new Promise<void>((enter) => {
        (isKnown ? known : others).add(client, enter);
        advance();
      });
      try {
        return await exchange();
      } finally {
        running -= 1;
        advance();
      }
    },
  };
}

type Enter = () => void;

function createTurns() {
  const byClient = new Map<string, Enter[]>();
  return {
    add(client: string, enter: Enter): void {
      const waiting = byClient.get(client);
      if (waiting) waiting.push(enter);
      else byClient.set(client, [enter]);
    },
    next(): Enter | undefined {
      const [turn] = byClient;
      if (!turn) return undefined;
      const [client, waiting] = turn;
      const enter = waiting.shift();
      // The client moves to the end: all other clients come before its next attempt.
      byClient.delete(client);
      if (waiting.length > 0) byClient.set(client, waiting);
      return enter;
    },
  };
}
