import mysql from "mysql2/promise";
import { marksTable } from "../target/checkpoint-table.ts";
import type { Mark } from "../target/target.ts";
import { exactCollation, keptTable } from "./existing-table.ts";
import { backquoted } from "./source-types.ts";

const nameIn = (schema: string): string => `${backquoted(schema)}.${backquoted(marksTable)}`;

/** Before the transaction of the rows: making a table would end it. */
export async function makeMarks(connection: mysql.Connection, schema: string): Promise<void> {
  await connection.query(
    `CREATE TABLE IF NOT EXISTS ${nameIn(schema)} (stream VARCHAR(255) NOT NULL PRIMARY KEY, value LONGTEXT, time VARCHAR(64) NOT NULL, run VARCHAR(255) NOT NULL) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE ${await exactCollation(connection)}`,
  );
}

/** `locked`: two runs of one stream would both move from the same mark. */
export async function readMark(
  connection: mysql.Connection,
  schema: string,
  stream: string,
  locked = false,
): Promise<Mark | undefined> {
  if (!locked && !(await keptTable(connection, { schema, table: marksTable }))) return undefined;
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

export async function writeMark(
  connection: mysql.Connection,
  schema: string,
  stream: string,
  { value, time, run }: Mark,
): Promise<void> {
  const values = [stream, value, time, run].map((text) => mysql.escape(text)).join(", ");
  await connection.query(`REPLACE INTO ${nameIn(schema)} (stream, value, time, run) VALUES (${values})`);
}
