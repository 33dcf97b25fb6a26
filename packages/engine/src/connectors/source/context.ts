import type { Config } from "@lakehelm/contract/connections";
import type { Warehouse } from "../../warehouse/warehouse.ts";

/** What a source works with, besides its config. */
export interface SourceContext {
  readonly signal: AbortSignal;
  /** Another DuckDB, which may open files of others. To be closed. */
  openExternal(): ReturnType<Warehouse["openExternal"]>;
}

export type ConnectorConfig = Config;
