import type { Config, TableSettings } from "@lakehelm/contract/connections";
import type { CodeCell } from "../notebook.ts";

/** A table of the request, with its names as the notebook uses them. */
export interface IngestedTable extends TableSettings {
  /** The target's three names, in SQL. */
  readonly targetSql: string;
  /** The first two of them. */
  readonly schemaSql: string;
  /** The field that problems name: `table_configs[0]`. */
  readonly field: string;
}

/** What one kind of source contributes to the notebook. */
export interface SourceCode {
  /** Imports other than those of every ingestion. */
  readonly imports: readonly string[];
  /** The source of each table, as the notebook names it. */
  readonly datasets: readonly string[];
  /** Cells that define the function `ingest(table)`. */
  readonly cells: readonly CodeCell[];
  /** SQL statements that the cells run, each as sent to the engine. */
  readonly statements: readonly string[];
  /** The folder that can be watched for new files. */
  readonly folder: string | null;
  readonly problems: readonly string[];
}

/** The table with the connector's progress. */
export interface IngestionContext {
  readonly stateSql: string;
}

export type SourceKind = (
  config: Config,
  tables: readonly IngestedTable[],
  context: IngestionContext,
) => SourceCode;

export const featuresOf = (tables: readonly IngestedTable[]) => ({
  strategies: (["append", "upsert", "replace"] as const).filter((strategy) =>
    tables.some((table) => table.strategy === strategy),
  ),
  watermarks: tables.some((table) => table.watermark !== null),
  leavesOut: tables.some((table) => table.leftOut.length > 0),
});
