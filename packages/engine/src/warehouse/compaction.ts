import type { DuckDBConnection } from "@duckdb/node-api";
import { databaseAlias, literal, quote, sqlName, type TableName } from "./names.ts";
import { scalar } from "./relation.ts";

/**
 * DuckDB marks deleted rows in groups of this many rows, with this many bytes for each group that has a deleted row.
 */
const vectorRows = 2_048;
const vectorBytes = 16 * 1_024;
/** The share of the memory limit for the marks of all tables in a catalog. */
const markedShare = 1 / 4;

/**
 * Rewrites a table if too many of its groups of rows have deleted rows. DuckDB keeps the marks in memory once it has
 * read them, and each checkpoint reads those of all tables: 85 MB for 10 million rows. If they do not fit, DuckDB
 * closes the whole catalog. Each table gets a part of the memory by its number of rows. Call it in the transaction that
 * changes the table, and record a rewrite if the table can be read as a stream: rows get other ids. No other
 * transaction may write to the table.
 */
export async function compact(
  connection: DuckDBConnection,
  name: TableName,
  memoryMb: number,
): Promise<void> {
  const most = await mostMarkedGroups(connection, name, memoryMb);
  if (most === undefined) return;
  const table = sqlName(name);
  const marked = await scalar(
    connection,
    `SELECT count(*) FROM (SELECT 1 FROM ${table} GROUP BY rowid // ${vectorRows} HAVING count(*) < ${vectorRows})`,
  );
  if (Number(marked) <= most) return;
  await rewrite(connection, name, (copy) => connection.run(`INSERT INTO ${copy} SELECT * FROM ${table}`));
}

/** Whether deleting this many rows can leave more marked groups than the table is allowed. If so, use `rewrite` instead of DELETE. */
export async function marksTooMany(
  connection: DuckDBConnection,
  name: TableName,
  memoryMb: number,
  deleted: number,
): Promise<boolean> {
  const most = await mostMarkedGroups(connection, name, memoryMb);
  if (most === undefined || deleted <= most) return false;
  const groups = await scalar(connection, `SELECT max(rowid) // ${vectorRows} + 1 FROM ${sqlName(name)}`);
  return Number(groups) > most;
}

/** Undefined if all tables of the catalog have so few rows that their marks fit in any case, or if the table cannot be rewritten. */
async function mostMarkedGroups(
  connection: DuckDBConnection,
  name: TableName,
  memoryMb: number,
): Promise<number | undefined> {
  const mostMarked = (memoryMb * 1_000_000 * markedShare) / vectorBytes;
  const isTable = whereTable(name);
  const share = await scalar(
    connection,
    `SELECT sum(estimated_size) FILTER (${isTable}) / sum(estimated_size) FROM duckdb_tables()
     WHERE database_name = ${literal(databaseAlias(name.catalog))} HAVING sum(estimated_size) > ${mostMarked * vectorRows}`,
  );
  if (share === null) return undefined;
  const constraints = await scalar(
    connection,
    `SELECT count(*) FROM duckdb_constraints() WHERE ${isTable} AND constraint_type <> 'NOT NULL'`,
  );
  return Number(constraints) === 0 ? mostMarked * Number(share) : undefined;
}

const whereTable = ({ catalog, schema, table }: TableName): string =>
  `database_name = ${literal(databaseAlias(catalog))} AND schema_name = ${literal(schema)} AND table_name = ${literal(table)}`;

/** Replaces a table by a copy, to which `fill` adds its rows. Comments and NOT NULL are kept. */
export async function rewrite(
  connection: DuckDBConnection,
  name: TableName,
  fill: (copy: string) => Promise<unknown>,
): Promise<void> {
  const isTable = whereTable(name);
  const copy = sqlName({ ...name, table: `${name.table} compacted` });
  const tables = await connection.runAndReadAll(
    `SELECT comment FROM duckdb_tables() WHERE ${isTable} AND comment IS NOT NULL`,
  );
  const columns = await connection.runAndReadAll(
    `SELECT column_name, comment, is_nullable FROM duckdb_columns() WHERE ${isTable}`,
  );
  const table = sqlName(name);
  const statements = [
    ...tables.getRowsJson().map(([comment]) => `COMMENT ON TABLE ${table} IS ${literal(String(comment))}`),
    ...columns.getRowsJson().flatMap(([column, comment, isNullable]) => {
      return [
        comment === null
          ? []
          : `COMMENT ON COLUMN ${table}.${quote(String(column))} IS ${literal(String(comment))}`,
        isNullable ? [] : `ALTER TABLE ${table} ALTER COLUMN ${quote(String(column))} SET NOT NULL`,
      ].flat();
    }),
  ];
  await connection.run(`CREATE TABLE ${copy} AS SELECT * FROM ${table} LIMIT 0`);
  await fill(copy);
  await connection.run(`DROP TABLE ${table}`);
  await connection.run(`ALTER TABLE ${copy} RENAME TO ${quote(name.table)}`);
  for (const statement of statements) await connection.run(statement);
}
