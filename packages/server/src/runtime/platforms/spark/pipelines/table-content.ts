import { counted, verbFor } from "@lakehelm/contract/text";
import { DataProblem } from "@lakehelm/engine";
import type { RowNumbers } from "@lakehelm/engine/update";
import type { SparkColumn } from "@lakehelm/spark-connect";
import { quoteIdentifier } from "@lakehelm/sql/names";
import type { PipelineDataset } from "@lakehelm/sql/pipelines";
import { requireSafe } from "../work/script-statement.ts";
import type { WorkSession } from "../work/work-session.ts";

export type TypedColumn = Pick<SparkColumn, "name" | "type">;

/** The rows of a dataset: a query that returns its columns in their types, without the rows that expectations drop. */
export interface Content {
  readonly columns: readonly TypedColumn[];
  readonly query: string;
  readonly numbers: Pick<RowNumbers, "rows_dropped" | "expectations">;
  readonly rows: number;
}

/** Brings a query into the dataset's columns. Columns that a flow lacks are NULL. */
export async function datasetQuery(
  session: WorkSession,
  { columns, declared }: Pick<PipelineDataset, "columns" | "declared">,
  select: string,
  existing: readonly TypedColumn[] = [],
): Promise<{ readonly columns: readonly TypedColumn[]; readonly query: string }> {
  const found = await session.columns(select);
  const wanted = columns.map(({ name, selected }, at) => {
    const isSame = (one: { readonly name: string }, other: string) =>
      one.name.toLowerCase() === other.toLowerCase();
    const source =
      found.find((one) => isSame(one, selected)) ?? (found.length === columns.length ? found[at] : undefined);
    const type =
      declared.find((one) => isSame(one, name))?.type ??
      existing.find((one) => isSame(one, name))?.type ??
      source?.type ??
      "STRING";
    return { name, type, source: source?.name };
  });
  const items = wanted.map(
    ({ name, type, source }) =>
      `CAST(${source === undefined ? "NULL" : quoteIdentifier(source)} AS ${type}) AS ${quoteIdentifier(name)}`,
  );
  return {
    columns: wanted.map(({ name, type }) => ({ name, type })),
    query: `SELECT ${items.join(", ")} FROM (\n${select}\n)`,
  };
}

/** Counts what expectations say about the rows, before anything is written. Throws if one fails the update. */
export async function checkedContent(
  session: WorkSession,
  { name, table, expectations, declared }: PipelineDataset,
  { columns, query }: { readonly columns: readonly TypedColumn[]; readonly query: string },
): Promise<Content> {
  for (const { condition } of expectations) requireSafe(condition);
  const alias = quoteIdentifier(table.table);
  const required = declared.filter(({ notNull }) => notNull).map((column) => column.name);
  const keep = expectations
    .filter(({ action }) => action === "drop")
    .map(({ condition }) => `((${condition}\n) <=> true)`);
  const kept =
    keep.length === 0 ? query : `SELECT * FROM (\n${query}\n) AS ${alias} WHERE ${keep.join(" AND ")}`;
  const counts = [
    "count(*)",
    keep.length === 0 ? "count(*)" : `count_if(${keep.join(" AND ")})`,
    ...required.map((column) => `count_if(${quoteIdentifier(column)} IS NULL)`),
    ...expectations.map(({ condition }) => `count_if(NOT ((${condition}\n) <=> true))`),
  ];
  const [row = []] = await session.rows(`SELECT ${counts.join(", ")} FROM (\n${query}\n) AS ${alias}`);
  const [all = 0, rows = 0, ...others] = row.map(Number);
  const missing = required.findIndex((_, at) => (others[at] ?? 0) > 0);
  if (missing >= 0)
    throw new DataProblem(
      `${counted(others[missing], "row")} of ${name} ${verbFor(others[missing], "has", "have")} no value for ${required[missing]}, which is NOT NULL, so nothing was written.`,
    );
  const failed = others.slice(required.length);
  for (const [at, expectation] of expectations.entries()) {
    if (expectation.action !== "fail" || !failed[at]) continue;
    throw new DataProblem(
      `${failed[at]} of ${counted(all, "row")} of ${name} ${verbFor(failed[at], "does", "do")} not meet the expectation ${expectation.name}, so nothing was written.`,
    );
  }
  return {
    columns,
    query: kept,
    rows,
    numbers: {
      rows_dropped: all - rows,
      expectations: expectations.map(({ name: expectation, action }, at) => ({
        name: expectation,
        action,
        passed: all - (failed[at] ?? 0),
        failed: failed[at] ?? 0,
      })),
    },
  };
}

/** Columns as values that can be grouped: maps and variants as text. */
const comparable = ({ name, type }: TypedColumn): string =>
  /MAP<|VARIANT|INTERVAL/.test(type) ? `to_json(struct(${quoteIdentifier(name)}))` : quoteIdentifier(name);

/** How many rows are in one query and not in the other, counting duplicates, in one pass over both. */
export async function differences(
  session: WorkSession,
  columns: readonly TypedColumn[],
  now: string,
  before: string,
): Promise<{ readonly added: number; readonly removed: number }> {
  const keys = columns.map((column, at) => `${comparable(column)} AS c${at}`).join(", ");
  const names = columns.map((_, at) => `c${at}`).join(", ");
  const surplus = `SELECT sum(side) AS surplus FROM (
SELECT ${keys}, 1 AS side FROM (\n${now}\n) UNION ALL SELECT ${keys}, -1 AS side FROM (\n${before}\n)
) GROUP BY ${names} HAVING sum(side) <> 0`;
  const [row = []] = await session.rows(
    `SELECT coalesce(sum(greatest(surplus, 0)), 0), coalesce(sum(greatest(-surplus, 0)), 0) FROM (${surplus})`,
  );
  const [added = 0, removed = 0] = row.map(Number);
  return { added, removed };
}

/** Whether a table has these columns, in any order. */
export const hasColumns = (existing: readonly TypedColumn[], wanted: readonly TypedColumn[]): boolean =>
  existing.length === wanted.length &&
  wanted.every(({ name, type }) =>
    existing.some((one) => one.name.toLowerCase() === name.toLowerCase() && one.type === type),
  );
