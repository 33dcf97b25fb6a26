import { quoteIdentifier, sqlName, type TableName } from "@lakehelm/sql/names";
import { type CodeCell, notebook, opening } from "../notebook.ts";
import { pythonString, pythonText } from "../text/python.ts";
import type { ChangeStatement } from "./change.ts";

/** The same statements for a job. Where tags do not exist it applies the descriptions and says what it left out. */
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
      // Several lines come in parentheses, which do for the call's.
      return text.startsWith("(") ? `change_tags${text}` : `change_tags(${text})`;
    case "unset tag": {
      const column = change.column === undefined ? "" : `, column=${pythonString(change.column)}`;
      return `remove_tag(${text}, tag=${pythonString(change.key)}${column})`;
    }
  }
}

const changeTags = `
def change_tags(statement):
    """Tags live in Unity Catalog. Open-source Spark cannot read such a statement: there it is left out."""
    if "DATABRICKS_RUNTIME_VERSION" in os.environ:
        spark.sql(statement)
    else:
        print(f"Left out, since there are no tags here: {statement}")
`.trim();

/** Only the views that are asked: a table's tags and those of columns are two. */
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
    '    """Databricks may call it a mistake to remove a tag that is already gone. Here it is none."""',
    "    try:",
    "        change_tags(statement)",
    "    except Exception as error:",
    `        tags = spark.table(${views})`,
    `        tags = tags.where(F.col("schema_name") == ${pythonString(table.schema.toLowerCase())})`,
    `        tags = tags.where(F.col("table_name") == ${pythonString(table.table.toLowerCase())})`,
    '        tags = tags.where(F.col("tag_name") == tag)',
    ...(ofColumns && ofTable ? ["        if column is not None:", `            ${narrowing}`] : []),
    ...(ofColumns && !ofTable ? [`        ${narrowing}`] : []),
    "        # Whoever may not see the table sees no tags either: that is another mistake.",
    `        if not spark.catalog.tableExists(${pythonString(sqlName(table))}) or not tags.isEmpty():`,
    "            raise",
    '        print(f"Nothing to remove: {statement} ({error})")',
  ].join("\n");
}
