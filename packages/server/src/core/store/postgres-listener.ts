import pg from "pg";
import type { OtherServers } from "./database.ts";

export interface PostgresListener extends OtherServers {
  close(): Promise<void>;
}

interface ListenerOptions {
  /** The name that our own transactions send: their commits are not reported. */
  readonly ownName: string;
  /** The pause before a lost connection is opened again. */
  readonly retryMs: number;
}

/** The channel on which a transaction tells other servers that it has committed. */
export const channel = "lakehelm";

/**
 * One connection that listens for the commits of other servers. It reconnects for as long as it takes. Listeners are
 * also called after each connection, because a commit before it may have been missed.
 */
export function createPostgresListener(
  config: pg.ClientConfig,
  { ownName, retryMs }: ListenerOptions,
): PostgresListener {
  const listeners: (() => void)[] = [];
  let client: pg.Client | undefined;
  let isListening = false;
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;

  const report = () => {
    for (const listener of listeners) listener();
  };

  function lost(which: pg.Client): void {
    if (client !== which) return;
    client = undefined;
    isListening = false;
    which.end().catch(() => {});
    if (!isClosed) retry = setTimeout(() => void connect(), retryMs).unref();
  }

  async function connect(): Promise<void> {
    // With keep-alive, the operating system notices half-open connections.
    const fresh = new pg.Client({ ...config, keepAlive: true });
    client = fresh;
    fresh.on("error", () => lost(fresh));
    fresh.on("end", () => lost(fresh));
    fresh.on("notification", ({ payload }) => {
      if (payload !== ownName) report();
    });
    try {
      await fresh.connect();
      await fresh.query(`listen ${channel}`);
    } catch {
      return lost(fresh);
    }
    if (client !== fresh) return;
    isListening = true;
    report();
  }

  void connect();

  return {
    isListening: () => isListening,
    onWritten: (listener) => void listeners.push(listener),
    async close() {
      isClosed = true;
      clearTimeout(retry);
      const last = client;
      client = undefined;
      isListening = false;
      await last?.end().catch(() => {});
    },
  };
}
