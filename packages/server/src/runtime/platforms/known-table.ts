import type { TableMetadata } from "@lakehelm/codegen";
import type { CatalogColumn, Engine } from "@lakehelm/engine";
import type { TableName } from "@lakehelm/sql/names";

/** The metadata of a table in the warehouse's catalog, for code generation; undefined if it does not exist. */
export async function knownTable(
  engine: Pick<Engine, "request">,
  environment: string,
  { catalog, schema, table }: TableName,
): Promise<TableMetadata | undefined> {
  const [one, two, three] = [catalog, schema, table].map((name) => name.toLowerCase()) as [
    string,
    string,
    string,
  ];
  const scope = { environment, catalog: one, schema: two };
  const { tables } = await engine.request("catalog", { scope, catalog: one, schema: two, table: three });
  const [found] = tables;
  if (!found) return undefined;
  const known = ({ comment, tags }: Pick<CatalogColumn, "comment" | "tags">) => ({
    description: comment,
    tags,
  });
  return {
    ...known(found),
    columns: Object.fromEntries(
      found.columns.map((column) => [column.name, { ...known(column), type: column.type }]),
    ),
  };
}
