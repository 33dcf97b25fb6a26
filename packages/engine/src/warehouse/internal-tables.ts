import { internalSchema, sqlName } from "./names.ts";

const internalTable = (catalog: string, table: string): string =>
  sqlName({ catalog, schema: internalSchema, table });

/** How often each table has changed, and at which of these versions rows of it were last changed or removed. */
export const versionsTable = (catalog: string): string => internalTable(catalog, "versions");
/** How far each dataset has come: what came in, and what was sent to targets that keep no mark of their own. */
export const checkpointsTable = (catalog: string): string => internalTable(catalog, "marks");
export const rejectsTable = (catalog: string): string => internalTable(catalog, "rejects");
/** What was sent to a target that cannot be read back: a hash for each row. */
export const sentRowsTable = (catalog: string): string => internalTable(catalog, "sent");
/** What is being sent to such a target, from before its first row until the mark is written. */
export const pendingSendsTable = (catalog: string): string => internalTable(catalog, "sending");
/** Tags of tables and, where a column is named, of columns. */
export const tagsTable = (catalog: string): string => internalTable(catalog, "tags");

/** Which tables are a pipeline's own, and what they are. */
export const datasetsTable = (catalog: string): string => internalTable(catalog, "datasets");
/** How far each flow of a pipeline has come in each table that it reads as a stream: its last row, and the table's version. */
export const streamCheckpointsTable = (catalog: string): string => internalTable(catalog, "streams");
/** What an update or a script has committed: it is not done twice. */
export const completedWorkTable = (catalog: string): string => internalTable(catalog, "done");

/** Every catalog has them: they change in the transactions that change its tables, and DuckDB's reach one file only. */
export const internalTables = (catalog: string): readonly string[] => [
  `${versionsTable(catalog)} ("schema" VARCHAR, "table" VARCHAR, version BIGINT, changed_at TIMESTAMPTZ, rewritten BIGINT)`,
  `${checkpointsTable(catalog)} (stream VARCHAR, value VARCHAR, written_at VARCHAR, run VARCHAR)`,
  `${rejectsTable(catalog)} (id UUID DEFAULT uuidv7(), stream VARCHAR, key VARCHAR, reason VARCHAR, "row" VARCHAR, run VARCHAR, rejected_at VARCHAR)`,
  `${sentRowsTable(catalog)} (stream VARCHAR, hash UBIGINT)`,
  `${pendingSendsTable(catalog)} (stream VARCHAR, content VARCHAR, id VARCHAR)`,
  `${tagsTable(catalog)} ("schema" VARCHAR, "table" VARCHAR, "column" VARCHAR, key VARCHAR, value VARCHAR)`,
  `${datasetsTable(catalog)} ("schema" VARCHAR, "table" VARCHAR, pipeline VARCHAR, kind VARCHAR, properties VARCHAR, definition VARCHAR)`,
  `${streamCheckpointsTable(catalog)} (pipeline VARCHAR, dataset VARCHAR, flow VARCHAR, source VARCHAR, "row" BIGINT, version BIGINT)`,
  `${completedWorkTable(catalog)} (owner VARCHAR, mark VARCHAR, part VARCHAR, answer VARCHAR, done_at TIMESTAMPTZ)`,
];

/** Columns that these tables did not have in earlier releases. Nobody knows what happened before: nothing was read as a stream. */
export const migrations = (catalog: string): readonly string[] => [
  `ALTER TABLE ${versionsTable(catalog)} ADD COLUMN IF NOT EXISTS rewritten BIGINT`,
  `UPDATE ${versionsTable(catalog)} SET rewritten = version WHERE rewritten IS NULL`,
];
