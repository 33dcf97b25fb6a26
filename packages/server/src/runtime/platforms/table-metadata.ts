import type { TableMetadata } from "@lakehelm/codegen";
import type { CatalogColumn, CatalogTable } from "@lakehelm/engine";

/** A table of the catalog, for code generation. */
export function tableMetadata(table: CatalogTable): TableMetadata {
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
