import type { Warehouse } from "../../warehouse/warehouse.ts";

/** What a source gets for one run, besides its config. */
export interface SourceContext {
  readonly signal: AbortSignal;
  /** Opens an external DuckDB, which can open these files and folders and no others. The caller must close it. */
  openExternal(paths: readonly string[]): ReturnType<Warehouse["openExternal"]>;
}
