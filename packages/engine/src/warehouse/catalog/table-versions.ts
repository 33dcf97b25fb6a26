import type { TableVersion } from "../../protocol/catalog.ts";
import { versionsTable } from "../internal-tables.ts";
import { fullName, internalSchema, literal } from "../names.ts";
import type { Warehouse } from "../warehouse.ts";

export async function readVersions(warehouse: Warehouse): Promise<TableVersion[]> {
  const connection = await warehouse.connect();
  try {
    const found: TableVersion[] = [];
    for (const catalog of warehouse.catalogs) {
      const rows = await connection.runAndReadAll(
        `SELECT "schema", "table", version, strftime(changed_at, '%Y-%m-%dT%H:%M:%S.%fZ')
         FROM ${versionsTable(catalog)} WHERE "schema" <> ${literal(internalSchema)} ORDER BY ALL`,
      );
      for (const [schema, table, version, at] of rows.getRowsJson()) {
        const name = fullName({ catalog, schema: String(schema), table: String(table) });
        found.push({ name, version: Number(version), at: String(at) });
      }
    }
    return found;
  } finally {
    connection.closeSync();
  }
}
