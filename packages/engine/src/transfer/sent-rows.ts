import { pendingSendsTable, rejectsTable, sentRowsTable } from "../warehouse/internal-tables.ts";
import { literal, quote } from "../warehouse/names.ts";
import { columnList, keyText, rowText, scalar } from "../warehouse/relation.ts";
import { streamId } from "./checkpoints.ts";
import type { DeliveryRun } from "./delivery-run.ts";
import { rowIdOf } from "./row-ids.ts";
import { lessLag } from "./watermark-lag.ts";

/**
 * A write-only target gets only rows that were not sent before. A row is identified by a hash of its text, which is stable across
 * DuckDB versions. Equal rows are numbered, so that each of them is sent.
 */
async function hashedRows({ connection, columns, request }: DeliveryRun, from: string): Promise<string> {
  const hashed = (rows: string) =>
    `SELECT *, md5_number_lower("_text") AS "_hash", md5("_text") AS ${rowKey} FROM (${rows})`;
  const numbered = (number: string, rows: string) =>
    hashed(
      `SELECT ${columnList(columns, "r.")}, ${rowText(columns, "r.")} || '#' || ${number} AS "_text" FROM ${rows}`,
    );
  // Rows of an upsert have different keys, so no two rows are equal.
  if (request.dataset.strategy === "upsert") return numbered("1", `${from} r`);
  const rowId = await rowIdOf(connection, from);
  if (rowId === undefined)
    return numbered(`row_number() OVER (PARTITION BY ${rowText(columns, "r.")})`, `${from} r`);
  // The rows are sorted by hashes and row ids alone: whole rows may need more memory than there is.
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE repeated_rows AS SELECT row_id, place FROM (SELECT row_id, row_number() OVER (PARTITION BY digest) AS place FROM (SELECT ${rowId} AS row_id, md5_number(${rowText(columns)}) AS digest FROM ${from})) WHERE place > 1`,
  );
  return numbered("coalesce(n.place, 1)", `${from} r LEFT JOIN repeated_rows n ON n.row_id = r.${rowId}`);
}

/** The column of `unsent` with the key that the target gets for each row. */
export const rowKey = quote("_lakehelm_row_key");

/** The hashes of all candidate rows: a temporary table, so that they are stable. */
const candidateHashes = "candidate_hashes";

export async function selectUnsentRows(run: DeliveryRun, from: string): Promise<string> {
  const { connection, columns, keys, table, request, watermarkColumn } = run;
  const hashed = await hashedRows(run, from);
  const watermark = watermarkColumn ? quote(watermarkColumn.name) : "NULL";
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${candidateHashes} AS SELECT "_hash", ${watermark} AS watermark FROM (${hashed})`,
  );
  const stream = `stream = ${literal(streamId(request.dataset))}`;
  const retried = request.retryRejects
    ? ` OR ${keyText(keys)} IN (SELECT key FROM ${rejectsTable(table.catalog)} WHERE stream = ${literal(request.dataset.id)})`
    : "";
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE unsent AS SELECT ${columnList(columns)}, ${rowKey} FROM (${hashed}) WHERE "_hash" NOT IN (SELECT hash FROM ${sentRowsTable(table.catalog)} WHERE ${stream})${retried}`,
  );
  return "unsent";
}

/**
 * Records the send before its first row. A row that this send overwrites no longer counts as sent: if the run crashes and the row
 * changes back, it must be sent again. Returns the id of the send: a retry after a crash gets the same id if it sends the same
 * rows, and `newId` otherwise.
 */
export async function beginSend(
  { warehouse, connection, table, request, columns }: DeliveryRun,
  newId: string,
): Promise<string> {
  const sends = pendingSendsTable(table.catalog);
  const stream = `stream = ${literal(streamId(request.dataset))}`;
  const content = `(SELECT concat(count(*), ' ', sum(md5_number_lower(${rowText(columns)})::HUGEINT)) FROM unsent)`;
  const pending = await scalar(
    connection,
    `SELECT id FROM ${sends} WHERE ${stream} AND content = ${content}`,
  );
  if (pending !== null) return String(pending);
  await connection.run(
    `DELETE FROM ${sentRowsTable(table.catalog)} WHERE ${stream} AND hash NOT IN (SELECT "_hash" FROM ${candidateHashes})`,
  );
  await connection.run(`DELETE FROM ${sends} WHERE ${stream}`);
  await connection.run(
    `INSERT INTO ${sends} SELECT ${literal(streamId(request.dataset))}, ${content}, ${literal(newId)}`,
  );
  await warehouse.commit(connection);
  await connection.run("BEGIN");
  return newId;
}

/**
 * Records the rows that the next run selects again: those from the new watermark, less the lag, or without one, or all if there is no
 * watermark.
 */
export async function recordSentRows(run: DeliveryRun, watermark: string | null): Promise<void> {
  const { connection, table, request, watermarkColumn } = run;
  const sent = sentRowsTable(table.catalog);
  const stream = literal(streamId(request.dataset));
  const { watermarkLag: lag = 0 } = request.dataset;
  const from =
    watermarkColumn && watermark !== null && lag > 0
      ? await lessLag(connection, watermarkColumn, watermark, lag)
      : watermark;
  const condition =
    watermarkColumn && from !== null
      ? ` WHERE watermark >= CAST(${literal(from)} AS ${watermarkColumn.type}) OR watermark IS NULL`
      : "";
  const current = `SELECT "_hash" FROM ${candidateHashes}${condition}`;
  const known = `SELECT hash FROM ${sent} WHERE stream = ${stream}`;
  // Deletes and inserts only what differs: DuckDB keeps memory for every group of rows with deleted rows
  // (docs/decisions/0068).
  await connection.run(`DELETE FROM ${sent} WHERE stream = ${stream} AND hash NOT IN (${current})`);
  await connection.run(
    `INSERT INTO ${sent} SELECT ${stream}, "_hash" FROM (${current}) WHERE "_hash" NOT IN (${known})`,
  );
}
