import type { DuckDBConnection } from "@duckdb/node-api";
import { databaseAlias, literal, quote, sqlName, type TableName } from "./names.ts";
import { scalar } from "./relation.ts";

/** DuckDB marks deleted rows in groups of so many, with so many bytes for each group that has any. */
const vectorRows = 2_048;
const vectorBytes = 16 * 1_024;
/** Of the memory limit, for the marks of all tables in a catalog. */
const markedShare = 1 / 4;

/**
 * Rewrites a table if too many of its groups of rows have deleted ones. DuckDB keeps the marks in memory once it has read
 * them, and each checkpoint reads those of all tables: 85 MB for 10 million rows. If they do not fit, DuckDB closes the whole
 * catalog. Each table gets a part of the memory by its number of rows. Call it in the transaction that changes the table, and
 * record a rewrite if the table can be read as a stream: rows get other ids. No other transaction may write to the table.
 */
export async function compact(
  connection: DuckDBConnection,
  name: TableName,
  memoryMb: number,
): Promise<void> {
  const mostMarked = (memoryMb * 1_000_000 * markedShare) / vectorBytes;
  const alias = literal(databaseAlias(name.catalog));
  const isTable = `database_name = ${alias} AND schema_name = ${literal(name.schema)} AND table_name = ${literal(name.table)}`;
  const share = await scalar(
    connection,
    `SELECT sum(estimated_size) FILTER (${isTable}) / sum(estimated_size) FROM duckdb_tables()
     WHERE database_name = ${alias} HAVING sum(estimated_size) > ${mostMarked * vectorRows}`,
  );
  if (share === null) return;
  const marked = await scalar(
    connection,
    `SELECT count(*) FROM (SELECT 1 FROM ${sqlName(name)} GROUP BY rowid // ${vectorRows} HAVING count(*) < ${vectorRows})`,
  );
  if (Number(marked) <= mostMarked * Number(share)) return;
  const constraints = await scalar(
    connection,
    `SELECT count(*) FROM duckdb_constraints() WHERE ${isTable} AND constraint_type <> 'NOT NULL'`,
  );
  if (Number(constraints) === 0) await rewrite(connection, name, isTable);
}

/** What a copy does not have: comments, and columns that must not be NULL. */
async function rewrite(connection: DuckDBConnection, name: TableName, isTable: string): Promise<void> {
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
  await connection.run(`CREATE TABLE ${copy} AS SELECT * FROM ${table}`);
  await connection.run(`DROP TABLE ${table}`);
  await connection.run(`ALTER TABLE ${copy} RENAME TO ${quote(name.table)}`);
  for (const statement of statements) await connection.run(statement);
}
