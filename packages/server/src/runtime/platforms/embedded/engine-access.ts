import { DataProblem, type Engine } from "@lakehelm/engine";
import type { TraceRequest } from "./traced-engine.ts";

/**
 * The engine while this server is the lease holder of the data folder; otherwise requests fail with a retryable error.
 */
export interface LeasedEngine extends Engine {
  /** The lease is held: the engine may be started. */
  allow(): void;
  /** The lease is lost: ends the engine, and with it all its work. */
  forbid(): Promise<void>;
}

export function createEngineAccess(
  make: () => Engine,
  trace?: TraceRequest,
  /** Called for a request that another server should have received. */
  onRefused: (kind: string) => void = () => undefined,
): LeasedEngine {
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
        onRefused(kind);
        throw new DataProblem("This server does not hold the data folder at the moment.", {
          retryable: true,
        });
      }
      const running = engine;
      if (!trace) return running.request(kind, body, options);
      return trace(kind, (listeners) => running.request(kind, body, { ...options, ...listeners }));
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
