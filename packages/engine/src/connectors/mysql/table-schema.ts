import type mysql from "mysql2/promise";
import { DataProblem } from "../../protocol/problem.ts";
import { type MappedColumn, mapColumns } from "../target/column-mapping.ts";
import type { Destination } from "../target/target.ts";
import { type ExistingMysqlTable, exactCollation, findTable, type MysqlTableName } from "./existing-table.ts";
import { backquoted } from "./source-types.ts";
import { mysqlFits, mysqlType } from "./target-types.ts";

/** Creates the table, or adds missing columns. Both commit a transaction, so call it before the transaction begins. */
export async function prepareTable(
  connection: mysql.Connection,
  tableName: MysqlTableName,
  destination: Destination,
): Promise<readonly MappedColumn[]> {
  const { name, columns, keys, strategy } = destination;
  const table = `${backquoted(tableName.schema)}.${backquoted(tableName.table)}`;
  const collation = `CHARACTER SET utf8mb4 COLLATE ${await exactCollation(connection)}`;
  const existing = await findTable(connection, tableName);
  if (!existing) {
    await connection.query(
      `CREATE TABLE IF NOT EXISTS ${table} (${columnDefinitions(destination)}) ENGINE = InnoDB ${collation}`,
    );
    return columns.map((column) => ({ name: column.name, column }));
  }
  const isKey = (column: string) => keys.includes(column) && strategy !== "append";
  const mapping = mapColumns({
    ...{ table: name, existing: existing.columns, incoming: columns, fits: mysqlFits },
    remedy: (named, column) =>
      `Change it in the target: ALTER TABLE ${table} MODIFY COLUMN ${backquoted(named)} ${mysqlType(column, isKey(column.name))}${isKey(column.name) ? " NOT NULL" : ""};`,
  });
  if (strategy === "upsert") requireUnique(name, existing, mapping.columns, keys);
  for (const column of mapping.added) {
    const type = mysqlType(column, false);
    const text = /TEXT|CHAR/.test(type) ? ` ${collation}` : "";
    await connection.query(`ALTER TABLE ${table} ADD COLUMN ${backquoted(column.name)} ${type}${text}`);
  }
  return mapping.columns;
}

/** An append may contain several states of a row. A key would refuse all but the first. */
function columnDefinitions({ columns, keys, strategy }: Destination): string {
  const unique = strategy === "append" ? [] : keys;
  const definitions = columns.map((column) => {
    const isKey = unique.includes(column.name);
    return `${backquoted(column.name)} ${mysqlType(column, isKey)}${isKey ? " NOT NULL" : ""}`;
  });
  const key = unique.length === 0 ? [] : [`PRIMARY KEY (${unique.map(backquoted).join(", ")})`];
  return [...definitions, ...key].join(", ");
}

/** An upsert needs a unique index on the key columns to find its rows. */
function requireUnique(
  table: string,
  { unique }: ExistingMysqlTable,
  columns: readonly MappedColumn[],
  keys: readonly string[],
): void {
  const names = keys.map((key) => columns.find(({ column }) => column.name === key)?.name ?? key);
  const lower = (list: readonly string[]) => JSON.stringify(list.map((name) => name.toLowerCase()).sort());
  if (unique.some((index) => lower(index) === lower(names))) return;
  throw new DataProblem(
    `${table} has no unique index on ${names.join(", ")}, which an upsert needs. Create one: ALTER TABLE ${table} ADD UNIQUE (${names.map(backquoted).join(", ")}).`,
  );
}
