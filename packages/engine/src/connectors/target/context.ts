import type { Warehouse } from "../../warehouse/warehouse.ts";
import type { CheckpointStore } from "./checkpoint-store.ts";

/** What a target is given for one run. */
export interface TargetContext {
  readonly signal: AbortSignal;
  /** Whose rows they are, for targets that are told. */
  readonly connector: string;
  /** Another DuckDB, one that may open the files of the target. */
  openExternal(): ReturnType<Warehouse["openExternal"]>;
  readonly checkpoints: CheckpointStore;
  /** Where the warehouses are: no target may be in there. */
  readonly ownFolder: string;
}
