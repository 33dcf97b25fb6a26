import { quoteIdentifier, sqlName, type TableName } from "@lakehelm/sql/names";
import { conjunction, lines, listed, qualified } from "./expressions.ts";

export interface Merge {
  readonly table: TableName;
  /** A view or a query in parentheses. */
  readonly rows: string;
  readonly target: string;
  readonly source: string;
  readonly on: readonly string[];
  readonly clauses: readonly string[];
}

export const merge = ({ table, rows, target, source, on, clauses }: Merge): string =>
  [
    `MERGE INTO ${sqlName(table)} AS ${target}`,
    `USING ${rows} AS ${source}`,
    `ON ${conjunction(on)}`,
    ...clauses,
  ].join("\n");

/** Columns are listed, because with `*` the columns would have to match the table exactly. */
export const insertClause = (
  source: string,
  columns: readonly string[],
  { when = "", values = new Map() }: { when?: string; values?: ReadonlyMap<string, string> } = {},
): string =>
  [
    `WHEN NOT MATCHED${when && ` AND ${when}`} THEN INSERT (`,
    listed(columns.map(quoteIdentifier)),
    ") VALUES (",
    listed(columns.map((name) => values.get(name) ?? qualified(source, name))),
    ")",
  ].join("\n");

/** `columns` are quoted names. */
export const updateClause = (source: string, columns: readonly string[]): string =>
  ["WHEN MATCHED THEN UPDATE SET", lines(columns.map((column) => `${column} = ${source}.${column}`))].join(
    "\n",
  );
