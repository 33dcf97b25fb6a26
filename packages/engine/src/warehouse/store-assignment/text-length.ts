import type { DuckDBConnection } from "@duckdb/node-api";
import type { WarehouseColumn } from "../../protocol/column.ts";
import { literal, quote } from "../names.ts";

const declared = /^\s*(?:VARCHAR|CHAR|CHARACTER)\s*\(\s*(\d+)\s*\)\s*$/i;

/** The number of characters in a type that an author has written. */
export function declaredLength(type: string): number | undefined {
  const [, characters] = declared.exec(type) ?? [];
  return characters === undefined ? undefined : Number(characters);
}

/** A column of CREATE TABLE. DuckDB has no lengths of texts: a CHECK keeps it with the table, whoever writes. */
export function columnDeclaration({ name, type, origin }: WarehouseColumn): string {
  const length = declaredLength(origin);
  if (length === undefined) return `${quote(name)} ${type}`;
  return `${quote(name)} ${type} CHECK (length(${quote(name)}) <= ${length})`;
}

const checked = /^\(?length\(.*\) <= (\d+)\)?$/s;

/** The lengths that columnDeclaration() wrote, by the name of the column. `database` is the name that DuckDB knows. */
export async function textLengths(
  connection: DuckDBConnection,
  [database, schema, table]: readonly [string, string, string],
): Promise<ReadonlyMap<string, number>> {
  const found = await connection.runAndReadAll(
    `SELECT constraint_column_names[1], expression FROM duckdb_constraints() WHERE constraint_type = 'CHECK' AND len(constraint_column_names) = 1
     AND database_name = ${literal(database)} AND schema_name = ${literal(schema)} AND table_name = ${literal(table)}`,
  );
  return new Map(
    found.getRowsJson().flatMap(([column, expression]) => {
      const [, characters] = checked.exec(String(expression)) ?? [];
      return characters === undefined ? [] : [[String(column), Number(characters)] as const];
    }),
  );
}
