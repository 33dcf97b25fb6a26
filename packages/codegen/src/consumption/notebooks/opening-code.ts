import { type ConsumptionFlow, views } from "@lakehelm/flows";
import type { NameDefaults } from "@lakehelm/sql/names";
import { nameCode } from "../../name-variables.ts";
import { type CodeCell, opening, parameterFunction } from "../../notebook.ts";

/** In UTC, dates and times have the same meaning on every machine. */
export const inUtc = 'spark.conf.set("spark.sql.session.timeZone", "UTC")';

export function openingCode(
  flow: ConsumptionFlow,
  cells: readonly CodeCell[],
  defaults: NameDefaults,
): string {
  const replaces = flow.publishing === "replace";
  const body = cells.map(({ code }) => code).join("\n");
  const names = nameCode(body, defaults);
  const imports = [
    "import argparse",
    ...(flow.businessDate ? ["from datetime import date"] : []),
    ...(flow.businessDate || replaces ? ["from pyspark.sql import functions as F"] : []),
    "import json",
    "import os",
  ];
  return [
    opening(imports, [inUtc]),
    ...(names ? [names] : []),
    ...(names ? [] : [parameterFunction]),
    refreshParameters,
    ...(flow.businessDate ? [businessDate(flow)] : []),
    ...(flow.unmatched ? [newColumns] : []),
  ].join("\n\n\n");
}

const refreshParameters = [
  "# Builds the table again from the SELECT. Of a history, that takes the consent to lose its versions.",
  'full_refresh = parameter("full_refresh", "false").lower() == "true"',
  'discard_history = parameter("discard_history", "false").lower() == "true"',
].join("\n");

const businessDate = (flow: ConsumptionFlow) =>
  [
    "# Without a date, the run is for all dates.",
    'business_date = parameter("business_date", "")',
    "if business_date and full_refresh:",
    '    raise ValueError("full_refresh and business_date exclude each other.")',
    "if business_date:",
    "    date.fromisoformat(business_date)  # fails for anything else",
    ...(flow.publishing === "replace"
      ? [
          '    today = spark.range(1).select(F.lit(business_date).cast("date").alias("business_date"))',
          `    today.createOrReplaceTempView("${views.run}")`,
        ]
      : []),
    "",
    "",
    "def of_date(rows, row_date):",
    '    """With a business date, only the rows of that date. `row_date` is the expression for it."""',
    "    if not business_date:",
    "        return rows",
    '    return rows.where(F.expr(row_date) == F.lit(business_date).cast("date"))',
  ].join("\n");

const newColumns = `
def add_new_columns(table, view):
    """Adds columns that the table does not have yet, by an append of no rows."""
    there = {field.name.lower() for field in spark.table(table).schema}
    if any(field.name.lower() not in there for field in spark.table(view).schema):
        nothing = spark.table(view).limit(0)
        nothing.write.format("delta").mode("append").option("mergeSchema", "true").saveAsTable(table)
`.trim();
