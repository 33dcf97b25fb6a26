import type { DuckDBConnection } from "@duckdb/node-api";
import type { WarehouseColumn } from "../protocol/column.ts";
import { rowText, scalar } from "../warehouse/relation.ts";
import { rowIdOf } from "./row-ids.ts";

/** Rows that each thread of DuckDB has in memory at once when it merges sorted rows. */
const mergedRows = 122_880;
const sampledRows = 1_000;

export interface SortedRows {
  readonly relation: string;
  readonly rows: number;
  readonly columns: readonly WarehouseColumn[];
  /** SQL of the values that are selected, and of those that make the order. */
  readonly expressions: readonly string[];
  readonly order: readonly string[];
  /** The number of rows in each part is a multiple of this, except in the last part. */
  readonly batch: number;
  readonly memoryMb: number;
}

/**
 * SQL: queries that together return all rows in order. There is more than one if the rows are too long to be sorted as a whole. Then
 * their row ids are sorted, and each query finds and sorts the next part of the rows.
 */
export async function sortedParts(connection: DuckDBConnection, sorted: SortedRows): Promise<string[]> {
  const { relation, rows, expressions, order, batch } = sorted;
  const values = expressions.join(", ");
  const rowId = await rowIdOf(connection, relation);
  const part = rowId === undefined ? rows : await rowsOfPart(connection, sorted, rowId);
  if (rowId === undefined || part >= rows)
    return [`SELECT ${values} FROM ${relation} ORDER BY ${order.join(", ")}`];
  const names = order.map((_, at) => `_lakehelm_order_${at}`);
  const narrow = order.map((sql, at) => `${sql} AS ${names[at]}`).join(", ");
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE sorted_row_ids AS SELECT _lakehelm_row, row_number() OVER (ORDER BY ${names.join(", ")}) AS _lakehelm_place FROM (SELECT ${rowId} AS _lakehelm_row, ${narrow} FROM ${relation})`,
  );
  const size = Math.max(1, Math.floor(part / batch)) * batch;
  return Array.from({ length: Math.ceil(rows / size) }, (_, at) => {
    const part = `SELECT _lakehelm_row, _lakehelm_place FROM sorted_row_ids WHERE _lakehelm_place > ${at * size} AND _lakehelm_place <= ${(at + 1) * size}`;
    return `SELECT ${values} FROM ${relation} JOIN (${part}) ON ${rowId} = _lakehelm_row ORDER BY _lakehelm_place`;
  });
}

/** The number of rows that can be sorted at once: all, or as many as fit into an eighth of the memory. */
async function rowsOfPart(
  connection: DuckDBConnection,
  { relation, rows, columns, memoryMb }: SortedRows,
  rowId: string,
): Promise<number> {
  const sample = `${rowId} % ${Math.ceil(rows / sampledRows)} = 0`;
  const found = await scalar(
    connection,
    `SELECT avg(strlen(${rowText(columns)})) FROM ${relation} WHERE ${sample}`,
  );
  const bytes = Math.max(1, Number(found));
  const threads = Number(await scalar(connection, "SELECT current_setting('threads')"));
  const merged = bytes * Math.min(rows, mergedRows) * threads;
  return merged <= memoryMb * 250_000 ? rows : Math.floor((memoryMb * 125_000) / bytes);
}
