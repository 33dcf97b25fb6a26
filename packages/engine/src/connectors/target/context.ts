import type { EgressRules } from "../../egress/egress.ts";
import type { ExternalAccess, Warehouse } from "../../warehouse/warehouse.ts";
import type { CheckpointStore } from "./checkpoint-store.ts";

/** What a target gets for one run, besides its config. */
export interface TargetContext {
  readonly signal: AbortSignal;
  /** Where the target may connect to. */
  readonly egress: EgressRules;
  /** See `SourceContext`. */
  resolvePath(path: string): Promise<string>;
  /** See `SourceContext`. */
  readonly temporaryFolder: string;
  readonly diskReserveMb: number;
  /** The connector's id, for targets that record it. */
  readonly connector: string;
  /** Opens an external DuckDB, which can open only what is named. */
  openExternal(access: ExternalAccess): ReturnType<Warehouse["openExternal"]>;
  readonly checkpoints: CheckpointStore;
}
