import type { DuckDBConnection } from "@duckdb/node-api";
import type { Checkpoint } from "../connectors/target/target.ts";
import type { Dataset } from "../protocol/transfer.ts";
import { checkpointsTable } from "../warehouse/internal-tables.ts";
import { literal } from "../warehouse/names.ts";

/** The key of a checkpoint. A dataset that gets another source or target has a new stream and starts over. */
export const streamId = ({ id, source, target }: Dataset): string => `${id} ${source} > ${target}`;

export async function readCheckpoint(
  connection: DuckDBConnection,
  catalog: string,
  stream: string,
): Promise<Checkpoint | undefined> {
  const found = await connection.runAndReadAll(
    `SELECT value, written_at, run FROM ${checkpointsTable(catalog)} WHERE stream = ${literal(stream)}`,
  );
  const [row] = found.getRowsJson();
  return row && { value: row[0] === null ? null : String(row[0]), time: String(row[1]), run: String(row[2]) };
}

export async function writeCheckpoint(
  connection: DuckDBConnection,
  catalog: string,
  stream: string,
  { value, time, run }: Checkpoint,
): Promise<void> {
  await connection.run(`DELETE FROM ${checkpointsTable(catalog)} WHERE stream = ${literal(stream)}`);
  const values = [stream, value, time, run].map((text) => (text === null ? "NULL" : literal(text)));
  await connection.run(`INSERT INTO ${checkpointsTable(catalog)} VALUES (${values.join(", ")})`);
}
