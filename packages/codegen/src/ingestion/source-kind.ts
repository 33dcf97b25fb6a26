import type { Config, TableSettings } from "@lakehelm/contract/connections";
import type { TableName } from "@lakehelm/sql/names";
import type { Artifact } from "../artifact.ts";
import type { JobParameter } from "../bundle.ts";
import type { GenerationContext } from "../generation-context.ts";
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
  /** More about each table that the cells use: the keys of its entry in TABLES. */
  readonly entries?: readonly Readonly<Record<string, unknown>>[];
  /** Cells that define the function `ingest(table)`. */
  readonly cells: readonly CodeCell[];
  /** SQL statements that the cells run, each as sent to the engine. */
  readonly statements: readonly string[];
  /** Which way the code takes where there are several, and why: sentences without text of the request. */
  readonly choices?: readonly string[];
  /** Parameters of the job, other than catalog and schema. */
  readonly parameters?: readonly JobParameter[];
  /** Files beside the notebook. */
  readonly files?: readonly Artifact[];
  /** Whether another file needs the secrets, and the notebook none. */
  readonly secretsElsewhere?: boolean;
  /** The folder that can be watched for new files. */
  readonly folder: string | null;
  readonly problems: readonly string[];
}

export interface IngestionContext
  extends Pick<GenerationContext, "runtime" | "environment" | "mode" | "runAs" | "catalog"> {
  readonly connector: string;
  /** The folder of the connector's files. */
  readonly folder: string;
  /** The table with the connector's progress. */
  readonly stateSql: string;
  /** The volume for checkpoints. */
  readonly checkpoints: TableName;
  /** Whether the job has no cluster of its own. */
  readonly serverless: boolean;
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
