import type { DuckDBConnection } from "@duckdb/node-api";
import type { WarehouseColumn } from "../../protocol/column.ts";
import { isAbout, textLengthsTable } from "../internal-tables.ts";
import { databaseAlias, literal, quote, type TableName } from "../names.ts";

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

/** A column of CREATE TABLE. DuckDB does not limit the length of texts, so a CHECK limits it for every writer. */
export function columnDeclaration({ name, type, origin }: WarehouseColumn): string {
  const length = declaredLength(origin);
  if (length === undefined) return `${quote(name)} ${type}`;
  const counted = length.isChar ? `rtrim(${quote(name)}, ' ')` : quote(name);
  return `${quote(name)} ${type} CHECK (length(${counted}) <= ${length.characters})`;
}

const checked = /^\(?length\((rtrim\()?.*\) <= (\d+)\)?$/s;

/** Whether a declared type, or a part of it, is a text with a length. */
export const hasTextLength = (type: string): boolean => /\b(?:VARCHAR|CHAR|CHARACTER)\s*\(/i.test(type);

/** Whether columnDeclaration() keeps the length with the table. Otherwise `keepTextLengths` does. */
const isChecked = (type: string): boolean => declaredLength(type) !== undefined;

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

/** The declared types of the columns whose texts have a length: of checked ones, of added ones and of nested types. */
export async function declaredTextTypes(
  connection: DuckDBConnection,
  name: TableName,
): Promise<ReadonlyMap<string, string>> {
  const { catalog, schema, table } = name;
  const kept = await connection.runAndReadAll(
    `SELECT "column", declared FROM ${textLengthsTable(catalog)} WHERE ${isAbout(name)}`,
  );
  const lengths = await textLengths(connection, [databaseAlias(catalog), schema, table]);
  return new Map([
    ...kept.getRowsJson().map(([column, type]) => [String(column), String(type)] as const),
    ...[...lengths].map(
      ([column, { characters, isChar }]) =>
        [column, `${isChar ? "CHAR" : "VARCHAR"}(${characters})`] as const,
    ),
  ]);
}

/** Keeps the lengths of new columns that DuckDB cannot check: of an added column, and of texts inside of other types. */
export async function keepTextLengths(
  connection: DuckDBConnection,
  { catalog, schema, table }: TableName,
  columns: readonly WarehouseColumn[],
  { areAdded }: { readonly areAdded: boolean },
): Promise<void> {
  for (const { name, origin } of columns) {
    if (!hasTextLength(origin) || (isChecked(origin) && !areAdded)) continue;
    const row = [schema, table, name, origin].map(literal).join(", ");
    await connection.run(`INSERT INTO ${textLengthsTable(catalog)} VALUES (${row})`);
  }
}

export const forgetTextLengths = (connection: DuckDBConnection, table: TableName) =>
  connection.run(`DELETE FROM ${textLengthsTable(table.catalog)} WHERE ${isAbout(table)}`);
