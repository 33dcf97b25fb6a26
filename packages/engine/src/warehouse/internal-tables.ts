import { ownSchema, sqlName } from "./names.ts";

const own = (catalog: string, table: string): string => sqlName({ catalog, schema: ownSchema, table });

/** How often each table has changed, and at which of these versions rows of it were last changed or removed. */
export const versionsOf = (catalog: string): string => own(catalog, "versions");
/** How far each dataset has come: what came in, and what was sent to targets that keep no mark of their own. */
export const marksOf = (catalog: string): string => own(catalog, "marks");
export const rejectsOf = (catalog: string): string => own(catalog, "rejects");
/** What was sent to a target that cannot be read back: a hash for each row. */
export const sentOf = (catalog: string): string => own(catalog, "sent");
/** What is being sent to such a target, from before its first row until the mark is written. */
export const sendingOf = (catalog: string): string => own(catalog, "sending");
/** Tags of tables and, where a column is named, of columns. */
export const tagsOf = (catalog: string): string => own(catalog, "tags");

/** Which tables are a pipeline's own, and what they are. */
export const datasetsOf = (catalog: string): string => own(catalog, "datasets");
/** How far each flow of a pipeline has come in each table that it reads as a stream: its last row, and the table's version. */
export const streamsOf = (catalog: string): string => own(catalog, "streams");
/** What an update or a script has committed: it is not done twice. */
export const doneOf = (catalog: string): string => own(catalog, "done");

/** Every catalog has them: they change in the transactions that change its tables, and DuckDB's reach one file only. */
export const ownTables = (catalog: string): readonly string[] => [
  `${versionsOf(catalog)} ("schema" VARCHAR, "table" VARCHAR, version BIGINT, changed_at TIMESTAMPTZ, rewritten BIGINT)`,
  `${marksOf(catalog)} (stream VARCHAR, value VARCHAR, written_at VARCHAR, run VARCHAR)`,
  `${rejectsOf(catalog)} (id UUID DEFAULT uuidv7(), stream VARCHAR, key VARCHAR, reason VARCHAR, "row" VARCHAR, run VARCHAR, rejected_at VARCHAR)`,
  `${sentOf(catalog)} (stream VARCHAR, hash UBIGINT)`,
  `${sendingOf(catalog)} (stream VARCHAR, content VARCHAR, id VARCHAR)`,
  `${tagsOf(catalog)} ("schema" VARCHAR, "table" VARCHAR, "column" VARCHAR, key VARCHAR, value VARCHAR)`,
  `${datasetsOf(catalog)} ("schema" VARCHAR, "table" VARCHAR, pipeline VARCHAR, kind VARCHAR, properties VARCHAR, definition VARCHAR)`,
  `${streamsOf(catalog)} (pipeline VARCHAR, dataset VARCHAR, flow VARCHAR, source VARCHAR, "row" BIGINT, version BIGINT)`,
  `${doneOf(catalog)} (owner VARCHAR, mark VARCHAR, part VARCHAR, answer VARCHAR, done_at TIMESTAMPTZ)`,
];

/** Columns that these tables did not have in earlier releases. Nobody knows what happened before: nothing was read as a stream. */
export const laterColumns = (catalog: string): readonly string[] => [
  `ALTER TABLE ${versionsOf(catalog)} ADD COLUMN IF NOT EXISTS rewritten BIGINT`,
  `UPDATE ${versionsOf(catalog)} SET rewritten = version WHERE rewritten IS NULL`,
];
