import { quoteIdentifier } from "@lakehelm/sql/names";
import { descending, lines, quotedNames } from "../expressions.ts";
import { type ConsumptionFlow, type FlowColumn, keyOf, views } from "../flow.ts";
import type { FlowStep } from "../step.ts";

export const rankColumn = "lakehelm_rank";

/** The origin of a row: 1 matched_sql, 2 recheck_sql, 3 the table. */
export const ageColumn = "lakehelm_age";

/**
 * The run's rows, ranked within their key. The row with rank 1 is published. Every run ranks the same rows in the same
 * way.
 */
export function rankedRows(flow: ConsumptionFlow): string {
  const key = keyOf(flow);
  const order = [
    ...(flow.sequence ? [descending(flow.sequence)] : []),
    ...(flow.recheck ? [ageColumn] : []),
    ...otherColumns(flow).map(descending),
  ];
  return rankedQuery(views.rows, quotedNames(key), order.length > 0 ? order : quotedNames(key));
}

export const rankedQuery = (rows: string, partition: readonly string[], order: readonly string[]): string =>
  [
    "SELECT",
    "  *,",
    "  row_number() OVER (",
    `    PARTITION BY ${partition.join(", ")}`,
    order.length > 1 ? `    ORDER BY\n${lines(order, "      ")}` : `    ORDER BY ${order.join("")}`,
    `  ) AS ${rankColumn}`,
    `FROM ${rows}`,
  ].join("\n");

/** The number of rows of matched_sql that are not published because another row has the same key (and sequence). */
export const duplicatesStep = (flow: ConsumptionFlow, ctes: Readonly<Record<string, string>>): FlowStep => ({
  kind: "count",
  name: "duplicates",
  about: "Rows of matched_sql that are not published, because another row of their key outranks them.",
  sql: withCtes(
    ctes,
    [
      "SELECT count(*) AS found",
      "FROM ranked",
      `WHERE ${rankColumn} > 1`,
      // A rechecked row often is a row of matched_sql, too.
      ...(flow.recheck || flow.publishing === "history" ? [`  AND ${ageColumn} = 1`] : []),
    ].join("\n"),
  ),
  remark: duplicatesRemark(flow),
  // With a sequence, several rows of a key are expected: the newest one is published.
  level: flow.sequence && flow.publishing !== "history" ? "info" : "warn",
});

function duplicatesRemark({ publishing, sequence }: ConsumptionFlow): string {
  if (publishing === "history" && sequence)
    return `rows have the key and the ${sequence.name} of another row: the greatest by its other columns, in their order, is the version, in whatever run it comes. Give every change its own ${sequence.name}.`;
  if (sequence)
    return `rows are older than another row of their key in this run, or have the same ${sequence.name}.`;
  return "rows have the key of another row: the greatest by its other columns, in their order, was published. Let matched_sql return each key once, or name the column that orders its rows in sequence_by.";
}

/** The columns that are neither key nor sequence. */
export const otherColumns = ({ columns, sequence }: ConsumptionFlow): FlowColumn[] =>
  columns.filter((column) => !column.isKey && column !== sequence);

/** A query with named CTEs. */
export function withCtes(ctes: Readonly<Record<string, string>>, query: string): string {
  const written = Object.entries(ctes).map(
    ([name, sql]) => `${quoteIdentifier(name)} AS (\n${indented(sql)}\n)`,
  );
  return `WITH ${written.join(",\n")}\n${query}`;
}

const indented = (sql: string) => sql.replace(/^/gm, "  ");
