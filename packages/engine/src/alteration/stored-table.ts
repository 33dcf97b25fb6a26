import type { DuckDBConnection } from "@duckdb/node-api";
import { DataProblem } from "../protocol/problem.ts";
import { databricksType, parseDatabricksType } from "../protocol/types.ts";
import { databaseAlias, fullName, literal, type TableName } from "../warehouse/names.ts";
import { requireNoOwner } from "../warehouse/ownership.ts";
import { scalar } from "../warehouse/relation.ts";
import { declaredLength, type TextLength, textLengths } from "../warehouse/store-assignment/text-length.ts";

/** A type as a caller writes it, and as DuckDB stores it. */
export interface StoredType {
  /** The type in Databricks SQL. */
  readonly shown: string;
  readonly stored: string;
  readonly length: TextLength | undefined;
}

export interface StoredColumn {
  readonly name: string;
  readonly type: StoredType;
  readonly isNullable: boolean;
  readonly comment: string | null;
  /** The default as SQL; null if there is none. */
  readonly standard: string | null;
}

/** Throws a DataProblem if the caller cannot alter the table. Call it in the transaction that alters it. */
export async function readStoredColumns(
  connection: DuckDBConnection,
  table: TableName,
): Promise<StoredColumn[]> {
  const place = [databaseAlias(table.catalog), table.schema, table.table] as const;
  const [database, schema, name] = place.map(literal);
  const isTable = `database_name = ${database} AND schema_name = ${schema} AND table_name = ${name}`;
  const kind = await scalar(
    connection,
    `SELECT 'table' FROM duckdb_tables() WHERE ${isTable} UNION ALL SELECT 'view' FROM duckdb_views() WHERE database_name = ${database} AND schema_name = ${schema} AND view_name = ${name}`,
  );
  if (kind === null) throw new DataProblem(`There is no table ${fullName(table)}.`);
  await requireNoOwner(connection, table);
  if (kind === "view")
    throw new DataProblem(
      `${fullName(table)} is a view: its columns are those of its query. Change the query.`,
    );
  const lengths = await textLengths(connection, place);
  const found = await connection.runAndReadAll(
    `SELECT column_name, data_type, is_nullable, comment, column_default FROM duckdb_columns() WHERE ${isTable} ORDER BY column_index`,
  );
  const columns = found.getRowsJson().map(([column, stored, isNullable, comment, standard]) => ({
    name: String(column),
    type: storedType(String(stored), lengths.get(String(column))),
    isNullable: isNullable === true,
    comment: comment === null || comment === undefined ? null : String(comment),
    standard: standard === null || standard === undefined ? null : String(standard),
  }));
  const constraints = await scalar(
    connection,
    `SELECT count(*) FROM duckdb_constraints() WHERE ${isTable} AND constraint_type <> 'NOT NULL'`,
  );
  if (Number(constraints) > lengths.size)
    throw new DataProblem(
      `${fullName(table)} has constraints or keys that Lakehelm does not know. Create it again with other columns.`,
    );
  return columns;
}

const storedType = (stored: string, length: TextLength | undefined): StoredType => ({
  shown: length ? `${length.isChar ? "CHAR" : "VARCHAR"}(${length.characters})` : databricksType(stored),
  stored,
  length,
});

/** Throws a DataProblem if there is no such type. */
export async function readType(connection: DuckDBConnection, text: string): Promise<StoredType> {
  const parsed = parseDatabricksType(text);
  const problem = `${JSON.stringify(text)} is not a type. Write it in Databricks SQL, such as BIGINT, DECIMAL(12,2), STRING, DATE or ARRAY<INT>.`;
  if (parsed === undefined) throw new DataProblem(problem);
  const stored = await scalar(connection, `SELECT typeof(CAST(NULL AS ${parsed}))`).catch((cause) => {
    throw new DataProblem(problem, { cause });
  });
  // DuckDB reads the text '1' as one second, and cannot convert a stored column to VARIANT.
  const [inexact] = /\b(?:INTERVAL|VARIANT)\b/.exec(String(stored).replace(/"(?:[^"]|"")*"/g, "")) ?? [];
  if (inexact !== undefined)
    throw new DataProblem(
      `A column cannot become ${inexact}: its values cannot be converted exactly. Create another table with a column of this type.`,
    );
  return storedType(String(stored), declaredLength(text));
}
