import type { DuckDBConnection } from "@duckdb/node-api";
import type { WarehouseColumn } from "../protocol/column.ts";
import type { TableName } from "../warehouse/names.ts";
import { same } from "../warehouse/relation.ts";
import { columnsOf } from "./schema-change.ts";

/**
 * Files and APIs that give 1 today and 1.5 tomorrow are read as the table has them, not as today's values look: what then does
 * not fit is a bad row, and no changed type.
 */
export async function readAsKept(
  connection: DuckDBConnection,
  name: TableName,
  columns: readonly WarehouseColumn[],
): Promise<readonly WarehouseColumn[]> {
  if (!columns.some(({ inferred }) => inferred)) return columns;
  const there = (await columnsOf(connection, name)) ?? [];
  return columns.map((column) => {
    const kept = there.find((one) => same(one.name, column.name));
    if (!kept || !column.inferred || kept.type === column.type) return column;
    const { name, origin } = column;
    const wire = kept.type === "VARCHAR" ? {} : { wire: "VARCHAR" };
    return { name, type: kept.type, ...wire, origin, inferred: true };
  });
}
