import type mysql from "mysql2/promise";
import { DataProblem } from "../../protocol/problem.ts";
import { type MappedColumn, mapColumns } from "../target/column-mapping.ts";
import type { Destination } from "../target/target.ts";
import { type ExistingMysqlTable, exactCollation, findTable, type MysqlTableName } from "./existing-table.ts";
import { backquoted } from "./source-types.ts";
import { mysqlFits, mysqlType } from "./target-types.ts";

/** Makes the table, or adds the columns that it lacks. Each of these ends a transaction: they come before it. */
export async function prepareTable(
  connection: mysql.Connection,
  place: MysqlTableName,
  destination: Destination,
): Promise<readonly MappedColumn[]> {
  const { name, columns, keys, strategy } = destination;
  const table = `${backquoted(place.schema)}.${backquoted(place.table)}`;
  const collation = `CHARACTER SET utf8mb4 COLLATE ${await exactCollation(connection)}`;
  const kept = await findTable(connection, place);
  if (!kept) {
    await connection.query(
      `CREATE TABLE IF NOT EXISTS ${table} (${declared(destination)}) ENGINE = InnoDB ${collation}`,
    );
    return columns.map((column) => ({ name: column.name, column }));
  }
  const fit = mapColumns({ table: name, there: kept.columns, coming: columns, fits: mysqlFits });
  if (strategy === "upsert") requireUnique(name, kept, fit.columns, keys);
  for (const column of fit.added) {
    const type = mysqlType(column, false);
    const text = /TEXT|CHAR/.test(type) ? ` ${collation}` : "";
    await connection.query(`ALTER TABLE ${table} ADD COLUMN ${backquoted(column.name)} ${type}${text}`);
  }
  return fit.columns;
}

/** An append may bring several states of a row: a key would refuse all but the first. */
function declared({ columns, keys, strategy }: Destination): string {
  const unique = strategy === "append" ? [] : keys;
  const made = columns.map((column) => {
    const isKey = unique.includes(column.name);
    return `${backquoted(column.name)} ${mysqlType(column, isKey)}${isKey ? " NOT NULL" : ""}`;
  });
  const key = unique.length === 0 ? [] : [`PRIMARY KEY (${unique.map(backquoted).join(", ")})`];
  return [...made, ...key].join(", ");
}

/** By it a row finds the one that it replaces, without a look at all of them. */
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
    `${table} has no unique index on ${names.join(", ")}, by which an upsert finds its rows. Make one: ALTER TABLE ${table} ADD UNIQUE (${names.map(backquoted).join(", ")}).`,
  );
}
