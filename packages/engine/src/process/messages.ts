import type { SourceLocation } from "@lakehelm/sql";
import type { EgressRules } from "../egress/egress.ts";
import type { LogLevel, RequestTiming } from "../protocol/engine.ts";
import type { FolderAccess } from "../protocol/files/folder-access.ts";
import type { RequestKind } from "../protocol/requests.ts";
import type { WarehouseOptions } from "../warehouse/warehouse.ts";

/** Messages from the server to the engine's process. */
export type ServerMessage =
  | {
      readonly type: "request";
      readonly id: number;
      readonly kind: RequestKind;
      readonly body: unknown;
      readonly isTimed: boolean;
    }
  | { readonly type: "cancel"; readonly id: number }
  | { readonly type: "memory"; readonly id: number }
  | { readonly type: "ownPorts"; readonly ports: readonly number[] }
  | { readonly type: "stop" };

/** Messages from the engine's process to the server. */
export type EngineMessage =
  | { readonly type: "result"; readonly id: number; readonly value: unknown }
  /** After a failure with `isLast`, the process ends itself. */
  | {
      readonly type: "failure";
      readonly id: number;
      readonly failure: EngineFailure;
      readonly isLast: boolean;
    }
  | { readonly type: "log"; readonly id: number; readonly level: LogLevel; readonly text: string }
  | { readonly type: "timing"; readonly id: number; readonly timing: RequestTiming }
  | { readonly type: "progress"; readonly id: number; readonly values: Readonly<Record<string, unknown>> };

/** An error as plain values, because messages between processes cannot carry classes. */
export type EngineFailure =
  | {
      readonly kind: "problem";
      readonly sentence: string;
      readonly retryable: boolean;
      readonly position: SourceLocation | undefined;
    }
  | { readonly kind: "cancelled" }
  /** There was no memory left, also for requests that need little. */
  | { readonly kind: "exhausted" }
  | { readonly kind: "fault"; readonly message: string; readonly stack: string };

/** The only command line argument of the process, as JSON. */
export interface EngineProcessOptions extends Omit<WarehouseOptions, "folder"> {
  /** Holds one folder per environment. */
  readonly folder: string;
  readonly folders: FolderAccess;
  readonly egress: Omit<EgressRules, "ownPorts"> & { readonly ownPorts: readonly number[] };
  /** The crash point at which the process kills itself. */
  readonly fault: string | undefined;
}
