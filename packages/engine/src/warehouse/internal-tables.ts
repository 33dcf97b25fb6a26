import { internalSchema, literal, sqlName, type TableName } from "./names.ts";

const internalTable = (catalog: string, table: string): string =>
  sqlName({ catalog, schema: internalSchema, table });

/** SQL: the rows of an internal table that are about a table of its catalog. */
export const isAbout = ({ schema, table }: TableName): string =>
  `"schema" = ${literal(schema)} AND "table" = ${literal(table)}`;

/** The version of each table, and the last version in which existing rows were changed or removed. */
export const versionsTable = (catalog: string): string => internalTable(catalog, "versions");
/** The checkpoint of each dataset: of ingests, and of deliveries to targets that cannot store their own. */
export const checkpointsTable = (catalog: string): string => internalTable(catalog, "marks");
/** The watermark column, keys and columns with which each dataset was last transferred. */
export const streamSettingsTable = (catalog: string): string => internalTable(catalog, "stream_settings");
/**
 * Columns whose type was set by hand to a type that does not hold every value of the earlier type. Imports keep the set
 * type.
 */
export const keptTypesTable = (catalog: string): string => internalTable(catalog, "kept_types");
/** For each dataset, the version and the number of rows of its table after the last run. */
export const writtenTablesTable = (catalog: string): string => internalTable(catalog, "written_tables");
/** The identities of the files that each dataset has read, if the time of a file is its watermark. */
export const readFilesTable = (catalog: string): string => internalTable(catalog, "read_files");
/** What was read of each file of a dataset that appends rows. */
export const fileContentsTable = (catalog: string): string => internalTable(catalog, "file_contents");
export const rejectsTable = (catalog: string): string => internalTable(catalog, "rejects");
/** A hash of each row that was sent to a write-only target. */
export const sentRows = (catalog: string): TableName => ({ catalog, schema: internalSchema, table: "sent" });
export const sentRowsTable = (catalog: string): string => sqlName(sentRows(catalog));
/** The current send to a write-only target, from before its first row until its checkpoint is written. */
export const pendingSendsTable = (catalog: string): string => internalTable(catalog, "sending");
/** The last commit of each dataset in its table on a cluster, as far as this server knows it. */
export const clusterCommitsTable = (catalog: string): string => internalTable(catalog, "cluster_commits");
/** The commit of each dataset that is being sent to a cluster, with what is recorded here once it is there. */
export const preparedCommitsTable = (catalog: string): string => internalTable(catalog, "prepared_commits");
/** Tags of tables, and of columns if a column is named. */
export const tagsTable = (catalog: string): string => internalTable(catalog, "tags");
/** The declared types of columns with lengths of texts that DuckDB does not check itself. */
export const textLengthsTable = (catalog: string): string => internalTable(catalog, "text_lengths");

/** The version of the flow that wrote each table last. */
export const flowTargetsTable = (catalog: string): string => internalTable(catalog, "flow_targets");

/** The tables that pipelines own. */
export const datasetsTable = (catalog: string): string => internalTable(catalog, "datasets");
/** The checkpoint of each pipeline flow in each table that it reads as a stream: the last row, and the table's version. */
export const streamCheckpointsTable = (catalog: string): string => internalTable(catalog, "streams");
/** Work that an update or a script has committed, so that it is not repeated. */
export const completedWorkTable = (catalog: string): string => internalTable(catalog, "done");

/**
 * Every catalog has its own internal tables, because they change in the same transactions as the catalog's tables, and a
 * DuckDB transaction can write to one file only.
 */
export const internalTables = (catalog: string): readonly string[] => [
  `${versionsTable(catalog)} ("schema" VARCHAR, "table" VARCHAR, version BIGINT, changed_at TIMESTAMPTZ, rewritten BIGINT, recreated BIGINT)`,
  `${checkpointsTable(catalog)} (stream VARCHAR, value VARCHAR, written_at VARCHAR, run VARCHAR)`,
  `${streamSettingsTable(catalog)} (stream VARCHAR, watermark VARCHAR, keys VARCHAR, columns VARCHAR)`,
  `${writtenTablesTable(catalog)} (stream VARCHAR, "schema" VARCHAR, "table" VARCHAR, version BIGINT, rows BIGINT)`,
  `${keptTypesTable(catalog)} ("schema" VARCHAR, "table" VARCHAR, "column" VARCHAR, had VARCHAR)`,
  `${readFilesTable(catalog)} (stream VARCHAR, file UBIGINT)`,
  `${fileContentsTable(catalog)} (stream VARCHAR, name VARCHAR, place VARCHAR, bytes BIGINT, digest VARCHAR, lines BIGINT)`,
  `${rejectsTable(catalog)} (id UUID DEFAULT uuidv7(), stream VARCHAR, key VARCHAR, reason VARCHAR, "row" VARCHAR, run VARCHAR, rejected_at VARCHAR)`,
  `${sentRowsTable(catalog)} (stream VARCHAR, hash UBIGINT)`,
  `${pendingSendsTable(catalog)} (stream VARCHAR, content VARCHAR, id VARCHAR)`,
  `${clusterCommitsTable(catalog)} (stream VARCHAR, number BIGINT, table_id VARCHAR, version BIGINT)`,
  `${preparedCommitsTable(catalog)} (stream VARCHAR, number BIGINT, attempt VARCHAR, settings VARCHAR, files UBIGINT[], contents VARCHAR)`,
  `${tagsTable(catalog)} ("schema" VARCHAR, "table" VARCHAR, "column" VARCHAR, key VARCHAR, value VARCHAR)`,
  `${textLengthsTable(catalog)} ("schema" VARCHAR, "table" VARCHAR, "column" VARCHAR, declared VARCHAR)`,
  `${flowTargetsTable(catalog)} ("schema" VARCHAR, "table" VARCHAR, shape VARCHAR)`,
  `${datasetsTable(catalog)} ("schema" VARCHAR, "table" VARCHAR, pipeline VARCHAR, kind VARCHAR, properties VARCHAR, definition VARCHAR)`,
  `${streamCheckpointsTable(catalog)} (pipeline VARCHAR, dataset VARCHAR, flow VARCHAR, source VARCHAR, "row" BIGINT, version BIGINT)`,
  `${completedWorkTable(catalog)} (owner VARCHAR, mark VARCHAR, part VARCHAR, answer VARCHAR, done_at TIMESTAMPTZ)`,
];

/**
 * Columns added in later releases. Nothing was read as a stream before `rewritten` existed, so its first value does not
 * matter.
 */
export const migrations = (catalog: string): readonly string[] => [
  `ALTER TABLE ${versionsTable(catalog)} ADD COLUMN IF NOT EXISTS rewritten BIGINT`,
  `ALTER TABLE ${versionsTable(catalog)} ADD COLUMN IF NOT EXISTS recreated BIGINT`,
  `ALTER TABLE ${streamSettingsTable(catalog)} ADD COLUMN IF NOT EXISTS columns VARCHAR`,
  `ALTER TABLE ${preparedCommitsTable(catalog)} ADD COLUMN IF NOT EXISTS contents VARCHAR`,
  `UPDATE ${versionsTable(catalog)} SET rewritten = version WHERE rewritten IS NULL`,
];
