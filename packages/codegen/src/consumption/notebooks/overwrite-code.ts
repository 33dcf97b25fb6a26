import { type ConsumptionFlow, dateOf, replacingRows, views } from "@lakehelm/flows";
import { sqlName } from "@lakehelm/sql/names";
import { pythonString } from "../../text/python.ts";

/** The statement that overwrites all rows, for the checks. */
export const overwriteStatements = (flow: ConsumptionFlow): string[] =>
  flow.publishing === "replace"
    ? [`INSERT OVERWRITE ${sqlName(flow.target)} SELECT * FROM ${views.changes}`]
    : [];

/**
 * Replaces the rows of a table. Databricks overwrites all rows, or those of one date, and keeps the clustering. On
 * open-source Delta an overwrite would lose the clustering, so `merge`, the code of the flow's own steps, runs there.
 */
export function overwriteCode(flow: ConsumptionFlow, merge: string): string {
  const { businessDate } = flow;
  const all = `    spark.sql(${overwriteStatements(flow).map(pythonString)})`;
  const ofDate = [
    "    if business_date:",
    `        replaced = ${pythonString(businessDate ? dateOf(businessDate) : "")} + f" = DATE '{date.fromisoformat(business_date)}'"`,
    `        spark.sql(f"INSERT INTO {TARGET} REPLACE WHERE {replaced} SELECT * FROM ${views.changes}")`,
    "    else:",
    `    ${all}`,
  ];
  return [
    'if "DATABRICKS_RUNTIME_VERSION" in os.environ:',
    "    # An overwrite, which keeps the clustering here. Columns that the flow does not have are null.",
    `    rows = spark.table("${replacingRows(flow)}")`,
    "    given = {name.lower(): name for name in rows.columns}",
    "    columns = []",
    `    for field in spark.table(${pythonString(sqlName(flow.target))}).schema:`,
    "        name = given.get(field.name.lower())",
    '        value = rows["`" + name.replace("`", "``") + "`"] if name else F.lit(None).cast(field.dataType)',
    "        columns.append(value.alias(field.name))",
    `    rows.select(*columns).createOrReplaceTempView("${views.changes}")`,
    ...(businessDate ? ofDate : [all]),
    '    outcome = "the rows were replaced"',
    "else:",
    merge.replace(/^(?=.)/gm, "    "),
    '    outcome = f"{published.num_inserted_rows} rows inserted, {published.num_deleted_rows} deleted"',
  ].join("\n");
}
