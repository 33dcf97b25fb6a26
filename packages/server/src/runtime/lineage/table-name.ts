import type { WarehouseScope } from "@lakehelm/engine";

/** The full name of a table: a shorter one gets the environment's catalog and schema. */
export function fullTableName(name: string, { catalog, schema }: WarehouseScope): string {
  const parts = name.split(".").length;
  if (parts >= 3) return name;
  return parts === 2 ? `${catalog}.${name}` : `${catalog}.${schema}.${name}`;
}
