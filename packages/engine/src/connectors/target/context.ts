import type { Warehouse } from "../../warehouse/warehouse.ts";
import type { CheckpointStore } from "./checkpoint-store.ts";

/** What a target gets for one run, besides its config. */
export interface TargetContext {
  readonly signal: AbortSignal;
  /** The connector's id, for targets that record it. */
  readonly connector: string;
  /** Opens an external DuckDB, which can open these files and folders and no others. */
  openExternal(paths: readonly string[]): ReturnType<Warehouse["openExternal"]>;
  readonly checkpoints: CheckpointStore;
  /** The folder of the warehouses. No target may be in it. */
  readonly ownFolder: string;
}
