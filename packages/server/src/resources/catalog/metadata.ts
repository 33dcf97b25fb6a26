import { metadataProblems, tagText } from "@lakehelm/codegen";
import type { GlossaryUpdateInput } from "@lakehelm/contract";
import type { CatalogMetadataChange, WarehouseScope } from "@lakehelm/engine";
import { conflict } from "../../core/errors.ts";

/** The change for the warehouse; rejects what code generation would reject. */
export function metadataChange(scope: WarehouseScope, request: GlossaryUpdateInput): CatalogMetadataChange {
  const problems = metadataProblems(request);
  if (problems.length > 0) throw conflict(problems.join(" "));
  const { catalog_name, schema_name, table_name, change } = request;
  return {
    scope,
    catalog: catalog_name,
    schema: schema_name,
    table: table_name,
    ...described(change.table_description),
    ...tagged(change.table_tags),
    columns: change.columns.map(({ column, description, column_tags }) => ({
      column,
      ...described(description),
      ...tagged(column_tags),
    })),
  };
}

/** As in generated code: null keeps a description, and the empty text removes it. */
const described = (text: string | null | undefined) =>
  typeof text === "string" ? { comment: text || null } : {};

const tagged = (tags: Readonly<Record<string, unknown>> | null | undefined) =>
  tags
    ? {
        tags: Object.fromEntries(
          Object.entries(tags).map(([key, value]) => [key, value === null ? null : (tagText(value) ?? "")]),
        ),
      }
    : {};
