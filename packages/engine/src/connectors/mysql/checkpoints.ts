import mysql from "mysql2/promise";
import { checkpointTable } from "../target/checkpoint-table.ts";
import type { Checkpoint } from "../target/target.ts";
import { exactCollation, findTable } from "./existing-table.ts";
import { backquoted } from "./source-types.ts";

const nameIn = (schema: string): string => `${backquoted(schema)}.${backquoted(checkpointTable)}`;

/** Call it before the transaction that writes the rows, because creating a table commits a transaction. */
export async function createCheckpointTable(connection: mysql.Connection, schema: string): Promise<void> {
  await connection.query(
    `CREATE TABLE IF NOT EXISTS ${nameIn(schema)} (stream VARCHAR(255) NOT NULL PRIMARY KEY, value LONGTEXT, time VARCHAR(64) NOT NULL, run VARCHAR(255) NOT NULL) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE ${await exactCollation(connection)}`,
  );
}

/** With `locked`, the row is locked: otherwise two runs of one stream could start from the same checkpoint. */
export async function readCheckpoint(
  connection: mysql.Connection,
  schema: string,
  stream: string,
  locked = false,
): Promise<Checkpoint | undefined> {
  if (!locked && !(await findTable(connection, { schema, table: checkpointTable }))) return undefined;
  const [[row]] = await connection.query<mysql.RowDataPacket[]>(
    `SELECT value, time, run FROM ${nameIn(schema)} WHERE stream = ${mysql.escape(stream)}${locked ? " FOR UPDATE" : ""}`,
  );
  if (!row) return undefined;
  return {
    value: row.value === null ? null : String(row.value),
    time: String(row.time),
    run: String(row.run),
  };
}

export async function writeCheckpoint(
  connection: mysql.Connection,
  schema: string,
  stream: string,
  { value, time, run }: Checkpoint,
): Promise<void> {
  const values = [stream, value, time, run].map((text) => mysql.escape(text)).join(", ");
  await connection.query(`REPLACE INTO ${nameIn(schema)} (stream, value, time, run) VALUES (${values})`);
}
