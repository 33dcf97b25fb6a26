import type { DuckDBConnection } from "@duckdb/node-api";
import { databaseAlias, literal, quote, sqlName, type TableName } from "../warehouse/names.ts";
import { scalar } from "../warehouse/relation.ts";
import { columnDeclaration } from "../warehouse/store-assignment/text-length.ts";
import type { StoredColumn, StoredType } from "./stored-table.ts";

/** The columns of a table after the change, with DuckDB's types. */
export interface StoredChange {
  readonly columns: readonly {
    readonly name: string;
    readonly type: StoredType;
    readonly before: StoredColumn;
    /** SQL: the value in the new type. */
    readonly value: string;
  }[];
  readonly dropped: readonly StoredColumn[];
  readonly isReordered: boolean;
}

/**
 * DuckDB alters columns in place, except their order and the CHECK that limits the length of a text. In place, rows
 * keep their row ids.
 */
export const changesInPlace = ({ columns, isReordered }: StoredChange): boolean =>
  !isReordered &&
  !columns.some(
    ({ type, before }) =>
      type !== before.type && (type.length !== undefined || before.type.length !== undefined),
  );

export const changeColumns = (connection: DuckDBConnection, table: TableName, change: StoredChange) =>
  changesInPlace(change) ? alter(connection, table, change) : rebuild(connection, table, change);

async function alter(
  connection: DuckDBConnection,
  table: TableName,
  { columns, dropped }: StoredChange,
): Promise<void> {
  const name = sqlName(table);
  for (const column of dropped) await connection.run(`ALTER TABLE ${name} DROP COLUMN ${quote(column.name)}`);
  for (const { before, value, type } of columns) {
    if (value === quote(before.name)) continue;
    await connection.run(
      `ALTER TABLE ${name} ALTER COLUMN ${quote(before.name)} SET DATA TYPE ${type.stored} USING ${value}`,
    );
  }
  const renamed = columns.filter((column) => column.name !== column.before.name);
  // Renamed in two steps, because two columns may exchange their names.
  const rename = (from: string, to: string) =>
    connection.run(`ALTER TABLE ${name} RENAME COLUMN ${quote(from)} TO ${quote(to)}`);
  for (const [at, { before }] of renamed.entries()) await rename(before.name, temporary(at));
  for (const [at, column] of renamed.entries()) await rename(temporary(at), column.name);
}

const temporary = (at: number): string => `_lakehelm_renamed_${at}`;

async function rebuild(
  connection: DuckDBConnection,
  table: TableName,
  { columns }: StoredChange,
): Promise<void> {
  const name = sqlName(table);
  const copy = sqlName({ ...table, table: `${table.table} altered` });
  const comment = await scalar(
    connection,
    `SELECT comment FROM duckdb_tables() WHERE database_name = ${literal(databaseAlias(table.catalog))} AND schema_name = ${literal(table.schema)} AND table_name = ${literal(table.table)}`,
  );
  await connection.run(`CREATE TABLE ${copy} (${columns.map(declaration).join(", ")})`);
  await connection.run(
    `INSERT INTO ${copy} SELECT ${columns.map(({ value }) => value).join(", ")} FROM ${name}`,
  );
  await connection.run(`DROP TABLE ${name}`);
  await connection.run(`ALTER TABLE ${copy} RENAME TO ${quote(table.table)}`);
  if (comment !== null) await connection.run(`COMMENT ON TABLE ${name} IS ${literal(String(comment))}`);
  for (const { name: column, before } of columns) {
    if (before.comment !== null)
      await connection.run(`COMMENT ON COLUMN ${name}.${quote(column)} IS ${literal(before.comment)}`);
  }
}

/** SQL: a column of CREATE TABLE. */
export const declaration = ({ name, type, before }: StoredChange["columns"][number]): string =>
  [
    columnDeclaration({ name, type: type.stored, origin: type.length ? type.shown : "" }),
    before.isNullable ? "" : " NOT NULL",
    before.standard === null ? "" : ` DEFAULT ${before.standard}`,
  ].join("");
