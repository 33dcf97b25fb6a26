import { isPersonalTag } from "@lakehelm/contract/connections";
import { readTableName } from "@lakehelm/sql/names";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import { requestWarehouse, warehouseScope } from "../../runtime/platforms/warehouse.ts";
import type { PersonalColumns } from "./transfer-request.ts";

/** Columns that the catalog marks as personal: those with the tag `pii`, unless its value is false. */
export const personalColumns =
  (env: EnvironmentContext, signal: AbortSignal): PersonalColumns =>
  async (table) => {
    const scope = warehouseScope(env);
    const name = readTableName(table, scope, "source_dataset");
    // The run itself reports an invalid name.
    if ("problem" in name) return [];
    const { tables } = await requestWarehouse(env, "catalog", { scope, ...lowerCase(name) }, signal);
    return tables.flatMap(({ columns }) =>
      columns.filter(({ tags }) => isPersonalTag(tags.pii)).map((column) => column.name),
    );
  };

const lowerCase = ({ catalog, schema, table }: { catalog: string; schema: string; table: string }) => ({
  catalog: catalog.toLowerCase(),
  schema: schema.toLowerCase(),
  table: table.toLowerCase(),
});
