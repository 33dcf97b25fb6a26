import type { EgressRules } from "../egress/egress.ts";
import type { LogLevel } from "../protocol/engine.ts";
import type { FolderAccess } from "../protocol/files/folder-access.ts";
import type { Warehouse } from "./warehouse.ts";

/** What a request handler can use besides the request. */
export interface RequestContext {
  /** The warehouse of an environment, opened or created on first use. */
  warehouse(environment: string): Promise<Warehouse>;
  /** Does the work while nothing commits in the warehouse of an environment and nothing opens it. */
  holdCommits(environment: string, work: () => Promise<void>): Promise<void>;
  /** Stops all work in the warehouse of an environment and deletes its folder. */
  drop(environment: string): Promise<void>;
  /** Aborted when the request is cancelled. If the handler does not stop then, its process is killed. */
  readonly signal: AbortSignal;
  /** Adds a line to the run's log. */
  log(level: LogLevel, text: string): void;
  /** Reports progress. A later value replaces an earlier one of the same name. */
  progress(values: Readonly<Record<string, unknown>>): void;
  /** A named step, such as `staged`, at which a test can kill the process. */
  crashPoint(name: string): void;
  /** Where connectors may read and write files. */
  readonly folders: FolderAccess;
  /** Where connectors may connect to. */
  readonly egress: EgressRules;
  /** RFC 3339, in UTC. */
  now(): string;
}
