import type { DuckDBConnection } from "@duckdb/node-api";
import { databaseAlias, fullName, internalSchema, literal, type TableName } from "../../warehouse/names.ts";
import { type DatasetOwnership, readOwners } from "../../warehouse/ownership.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";

/**
 * The catalog at the time of binding, read once: a lookup in DuckDB's catalog scans all of it, and takes 4 ms with 300
 * tables.
 */
export interface CatalogSnapshot {
  /** Tables and views that callers can see. */
  readonly relations: readonly TableName[];
  kindOf(name: TableName): "table" | "view" | undefined;
  /** The owner of a dataset, even of a private dataset. */
  ownerOf(name: TableName): DatasetOwnership | undefined;
}

export async function readCatalogSnapshot(
  warehouse: Warehouse,
  connection: DuckDBConnection,
): Promise<CatalogSnapshot> {
  const catalogs = new Map(warehouse.catalogs.map((catalog) => [databaseAlias(catalog), catalog]));
  const found = await connection.runAndReadAll(
    `SELECT database_name, schema_name, table_name, 'table' FROM duckdb_tables() WHERE schema_name <> ${literal(internalSchema)}
     UNION ALL SELECT database_name, schema_name, view_name, 'view' FROM duckdb_views() WHERE NOT internal AND schema_name <> ${literal(internalSchema)}`,
  );
  const relations: TableName[] = [];
  const kinds = new Map<string, "table" | "view">();
  for (const row of found.getRowsJson()) {
    const [alias, schema, table, kind] = row.map(String) as [string, string, string, "table" | "view"];
    const catalog = catalogs.get(alias);
    if (catalog === undefined) continue;
    relations.push({ catalog, schema, table });
    kinds.set(fullName({ catalog, schema, table }), kind);
  }
  const owners = new Map<string, DatasetOwnership>();
  for (const catalog of warehouse.catalogs)
    for (const { name, owner } of await readOwners(connection, catalog)) owners.set(fullName(name), owner);
  return {
    relations,
    kindOf: (name) => kinds.get(fullName(name)),
    ownerOf: (name) => owners.get(fullName(name)),
  };
}
