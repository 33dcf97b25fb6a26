import type { DuckDBConnection } from "@duckdb/node-api";
import { counted, verbFor } from "@lakehelm/contract/text";
import { shownRow } from "../connectors/source/refused-text.ts";
import { type WarehouseColumn, wireType } from "../protocol/column.ts";
import { DataProblem } from "../protocol/problem.ts";
import type { Dataset, Reject, StoredReject, TransferRequest } from "../protocol/transfer.ts";
import { rejectsTable } from "../warehouse/internal-tables.ts";
import { literal } from "../warehouse/names.ts";
import { countRows, keyText, rowText } from "../warehouse/relation.ts";
import { parseRow } from "../warehouse/row-json.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import type { TypeChange } from "./inferred-types.ts";

/** Temporary table with the rejects of a run, until it is known whether the run succeeds. */
export const pendingRejects = "rejected_now";

export async function createPendingRejects(connection: DuckDBConnection): Promise<void> {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${pendingRejects} (key VARCHAR, reason VARCHAR, "row" VARCHAR, cause VARCHAR)`,
  );
}

/** A temporary table with the locations of rows that will be rejected. Equal rows get the first location. */
const rowLocations = "rejected_from";

/** Records the locations of rows that will be rejected. */
export async function recordLocations(
  connection: DuckDBConnection,
  found: readonly { readonly row: string; readonly location: string }[],
): Promise<void> {
  await connection.run(`CREATE TEMP TABLE IF NOT EXISTS ${rowLocations} ("row" VARCHAR, location VARCHAR)`);
  for (let at = 0; at < found.length; at += 500) {
    const values = found
      .slice(at, at + 500)
      .map(({ row, location }) => `(${literal(row)}, ${literal(location)})`);
    await connection.run(`INSERT INTO ${rowLocations} VALUES ${values.join(", ")}`);
  }
}

/** Puts the location of the row before the reason of a rejected value, if the location is known. */
export async function nameLocations(connection: DuckDBConnection): Promise<void> {
  const known = await countRows(
    connection,
    `duckdb_tables() WHERE temporary AND table_name = '${rowLocations}'`,
  );
  if (known === 0) return;
  await connection.run(
    `UPDATE ${pendingRejects} AS rejected SET reason = found.location || ': ' || rejected.reason
     FROM (SELECT "row", first(location) AS location FROM ${rowLocations} GROUP BY "row") AS found
     WHERE rejected."row" = found."row" AND starts_with(rejected.reason, 'the column ')`,
  );
  await connection.run(`DROP TABLE ${rowLocations}`);
}

/** Rejects the rows of a relation for which the condition holds. */
export async function rejectWhere(
  connection: DuckDBConnection,
  relation: string,
  columns: readonly WarehouseColumn[],
  keys: readonly string[],
  condition: string,
  reason: string,
): Promise<number> {
  const inserted = await connection.run(
    `INSERT INTO ${pendingRejects} (key, reason, "row") SELECT ${keyText(keys)}, ${reason}, ${rowText(columns)} FROM ${relation} WHERE ${condition}`,
  );
  return inserted.rowsChanged;
}

export async function addRejects(
  connection: DuckDBConnection,
  rejects: readonly Reject[],
  keys: readonly string[],
): Promise<void> {
  for (let at = 0; at < rejects.length; at += 500) {
    const values = rejects.slice(at, at + 500).map((reject) => {
      const { reason, cause, row } = reject;
      const key = keyOfReject(reject, keys);
      return `(${key === null ? "NULL" : literal(key)}, ${literal(reason)}, ${literal(JSON.stringify(row, jsonValue))}, ${cause === undefined ? "NULL" : literal(cause)})`;
    });
    await connection.run(
      `INSERT INTO ${pendingRejects} (key, reason, "row", cause) VALUES ${values.join(", ")}`,
    );
  }
}

/** The key as `keyText` writes it; null without keys. */
export const keyOfReject = ({ row }: Reject, keys: readonly string[]): string | null =>
  keys.length === 0 ? null : JSON.stringify(keys.map((name) => textOf(row[name])));

const textOf = (value: unknown): string | null =>
  value === null || value === undefined
    ? null
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);

const jsonValue = (_: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value);

/**
 * Fails a run with too many rejects, because then the source or the configuration is wrong. Rejects that are already stored do not
 * count, because they come back with every run until they are fixed. A single reject is never too many unless the limit is
 * 0: in a run of two rows it would be half.
 */
export async function checkRejectShare(
  connection: DuckDBConnection,
  catalog: string,
  { id, maxRejectShare }: Pick<Dataset, "id" | "maxRejectShare">,
  /** Rows read, and rows rejected. Only the first rejects are in `pendingRejects`. */
  { read, rejected }: { readonly read: number; readonly rejected: number },
  typeChanges: readonly TypeChange[] = [],
): Promise<void> {
  const allowed = maxRejectShare === 0 ? 0 : Math.max(1, read * maxRejectShare);
  if (rejected <= allowed) return;
  const stored = `${rejectsTable(catalog)} WHERE stream = ${literal(id)}`;
  const identity = await rejectIdentity(connection, stored);
  const known = `${identity} IN (SELECT ${identity} FROM ${stored})`;
  const newRejects = rejected - (await countRows(connection, `${pendingRejects} WHERE ${known}`));
  if (newRejects <= allowed) return;
  const found = await connection.runAndReadAll(
    `SELECT coalesce(cause, ${causeOf("reason")}) AS cause, count(*) AS n FROM ${pendingRejects} GROUP BY ALL ORDER BY n DESC, 1 LIMIT 3`,
  );
  const reasons = found.getRowsJson().map(([reason, n]) => `${reason} (${n})`);
  const changes = typeChanges
    .filter(({ column }) =>
      reasons.some((reason) => reason.startsWith(`the column ${JSON.stringify(column)}: `)),
    )
    .map(({ sentence }) => sentence);
  throw new DataProblem(
    `${newRejects} of ${counted(read, "row")} ${verbFor(newRejects, "was", "were")} rejected, more than the ${percent(maxRejectShare)} that max_reject_share allows. Nothing was written. Most frequent reasons: ${reasons.join("; ")}${changes.length > 0 ? `. ${changes.join("\n")}` : ""}`,
  );
}

/**
 * SQL: the engine's own reasons without the line and the value, so that a message groups by cause and shows no values
 * of rows. The value may contain any text, so only the text after its last " is not a" is known to come from the
 * engine.
 */
function causeOf(reason: string): string {
  const withoutLine = `regexp_replace(${reason}, '^line \\d+ of .*?: ', '', 's')`;
  return `regexp_replace(${withoutLine}, '^(the column "(?:[^"\\\\]|\\\\.)*"): .* (is not an? .*)$', '\\1: a value \\2', 's')`;
}

/**
 * SQL: what identifies a reject: its key or, without keys, the values of the columns that both stored and pending rows
 * have. So a column that was added meanwhile does not make it another row.
 */
async function rejectIdentity(connection: DuckDBConnection, stored: string): Promise<string> {
  const names = (from: string) => `SELECT DISTINCT unnest(json_keys("row")) AS name FROM ${from}`;
  const found = await connection.runAndReadAll(
    `${names(stored)} INTERSECT ${names(`${pendingRejects} WHERE key IS NULL`)} ORDER BY name`,
  );
  const cells = found
    .getRowsJson()
    .map(
      ([name]) => `json_extract("row", ${literal(`$."${String(name).replaceAll('"', '\\"')}"`)})::VARCHAR`,
    );
  const content = cells.length === 0 ? `"row"` : `to_json([${cells.join(", ")}])::VARCHAR`;
  return `coalesce(key, '#' || ${content})`;
}

const percent = (share: number): string => `${Math.round(share * 10_000) / 100} %`;

/** Stores the rejects of this run, and deletes older rejects whose rows were accepted or rejected again. */
export async function storeRejects(
  connection: DuckDBConnection,
  catalog: string,
  stream: { readonly id: string; readonly run: string; readonly time: string },
  accepted: AcceptedRows | undefined,
): Promise<void> {
  const rejects = rejectsTable(catalog);
  const isOfStream = `stream = ${literal(stream.id)}`;
  const identity = await rejectIdentity(connection, `${rejects} WHERE ${isOfStream}`);
  const numbered = (from: string) =>
    `SELECT *, ${identity} AS identity, row_number() OVER (PARTITION BY ${identity} ORDER BY "row") AS n FROM ${from}`;
  // A row that is rejected again keeps the id of its reject.
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE repeated_rejects AS SELECT id, identity, n FROM (${numbered(`${rejects} WHERE ${isOfStream}`)}) WHERE identity IN (SELECT ${identity} FROM ${pendingRejects})`,
  );
  await connection.run(`DELETE FROM ${rejects} WHERE id IN (SELECT id FROM repeated_rejects)`);
  if (accepted) await deleteAccepted(connection, rejects, isOfStream, accepted);
  await connection.run(
    `INSERT INTO ${rejects} (id, stream, key, reason, "row", run, rejected_at) SELECT coalesce(k.id, uuidv7()), ${literal(stream.id)}, key, reason, "row", ${literal(stream.run)}, ${literal(stream.time)} FROM (${numbered(pendingRejects)}) p LEFT JOIN repeated_rejects k ON p.identity = k.identity AND p.n = k.n`,
  );
}

