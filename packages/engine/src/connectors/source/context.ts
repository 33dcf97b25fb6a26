import type { Warehouse } from "../../warehouse/warehouse.ts";

/** What a source gets for one run, besides its config. */
export interface SourceContext {
  readonly signal: AbortSignal;
  /** Opens an external DuckDB, which may open the source's files. The caller must close it. */
  openExternal(): ReturnType<Warehouse["openExternal"]>;
}
