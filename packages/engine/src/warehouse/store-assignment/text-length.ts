import type { DuckDBConnection } from "@duckdb/node-api";
import type { WarehouseColumn } from "../../protocol/column.ts";
import { literal, quote } from "../names.ts";

/** Of VARCHAR(n), or of CHAR(n), whose values are padded. */
export interface TextLength {
  readonly characters: number;
  readonly isPadded: boolean;
}

const declared = /^\s*(VARCHAR|CHAR|CHARACTER)\s*\(\s*(\d+)\s*\)\s*$/i;

/** The length in a type that an author has written. */
export function declaredLength(type: string): TextLength | undefined {
  const [, name, characters] = declared.exec(type) ?? [];
  if (name === undefined) return undefined;
  return { characters: Number(characters), isPadded: name.toUpperCase() !== "VARCHAR" };
}

/** A column of CREATE TABLE. DuckDB has no lengths of texts: a CHECK keeps it with the table, whoever writes. */
export function columnDeclaration({ name, type, origin }: WarehouseColumn): string {
  const length = declaredLength(origin);
  if (!length) return `${quote(name)} ${type}`;
  const comparison = length.isPadded ? "=" : "<=";
  return `${quote(name)} ${type} CHECK (length(${quote(name)}) ${comparison} ${length.characters})`;
}

const checked = /^\(?length\(.*\) (<=|=) (\d+)\)?$/s;

/** The lengths that columnDeclaration() wrote, by the name of the column. `database` is the name that DuckDB knows. */
export async function textLengths(
  connection: DuckDBConnection,
  [database, schema, table]: readonly [string, string, string],
): Promise<ReadonlyMap<string, TextLength>> {
  const found = await connection.runAndReadAll(
    `SELECT constraint_column_names[1], expression FROM duckdb_constraints() WHERE constraint_type = 'CHECK' AND len(constraint_column_names) = 1
     AND database_name = ${literal(database)} AND schema_name = ${literal(schema)} AND table_name = ${literal(table)}`,
  );
  return new Map(
    found.getRowsJson().flatMap(([column, expression]) => {
      const [, comparison, characters] = checked.exec(String(expression)) ?? [];
      if (comparison === undefined) return [];
      return [[String(column), { characters: Number(characters), isPadded: comparison === "=" }] as const];
    }),
  );
}
