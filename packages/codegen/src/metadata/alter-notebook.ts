import { quoteIdentifier, sqlName, type TableName } from "@lakehelm/sql/names";
import { type CodeCell, notebook, opening } from "../notebook.ts";
import { pythonString, pythonText } from "../text/python.ts";
import type { ChangeStatement } from "./change.ts";

/**
 * The statements of the SQL file, for a job. On platforms without tags, it applies the descriptions and prints what it
 * skipped.
 */
export function alterNotebook(table: TableName, changes: readonly ChangeStatement[], where: string): string {
  const removals = changes.filter(({ kind }) => kind === "unset tag");
  const tags = changes.some(({ kind }) => kind !== "describe");
  const imports = [
    ...(tags ? ["import os"] : []),
    ...(removals.length > 0 ? ["from pyspark.sql import functions as F"] : []),
  ];
  const functions = [
    ...(tags ? [changeTags] : []),
    ...(removals.length > 0 ? [removeTag(table, removals)] : []),
  ];
  const calls = (cell: string, some: readonly ChangeStatement[]): CodeCell[] =>
    some.length > 0 ? [{ title: cell, code: some.map(call).join("\n") }] : [];
  return notebook(
    [
      `Descriptions and tags of ${sqlName(table)}, by the statements of alter.sql.`,
      `Running it again changes nothing. ${where}`,
    ],
    [
      { title: "Session", code: opening(imports) },
      ...(functions.length > 0 ? [{ title: "Tags", code: functions.join("\n\n\n") }] : []),
      ...calls(
        "Table",
        changes.filter(({ column }) => column === undefined),
      ),
      ...calls(
        "Columns",
        changes.filter(({ column }) => column !== undefined),
      ),
    ],
  );
}

function call(change: ChangeStatement): string {
  const text = pythonText(change.sql);
  switch (change.kind) {
    case "describe":
      return `spark.sql(${text})`;
    case "set tags":
      // A text of several lines already has parentheses.
      return text.startsWith("(") ? `change_tags${text}` : `change_tags(${text})`;
    case "unset tag": {
      const column = change.column === undefined ? "" : `, column=${pythonString(change.column)}`;
      return `remove_tag(${text}, tag=${pythonString(change.key)}${column})`;
    }
  }
}

const changeTags = `
def change_tags(statement):
    """Tags exist only in Unity Catalog. Open-source Spark cannot parse the statement, so it is skipped there."""
    if "DATABRICKS_RUNTIME_VERSION" in os.environ:
        spark.sql(statement)
    else:
        print(f"Skipped, because there are no tags here: {statement}")
`.trim();

/** Only the views that are needed: tags of tables and tags of columns are in different views. */
function removeTag(table: TableName, removals: readonly ChangeStatement[]): string {
  const ofTable = removals.some(({ column }) => column === undefined);
  const ofColumns = removals.some(({ column }) => column !== undefined);
  const view = (name: string) => pythonString(`${quoteIdentifier(table.catalog)}.information_schema.${name}`);
  const parameters = `statement, tag${ofColumns ? (ofTable ? ", column=None" : ", column") : ""}`;
  const views =
    ofTable && ofColumns
      ? `${view("table_tags")} if column is None else ${view("column_tags")}`
      : view(ofTable ? "table_tags" : "column_tags");
  const narrowing = 'tags = tags.where(F.lower("column_name") == column.lower())';
  return [
    `def remove_tag(${parameters}):`,
    '    """Databricks may fail to remove a tag that does not exist. Here that is not an error."""',
    "    try:",
    "        change_tags(statement)",
    "    except Exception as error:",
    `        tags = spark.table(${views})`,
    `        tags = tags.where(F.col("schema_name") == ${pythonString(table.schema.toLowerCase())})`,
    `        tags = tags.where(F.col("table_name") == ${pythonString(table.table.toLowerCase())})`,
    '        tags = tags.where(F.col("tag_name") == tag)',
    ...(ofColumns && ofTable ? ["        if column is not None:", `            ${narrowing}`] : []),
    ...(ofColumns && !ofTable ? [`        ${narrowing}`] : []),
    "        # Without access to the table no tags are visible either: then the error is real.",
    `        if not spark.catalog.tableExists(${pythonString(sqlName(table))}) or not tags.isEmpty():`,
    "            raise",
    '        print(f"Nothing to remove: {statement} ({error})")',
  ].join("\n");
}
