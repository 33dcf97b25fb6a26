import type { TableMetadata } from "@lakehelm/codegen";
import type { CatalogColumn, CatalogTable } from "@lakehelm/engine";
import type { TableName } from "@lakehelm/sql/names";
import { Problem } from "../../core/errors.ts";
import type { Platform } from "./platform.ts";

/**
 * The current descriptions and tags of a table, for code generation. Undefined: the table does not exist, or the
 * environment is not set up yet. Code can be generated nevertheless.
 */
export async function describeTable(
  platform: Pick<Platform, "warehouse">,
  environment: string,
  name: TableName,
): Promise<TableMetadata | undefined> {
  try {
    return await findTable(platform, environment, name);
  } catch (error) {
    if (error instanceof Problem && error.kind === "conflict") return undefined;
    throw error;
  }
}

/** Like `describeTable`, but fails if the environment is not set up. */
export async function findTable(
  { warehouse }: Pick<Platform, "warehouse">,
  environment: string,
  name: TableName,
): Promise<TableMetadata | undefined> {
  const [catalog, schema, table] = [name.catalog, name.schema, name.table].map((part) =>
    part.toLowerCase(),
  ) as [string, string, string];
  const request = { scope: { environment, catalog, schema }, catalog, schema, table };
  const found = await warehouse?.catalog?.(request, { signal: AbortSignal.timeout(30_000) });
  return found?.tables[0] && tableMetadata(found.tables[0]);
}

function tableMetadata(table: CatalogTable): TableMetadata {
  const known = ({ comment, tags }: Pick<CatalogColumn, "comment" | "tags">) => ({
    description: comment,
    tags,
  });
  return {
    ...known(table),
    columns: Object.fromEntries(
      table.columns.map((column) => [column.name, { ...known(column), type: column.type }]),
    ),
  };
}
