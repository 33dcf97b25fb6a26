import { quoteIdentifier } from "@lakehelm/sql/names";
import { descending, lines, quotedNames } from "../expressions.ts";
import { type ConsumptionFlow, type FlowColumn, keyOf, views } from "../flow.ts";

export const rankColumn = "lakehelm_rank";

/** The priority of a row: matched rows first, then rechecked ones, then those of the table. */
export const ageColumn = "lakehelm_age";

/** The run's rows with their rank within their key. Rank 1 is published, and is the same row in every run. */
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

/** The columns that are neither key nor sequence. */
export const otherColumns = ({ columns, sequence }: ConsumptionFlow): FlowColumn[] =>
  columns.filter((column) => !column.isKey && column !== sequence);

/** A query with named CTEs, readable from top to bottom. */
export function withCtes(ctes: Readonly<Record<string, string>>, query: string): string {
  const written = Object.entries(ctes).map(
    ([name, sql]) => `${quoteIdentifier(name)} AS (\n${indented(sql)}\n)`,
  );
  return `WITH ${written.join(",\n")}\n${query}`;
}

const indented = (sql: string) => sql.replace(/^/gm, "  ");
