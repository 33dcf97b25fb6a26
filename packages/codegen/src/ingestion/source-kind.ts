import type { Config, TableSettings } from "@lakehelm/contract/connections";
import type { TableName } from "@lakehelm/sql/names";
import type { Artifact } from "../artifact.ts";
import type { JobParameter } from "../bundle.ts";
import type { GenerationContext } from "../generation-context.ts";
import type { CodeCell } from "../notebook.ts";

/** A table of the request, with its names as the notebook uses them. */
export interface IngestedTable extends TableSettings {
  /** The target's name in three parts, in SQL. */
  readonly targetSql: string;
  /** The first two parts of the target's name, in SQL. */
  readonly schemaSql: string;
  /** The request's field, for problems: `table_configs[0]`. */
  readonly field: string;
}

/** The parts of a notebook that one kind of source provides. */
export interface SourceCode {
  /** Imports in addition to those of every ingestion. */
  readonly imports: readonly string[];
  /** The source of each table, as the notebook names it. */
  readonly datasets: readonly string[];
  /** Further keys for each table's entry in TABLES, which the cells use. */
  readonly entries?: readonly Readonly<Record<string, unknown>>[];
  /** Cells that define the function `ingest(table)`. */
  readonly cells: readonly CodeCell[];
  /** SQL statements that the cells run, each as Spark receives it. */
  readonly statements: readonly string[];
  /** Which alternative the code uses, and why: sentences without text of the request. */
  readonly choices?: readonly string[];
  /** Parameters of the job, other than catalog and schema. */
  readonly parameters?: readonly JobParameter[];
  /** Files in addition to the notebook. */
  readonly files?: readonly Artifact[];
  /** Whether the secrets are used by another file, and not by the notebook. */
  readonly secretsElsewhere?: boolean;
  /** The folder that a trigger can watch for new files. */
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
