import type mysql from "mysql2/promise";
import { DataProblem } from "../../protocol/problem.ts";
import type { ExistingColumn } from "../target/column-mapping.ts";
import { backquoted } from "./source-types.ts";

export interface MysqlTableName {
  readonly schema: string;
  readonly table: string;
}

export interface ExistingMysqlTable {
  readonly columns: readonly ExistingColumn[];
  /** The columns of each unique index. */
  readonly unique: readonly (readonly string[])[];
}

/** Undefined if there is no such table. */
export async function findTable(
  connection: mysql.Connection,
  { schema, table }: MysqlTableName,
): Promise<ExistingMysqlTable | undefined> {
  const query = async (sql: string) =>
    (await connection.query<mysql.RowDataPacket[]>(sql, [schema, table]))[0] as Record<string, unknown>[];
  const condition = "table_schema = ? AND table_name = ?";
  const [found] = await query(
    `SELECT t.table_type AS kind, t.engine AS engine, e.transactions AS transactions FROM information_schema.tables t LEFT JOIN information_schema.engines e ON e.engine = t.engine WHERE ${condition}`,
  );
  if (!found) return undefined;
  if (found.kind !== "BASE TABLE")
    throw new DataProblem(`${table} is not a table: rows cannot be written to it.`);
  if (found.transactions !== "YES") {
    throw new DataProblem(
      `${table} uses the storage engine ${found.engine}, which has no transactions, so rows and checkpoint cannot be written together. Use InnoDB.`,
    );
  }
  const columns = await query(
    `SELECT column_name AS name, column_type AS type FROM information_schema.columns WHERE ${condition} ORDER BY ordinal_position`,
  );
  const indexes = await query(
    `SELECT index_name AS i, column_name AS name FROM information_schema.statistics WHERE ${condition} AND non_unique = 0 AND sub_part IS NULL`,
  );
  const unique = Map.groupBy(indexes, ({ i }) => String(i));
  return {
    columns: columns.map(({ name, type }) => ({ name: String(name), type: String(type) })),
    unique: [...unique.values()].map((rows) => rows.map(({ name }) => String(name))),
  };
}

/** The collation that distinguishes case and trailing blanks. Its name depends on the server. */
export async function exactCollation(connection: mysql.Connection): Promise<string> {
  const [rows] = await connection.query<mysql.RowDataPacket[]>(
    "SELECT collation_name AS name FROM information_schema.collations WHERE collation_name IN ('utf8mb4_0900_bin', 'utf8mb4_nopad_bin')",
  );
  return String(rows[0]?.name ?? "utf8mb4_bin");
}

/** EXPLAIN needs the same privileges as the statement. */
export async function requireWritable(
  connection: mysql.Connection,
  { schema, table }: MysqlTableName,
  { columns }: ExistingMysqlTable,
): Promise<void> {
  const name = `${backquoted(schema)}.${backquoted(table)}`;
  const column = backquoted(columns[0]?.name ?? "");
  await connection.query(`EXPLAIN INSERT INTO ${name} (${column}) SELECT ${column} FROM ${name} WHERE 1 = 0`);
  await connection.query(`EXPLAIN UPDATE ${name} SET ${column} = ${column} WHERE 1 = 0`);
  await connection.query(`EXPLAIN DELETE FROM ${name} WHERE 1 = 0`);
}
