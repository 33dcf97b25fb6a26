import { DataProblem, type Engine } from "@lakehelm/engine";

/**
 * The engine while this server is the lease holder of the data folder; otherwise requests fail with a retryable error.
 */
export interface LeasedEngine extends Engine {
  /** The lease is held: the engine may be started. */
  allow(): void;
  /** The lease is lost: ends the engine, and with it all its work. */
  forbid(): Promise<void>;
}

export function createEngineAccess(make: () => Engine): LeasedEngine {
  let engine: Engine | undefined;
  return {
    allow() {
      engine ??= make();
    },
    async forbid() {
      const last = engine;
      engine = undefined;
      await last?.stop();
    },
    async request(kind, body, options) {
      if (!engine) {
        throw new DataProblem("This server does not hold the data folder at the moment.", {
          retryable: true,
        });
      }
      return engine.request(kind, body, options);
    },
    ownPortsChanged: () => engine?.ownPortsChanged(),
    get pid() {
      return engine?.pid;
    },
    memory: async () => engine?.memory() ?? 0,
    async stop() {
      await this.forbid();
    },
  };
}
