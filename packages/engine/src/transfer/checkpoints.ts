import type { DuckDBConnection } from "@duckdb/node-api";
import type { Mark } from "../connectors/target/target.ts";
import type { Dataset } from "../protocol/requests.ts";
import { marksOf } from "../warehouse/internal-tables.ts";
import { literal } from "../warehouse/names.ts";

/** Whose mark it is. A dataset that reads or writes something else from now on begins anew. */
export const streamOf = ({ id, source, target }: Dataset): string => `${id} ${source} > ${target}`;

export async function readMark(
  connection: DuckDBConnection,
  catalog: string,
  stream: string,
): Promise<Mark | undefined> {
  const found = await connection.runAndReadAll(
    `SELECT value, written_at, run FROM ${marksOf(catalog)} WHERE stream = ${literal(stream)}`,
  );
  const [row] = found.getRowsJson();
  return row && { value: row[0] === null ? null : String(row[0]), time: String(row[1]), run: String(row[2]) };
}

export async function writeMark(
  connection: DuckDBConnection,
  catalog: string,
  stream: string,
  { value, time, run }: Mark,
): Promise<void> {
  await connection.run(`DELETE FROM ${marksOf(catalog)} WHERE stream = ${literal(stream)}`);
  const values = [stream, value, time, run].map((text) => (text === null ? "NULL" : literal(text)));
  await connection.run(`INSERT INTO ${marksOf(catalog)} VALUES (${values.join(", ")})`);
}
