import type { DuckDBConnection } from "@duckdb/node-api";
import type { WarehouseColumn } from "../protocol/column.ts";
import type { TableName } from "../warehouse/names.ts";
import { sameName } from "../warehouse/relation.ts";
import { readColumns } from "../warehouse/table-columns.ts";

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
