import type { Position } from "../protocol/problem.ts";
import type { RequestKind } from "../protocol/requests.ts";
import type { Folders } from "../transfer/connector-folders.ts";
import type { WarehouseOptions } from "../warehouse/warehouse.ts";

/** What the server tells the engine's process. */
export type ServerMessage =
  | { readonly say: "ask"; readonly id: number; readonly kind: RequestKind; readonly body: unknown }
  | { readonly say: "cancel"; readonly id: number }
  | { readonly say: "measure"; readonly id: number }
  | { readonly say: "stop" };

/** What the engine's process tells the server. */
export type EngineMessage =
  | { readonly say: "answer"; readonly id: number; readonly value: unknown }
  | { readonly say: "failure"; readonly id: number; readonly failure: EngineFailure }
  | { readonly say: "line"; readonly id: number; readonly level: LogLevel; readonly text: string }
  | { readonly say: "progress"; readonly id: number; readonly values: Readonly<Record<string, unknown>> };

export type LogLevel = "info" | "warn" | "error";

/** An error on its way between processes: classes do not survive it. */
export type EngineFailure =
  | {
      readonly kind: "problem";
      readonly sentence: string;
      readonly retryable: boolean;
      readonly position: Position | undefined;
    }
  | { readonly kind: "cancelled" }
  | { readonly kind: "fault"; readonly message: string; readonly stack: string };

/** What the process is started with: its one argument, as JSON. */
export interface EngineProcessOptions extends Omit<WarehouseOptions, "folder"> {
  /** Holds a folder for each environment. */
  readonly folder: string;
  /** Where connectors may read and write files. */
  readonly folders: Folders;
  /** The step at which it is to kill itself. */
  readonly fault: string | undefined;
}
