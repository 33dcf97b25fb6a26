import { literal, quote } from "../warehouse/names.ts";
import { rejectsOf, sentOf } from "../warehouse/own-tables.ts";
import type { Departure } from "./deliver.ts";
import { keyText, list, rowText } from "./relation.ts";

/**
 * A target that cannot be read back is sent what it was not sent yet. Rows are known by a hash of their text, which stays the
 * same over versions of DuckDB; equal rows are counted, so that each of them is sent.
 */
const hashed = ({ columns }: Departure, from: string): string =>
  `SELECT *, md5_number_lower(${rowText(columns)} || '#' || row_number() OVER (PARTITION BY ${rowText(columns)})) AS "_hash" FROM (SELECT ${list(columns)} FROM ${from})`;

export async function unsent(departure: Departure, from: string): Promise<string> {
  const { connection, columns, keys, name, movement } = departure;
  const stream = `stream = ${literal(movement.dataset.id)}`;
  const again = movement.retryRejects
    ? ` OR ${keyText(keys)} IN (SELECT key FROM ${rejectsOf(name.catalog)} WHERE ${stream})`
    : "";
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE unsent AS SELECT ${list(columns)} FROM (${hashed(departure, from)}) WHERE "_hash" NOT IN (SELECT hash FROM ${sentOf(name.catalog)} WHERE ${stream})${again}`,
  );
  return "unsent";
}

/** What the next run would find again: rows of the new mark, or all where there is none. */
export async function rememberSent(departure: Departure, all: string, mark: string | null): Promise<void> {
  const { connection, name, movement, watermark } = departure;
  const sent = sentOf(name.catalog);
  const stream = literal(movement.dataset.id);
  const found =
    watermark && mark !== null
      ? ` WHERE ${quote(watermark.name)} >= CAST(${literal(mark)} AS ${watermark.type})`
      : "";
  await connection.run(`DELETE FROM ${sent} WHERE stream = ${stream}`);
  await connection.run(
    `INSERT INTO ${sent} SELECT ${stream}, "_hash" FROM (${hashed(departure, all)})${found}`,
  );
}
