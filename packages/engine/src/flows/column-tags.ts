import type { DuckDBConnection } from "@duckdb/node-api";
import { readTags, writeTags } from "../warehouse/catalog/tags.ts";
import type { WarehouseFlow } from "./warehouse-flow.ts";

/** Writes the tags that the flow declares, in every run, as in Databricks. Other tags are left alone. */
export async function writeFlowTags(
  connection: DuckDBConnection,
  { flow, target }: WarehouseFlow,
): Promise<void> {
  const known = await readTags(connection, target.catalog);
  for (const { name, isPersonal, terms } of flow.columns) {
    const column = name.toLowerCase();
    const existing = known(target.schema, target.table, column);
    const declared = Object.entries({
      ...(isPersonal && { pii: "true" }),
      ...(terms.length > 0 && { glossary_terms: terms.join(", ") }),
    });
    const missing = declared.filter(([key, value]) => existing[key] !== value);
    if (missing.length > 0) await writeTags(connection, target, column, Object.fromEntries(missing));
  }
}
