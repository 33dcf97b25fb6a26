import type { SqlParser } from "../parser/sql-parser.ts";
import type { Streamability } from "./streams/streamability.ts";
import type { TableCatalog } from "./table-catalog.ts";

/** The inputs for the analysis of a dataset or statement. */
export interface AnalysisContext {
  readonly parser: SqlParser;
  /** The tables that exist at this point. The analysis adds its results. */
  readonly catalog: TableCatalog;
  streamability(table: string): Streamability;
}