/** Deletes rejects whose rows this attempt delivered, also those of an earlier attempt of the same run. */
export async function deleteAcceptedRejects(
  connection: DuckDBConnection,
  catalog: string,
  { dataset }: Pick<TransferRequest, "dataset">,
  /** The start of this attempt. */
  startedAt: string,
  accepted: AcceptedRows,
): Promise<void> {
  const earlier = `stream = ${literal(dataset.id)} AND rejected_at < ${literal(startedAt)}`;
  await deleteAccepted(connection, rejectsTable(catalog), earlier, accepted);
}

interface AcceptedRows {
  readonly relation: string;
  readonly keys: readonly string[];
  /** The columns of the dataset, if the run has written the stored rejects again. */
  readonly retried?: readonly WarehouseColumn[] | undefined;
}

/** SQL: the value of a column in a reject, as text. */
export const rejectField = ({ name }: WarehouseColumn): string =>
  `json_extract_string("row", ${literal(`$."${name.replaceAll('"', '\\"')}"`)})`;

/** Begins the reason of a reject whose row lacks a value. Written again, this value would become NULL. */
export const incompleteRow = "a large value did not change";

/**
 * SQL: whether a reject can be written again. A line that could not be read has none of the columns, and a value that its column
 * cannot hold would become NULL.
 */
