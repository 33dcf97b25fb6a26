import type { SqlParser } from "../parser/sql-parser.ts";
import type { Streamability } from "./streams/streamability.ts";
import type { TableCatalog } from "./table-catalog.ts";

/** What a dataset or statement is read with when its turn comes. */
export interface AnalysisContext {
  readonly parser: SqlParser;
  /** What is there by then; what it makes is added to it. */
  readonly catalog: TableCatalog;
  streamability(table: string): Streamability;
}
