import type { Warehouse } from "../../warehouse/warehouse.ts";

/** What a source is given besides its config. */
export interface SourceContext {
  readonly signal: AbortSignal;
  /** Opens an external DuckDB, which may open files of others. The caller must close it. */
  openExternal(): ReturnType<Warehouse["openExternal"]>;
}
