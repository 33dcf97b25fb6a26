import type { DuckDBConnection } from "@duckdb/node-api";
import { setTypeCommand } from "@lakehelm/contract/changes";
import { type WarehouseColumn, wireType } from "../protocol/column.ts";
import { databricksType } from "../protocol/types.ts";
import { isAbout, keptTypesTable } from "../warehouse/internal-tables.ts";
import { databaseAlias, fullName, type TableName } from "../warehouse/names.ts";
import { type TextLength, textLengths } from "../warehouse/store-assignment/text-length.ts";

/** The columns whose type `lakehelm tables alter` has narrowed, with the most characters of a text. */
export type KeptTypes = ReadonlyMap<string, TextLength | undefined>;

export async function keptTypes(connection: DuckDBConnection, table: TableName): Promise<KeptTypes> {
  const found = await connection.runAndReadAll(
    `SELECT "column" FROM ${keptTypesTable(table.catalog)} WHERE ${isAbout(table)}`,
  );
  const names = found.getRowsJson().map(([name]) => String(name));
  if (names.length === 0) return new Map();
  const lengths = await textLengths(connection, [databaseAlias(table.catalog), table.schema, table.table]);
  const lower = new Map([...lengths].map(([name, length]) => [name.toLowerCase(), length]));
  return new Map(names.map((name) => [name, lower.get(name)]));
}

/** A column of a source in the type that its table keeps. */
export function keptColumn(column: WarehouseColumn, type: string, kept: KeptTypes): WarehouseColumn {
  const length = kept.get(column.name.toLowerCase());
  const { widensTo: _, ...rest } = column;
  // The type of values in a file is a guess, so the values are read as text.
  const source: WarehouseColumn = column.inferred ? { ...rest, type, wire: "VARCHAR" } : rest;
  const wire = wireType(source);
  if (wire === type && length === undefined) return column.inferred ? source : column;
  return { ...rest, type, wire, kept: { source, length } };
}

/** Why rows are rejected, and what to do. */
export const keptSentence = (table: TableName, column: string, type: string, inSource: string): string =>
  `The column ${JSON.stringify(column)} of ${fullName(table)} was set to ${databricksType(type)}, and the source has ${databricksType(inSource)}: values that do not fit are rejected. To take them: ${setTypeCommand([table.catalog, table.schema, table.table], { [column]: databricksType(inSource) })}`;

/** Called when the table is created anew. */
export const forgetKeptTypes = (connection: DuckDBConnection, table: TableName) =>
  connection.run(`DELETE FROM ${keptTypesTable(table.catalog)} WHERE ${isAbout(table)}`);
