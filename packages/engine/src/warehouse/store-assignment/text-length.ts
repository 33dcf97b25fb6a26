import type { DuckDBConnection } from "@duckdb/node-api";
import type { WarehouseColumn } from "../../protocol/column.ts";
import { literal, quote } from "../names.ts";

const declared = /^\s*(VARCHAR|CHAR|CHARACTER)\s*\(\s*(\d+)\s*\)\s*$/i;

/** How long a text in a column may be. */
export interface TextLength {
  readonly characters: number;
  /** CHAR: blanks at the end do not count, and are not stored. */
  readonly isChar: boolean;
}

/** The length in a type that an author has written. */
export function declaredLength(type: string): TextLength | undefined {
  const [, name = "", characters] = declared.exec(type) ?? [];
  if (characters === undefined) return undefined;
  return { characters: Number(characters), isChar: name.toUpperCase() !== "VARCHAR" };
}

/** A column of CREATE TABLE. DuckDB has no lengths of texts: a CHECK keeps it with the table, whoever writes. */
export function columnDeclaration({ name, type, origin }: WarehouseColumn): string {
  const length = declaredLength(origin);
  if (length === undefined) return `${quote(name)} ${type}`;
  const counted = length.isChar ? `rtrim(${quote(name)}, ' ')` : quote(name);
  return `${quote(name)} ${type} CHECK (length(${counted}) <= ${length.characters})`;
}

const checked = /^\(?length\((rtrim\()?.*\) <= (\d+)\)?$/s;

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
      const [, trimmed, characters] = checked.exec(String(expression)) ?? [];
      if (characters === undefined) return [];
      const length = { characters: Number(characters), isChar: trimmed !== undefined };
      return [[String(column), length] as const];
    }),
  );
}