export function canBeWritten(columns: readonly WarehouseColumn[]): string {
  const names = columns.map(({ name }) => literal(name)).join(", ");
  const fits = columns.map((column) => {
    const field = rejectField(column);
    return `(${field} IS NULL OR TRY_CAST(${field} AS ${wireType(column)}) IS NOT NULL)`;
  });
  return `NOT starts_with(reason, ${literal(incompleteRow)}) AND list_has_any(json_keys("row"), [${names}]) AND ${fits.join(" AND ")}`;
}

/** A run has many rows, and few rejects or none, so only rows with the key of a reject are compared. */
async function deleteAccepted(
  connection: DuckDBConnection,
  rejects: string,
  condition: string,
  { relation, keys, retried }: AcceptedRows,
): Promise<void> {
  if (keys.length === 0 && !retried) return;
  if ((await countRows(connection, `${rejects} WHERE ${condition}`)) === 0) return;
  if (keys.length === 0 && retried) {
    // A retry has written all of these rows. Rows that were rejected again are stored again.
    await connection.run(
      `DELETE FROM ${rejects} WHERE ${condition} AND key IS NULL AND ${canBeWritten(retried)}`,
    );
    return;
  }
  const key = keyText(keys);
  const known = `SELECT key FROM ${rejects} WHERE ${condition}`;
  await connection.run(
    `DELETE FROM ${rejects} WHERE ${condition} AND key IN (SELECT ${key} FROM ${relation} WHERE ${key} IN (${known}))`,
  );
}

export async function listRejects(
  warehouse: Warehouse,
  streams: readonly string[],
  { skip, limit }: { skip: number; limit: number },
): Promise<{ rejects: StoredReject[]; total: number }> {
  if (streams.length === 0 || warehouse.catalogs.length === 0) return { rejects: [], total: 0 };
  const all = warehouse.catalogs
    .map((catalog) => `SELECT * FROM ${rejectsTable(catalog)}`)
    .join(" UNION ALL ");
  const from = `FROM (${all}) WHERE stream IN (${streams.map(literal).join(", ")})`;
  const connection = await warehouse.connect();
  try {
    const rows = await connection.runAndReadAll(
      `SELECT id::VARCHAR, stream, reason, "row", run, rejected_at ${from} ORDER BY id LIMIT ${limit} OFFSET ${skip}`,
    );
    const total = Number((await connection.runAndReadAll(`SELECT count(*) ${from}`)).getRowsJson()[0]?.[0]);
    const rejects = rows.getRowsJson().map(([id, dataset, reason, row, run, time]) => ({
      id: String(id),
      dataset: String(dataset),
      reason: String(reason),
      row: shownRow(parseRow(String(row))),
      run: String(run),
      time: String(time),
    }));
    return { rejects, total };
  } finally {
    connection.closeSync();
  }
}
