import { rejectsOf, sendingOf, sentOf } from "../warehouse/internal-tables.ts";
import { literal, quote } from "../warehouse/names.ts";
import { keyText, list, rowText, value } from "../warehouse/relation.ts";
import { streamOf } from "./checkpoints.ts";
import type { Departure } from "./delivery.ts";

/**
 * A target that cannot be read back is sent what it was not sent yet. Rows are known by a hash of their text, which stays the
 * same over versions of DuckDB; equal rows are counted, so that each of them is sent.
 */
const hashed = ({ columns }: Departure, from: string): string =>
  `SELECT *, md5_number_lower(${rowText(columns)} || '#' || row_number() OVER (PARTITION BY ${rowText(columns)})) AS "_hash" FROM (SELECT ${list(columns)} FROM ${from})`;

/** The hashes of all rows that were looked at: temporary, so that it stands still. */
const looked = "looked";

export async function unsent(departure: Departure, from: string): Promise<string> {
  const { connection, columns, keys, name, movement, watermark } = departure;
  const mark = watermark ? quote(watermark.name) : "NULL";
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${looked} AS SELECT "_hash", ${mark} AS mark FROM (${hashed(departure, from)})`,
  );
  const stream = `stream = ${literal(streamOf(movement.dataset))}`;
  const again = movement.retryRejects
    ? ` OR ${keyText(keys)} IN (SELECT key FROM ${rejectsOf(name.catalog)} WHERE stream = ${literal(movement.dataset.id)})`
    : "";
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE unsent AS SELECT ${list(columns)} FROM (${hashed(departure, from)}) WHERE "_hash" NOT IN (SELECT hash FROM ${sentOf(name.catalog)} WHERE ${stream})${again}`,
  );
  return "unsent";
}

/**
 * Written down before the first row is sent. A row that is overwritten there counts as not sent any more: should this run be
 * killed, and the row become what it was, it has to be sent again. Answers what tells this sending from all others: it is the
 * same as that of a killed run which has sent the same rows.
 */
export async function beginSending(
  { connection, name, movement, columns }: Departure,
  fresh: string,
): Promise<string> {
  const sending = sendingOf(name.catalog);
  const stream = `stream = ${literal(streamOf(movement.dataset))}`;
  const content = `(SELECT concat(count(*), ' ', sum(md5_number_lower(${rowText(columns)})::HUGEINT)) FROM unsent)`;
  const begun = await value(connection, `SELECT id FROM ${sending} WHERE ${stream} AND content = ${content}`);
  if (begun !== null) return String(begun);
  await connection.run(
    `DELETE FROM ${sentOf(name.catalog)} WHERE ${stream} AND hash NOT IN (SELECT "_hash" FROM ${looked})`,
  );
  await connection.run(`DELETE FROM ${sending} WHERE ${stream}`);
  await connection.run(
    `INSERT INTO ${sending} SELECT ${literal(streamOf(movement.dataset))}, ${content}, ${literal(fresh)}`,
  );
  await connection.run("COMMIT");
  await connection.run("BEGIN");
  return fresh;
}

/** What the next run would find again: rows of the new mark or of none, or all where no mark is used. */
export async function rememberSent(departure: Departure, mark: string | null): Promise<void> {
  const { connection, name, movement, watermark } = departure;
  const sent = sentOf(name.catalog);
  const stream = literal(streamOf(movement.dataset));
  const found =
    watermark && mark !== null
      ? ` WHERE mark >= CAST(${literal(mark)} AS ${watermark.type}) OR mark IS NULL`
      : "";
  await connection.run(`DELETE FROM ${sent} WHERE stream = ${stream}`);
  await connection.run(`INSERT INTO ${sent} SELECT ${stream}, "_hash" FROM ${looked}${found}`);
}
