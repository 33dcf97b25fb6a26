import type { LogLevel } from "../process/messages.ts";
import type { EngineRequests, RequestKind } from "../protocol/requests.ts";
import type { Folders } from "../transfer/connector-folders.ts";
import type { Warehouse } from "./warehouse.ts";

/** What a handler has for one request. */
export interface RequestContext {
  /** The warehouse of an environment; it is opened, or made, at the first call. */
  warehouse(environment: string): Promise<Warehouse>;
  /** The environment is gone: nobody works in its warehouse any more, and its folder is removed. */
  drop(environment: string): Promise<void>;
  /** Aborted when nobody waits for the answer any more. A handler that does not end then is ended with its process. */
  readonly signal: AbortSignal;
  /** A line for the log of the run. */
  log(level: LogLevel, text: string): void;
  /** Numbers for whoever watches; later values replace earlier ones of the same name. */
  progress(values: Readonly<Record<string, unknown>>): void;
  /** Says how far the work is: `staged`. The process kills itself here where a test wants to know what is left then. */
  crashPoint(step: string): void;
  /** Where connectors may read and write files. */
  readonly folders: Folders;
  /** RFC 3339, in UTC. */
  now(): string;
}

export type RequestHandlers = {
  readonly [Kind in RequestKind]: (
    body: EngineRequests[Kind][0],
    handling: RequestContext,
  ) => Promise<EngineRequests[Kind][1]>;
};
