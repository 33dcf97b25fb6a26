import type { DuckDBConnection } from "@duckdb/node-api";
import type { WarehouseColumn } from "../protocol/column.ts";
import { fullName, type TableName } from "../warehouse/names.ts";
import { sameName } from "../warehouse/relation.ts";
import { isWidening, readColumns } from "../warehouse/table-columns.ts";

/** A column whose inferred type does not fit that of the table. */
export interface TypeChange {
  readonly column: string;
  readonly sentence: string;
}

/** Where the values of a source seem to have another type than before. Shown if their rows are rejected. */
export const inferredTypeChanges = (
  inferred: readonly WarehouseColumn[],
  used: readonly WarehouseColumn[],
  table: TableName,
): TypeChange[] =>
  inferred.flatMap(({ name, type }, at) => {
    const known = used[at]?.type ?? type;
    if (known === type || isWidening(type, known)) return [];
    const sentence = `The type of the column ${JSON.stringify(name)} has changed: it is ${known} in ${fullName(table)}, but the source now has values of the type ${type}.`;
    return [{ column: name, sentence }];
  });

/**
 * Replaces inferred types by those of the existing table. A file or API that has 1 today and 1.5 tomorrow does not change the type
 * of its column: a value that does not fit the table is a reject.
 */
export async function useTableTypes(
  connection: DuckDBConnection,
  table: TableName,
  columns: readonly WarehouseColumn[],
): Promise<readonly WarehouseColumn[]> {
  if (!columns.some(({ inferred }) => inferred)) return columns;
  const existing = (await readColumns(connection, table)) ?? [];
  return columns.map((column) => {
    const known = existing.find(({ name }) => sameName(name, column.name));
    if (!known || !column.inferred || known.type === column.type) return column;
    const { name, origin } = column;
    const wire = known.type === "VARCHAR" ? {} : { wire: "VARCHAR" };
    return { name, type: known.type, ...wire, origin, inferred: true };
  });
}
