import type { EgressRules } from "../egress/egress.ts";
import type { FolderAccess } from "./files/folder-access.ts";
import type { EngineLimits } from "./limits.ts";
import type { EngineRequests, RequestKind } from "./requests.ts";

export type LogLevel = "info" | "warn" | "error";

export interface EngineOptions {
  /** `<data folder>/warehouse`: it holds one folder per environment. */
  readonly folder: string;
  /** DuckDB's memory limit for each active environment. The process itself needs about 100 MB more. */
  readonly memoryMb: number;
  readonly threads: number;
  readonly limits?: Partial<EngineLimits>;
  /** How long to wait for another process to release the folder. A killed process holds it a moment longer. */
  readonly lockWaitMs?: number;
  /** Absent: connectors can use no files. */
  readonly folders?: FolderAccess;
  /** Where connectors may connect to. Absent: to public addresses only. */
  readonly egress?: Omit<EgressRules, "ownPorts"> & { readonly ownPorts: () => readonly number[] };
  readonly onLog: (line: string) => void;
  /** Called with the pid of each process before it gets its first request. */
  readonly onStart?: (pid: number) => Promise<void>;
  /** How long a cancelled request may keep running before its process is killed. */
  readonly graceMs?: number;
  /** For tests: the first process kills itself at the first crash point, the second at the second, later ones never. */
  readonly faults?: readonly string[];
}

/** When the process worked on a request, in milliseconds since 1970 with fractions, and the steps that it reached. */
export interface RequestTiming {
  readonly started: number;
  readonly ended: number;
  readonly steps: readonly (readonly [name: string, time: number])[];
}

export interface RequestListeners {
  readonly onLogLine?: ((level: LogLevel, text: string) => void) | undefined;
  readonly onProgress?: ((values: Readonly<Record<string, unknown>>) => void) | undefined;
  /** Called before the response, unless the process ends. */
  readonly onTiming?: ((timing: RequestTiming) => void) | undefined;
}

export interface RequestOptions extends RequestListeners {
  /** Aborting it stops the work. The promise is then rejected with the abort reason, once the work has stopped. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

export interface Engine {
  request<Kind extends RequestKind>(
    kind: Kind,
    body: EngineRequests[Kind][0],
    options?: RequestOptions,
  ): Promise<EngineRequests[Kind][1]>;
  /** The process id; undefined if no process is running. */
  readonly pid: number | undefined;
  /** Tells a running process the server's current ports. */
  ownPortsChanged(): void;
  /** Resident memory in bytes; 0 if no process is running. */
  memory(): Promise<number>;
  /** Closes the warehouses and ends the process. */
  stop(): Promise<void>;
}
