import { quoteIdentifier, type TableName } from "@lakehelm/sql/names";
import type { CodeFeatures } from "./code-layout.ts";

/** The notebook's data about personal columns: the columns known now, and the catalog's table of tags. */
export const suppression = (source: TableName, suppressed: boolean, leftOut: readonly string[]): object => ({
  left_out: leftOut,
  tagged_in: suppressed
    ? [
        `${quoteIdentifier(source.catalog)}.information_schema.column_tags`,
        source.schema.toLowerCase(),
        source.table.toLowerCase(),
      ]
    : null,
});

/** Python: `personal_columns()`. Requires `import os`. */
export const suppressionCode = ({ leavesOut }: CodeFeatures): string =>
  leavesOut
    ? `
def personal_columns(table):
    """The columns to leave out: those in left_out, and those that have the tag pii in Unity Catalog now."""
    if not table["tagged_in"]:
        return []
    names = list(table["left_out"])
    if "DATABRICKS_RUNTIME_VERSION" in os.environ:
        view, schema, name = table["tagged_in"]
        tags = spark.table(view).where((F.col("schema_name") == schema.lower()) & (F.col("table_name") == name))
        is_personal = F.lower(F.coalesce("tag_value", F.lit(""))) != "false"
        tags = tags.where((F.col("tag_name") == "pii") & is_personal).select("column_name")
        names += [row["column_name"] for row in tags.collect()]
    if not names:
        raise ValueError(f"{table['source']} has no columns that are known to be personal: tag them with pii.")
    return names
`
    : "";
