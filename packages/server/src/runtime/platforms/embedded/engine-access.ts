import { DataProblem, type Engine } from "@lakehelm/engine";

/** The engine while this server holds the data folder; whoever asks it otherwise is told to try again. */
export interface HeldEngine extends Engine {
  /** The folder is ours: the engine may be started. */
  allow(): void;
  /** It is not any more: the engine is ended, and with it all its work. */
  forbid(): Promise<void>;
}

export function createEngineAccess(make: () => Engine): HeldEngine {
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
    async request(kind, body, asking) {
      if (!engine) {
        throw new DataProblem("This server does not hold the data folder at the moment.", {
          retryable: true,
        });
      }
      return engine.request(kind, body, asking);
    },
    get pid() {
      return engine?.pid;
    },
    memory: async () => engine?.memory() ?? 0,
    async stop() {
      await this.forbid();
    },
  };
}
