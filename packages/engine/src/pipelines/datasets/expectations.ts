import type { DuckDBConnection } from "@duckdb/node-api";
import type { WarehouseColumn } from "../../protocol/column.ts";
import type { TableUpdateStatus } from "../../protocol/pipeline.ts";
import { DataProblem } from "../../protocol/problem.ts";
import { quote } from "../../warehouse/names.ts";
import { rowText, scalar } from "../../warehouse/relation.ts";
import type { BoundExpectation } from "../code/bound-step.ts";

export interface ExpectationResults {
  readonly expectations: TableUpdateStatus["expectations"];
  readonly dropped: number;
}

/** The condition under which expectations keep a row. */
export function keepCondition(expectations: readonly BoundExpectation[]): string {
  const dropping = expectations.filter(({ action }) => action === "drop");
  return dropping.length === 0
    ? "true"
    : dropping.map(({ condition }) => `(${condition}) IS TRUE`).join(" AND ");
}

/**
 * Counts the rows that meet each expectation. A row whose condition is NULL violates it. Throws a DataProblem if an
 * expectation fails the update. Conditions may qualify columns with the name of their dataset.
 */
export async function checkExpectations(
  connection: DuckDBConnection,
  relation: string,
  { name, table, columns }: { name: string; table: string; columns: readonly WarehouseColumn[] },
  expectations: readonly BoundExpectation[],
): Promise<ExpectationResults> {
  if (expectations.length === 0) return { expectations: [], dropped: 0 };
  const from = `${relation} AS ${quote(table)}`;
  const violated = ({ condition }: BoundExpectation) => `(${condition}) IS NOT TRUE`;
  const counts = expectations.map((expectation) => `count(*) FILTER (WHERE ${violated(expectation)})`);
  const dropped = `count(*) FILTER (WHERE NOT (${keepCondition(expectations)}))`;
  const found = await connection.runAndReadAll(
    `SELECT count(*), ${dropped}, ${counts.join(", ")} FROM ${from}`,
  );
  const [rows = 0, droppedRows = 0, ...failed] = (found.getRowsJson()[0] ?? []).map(Number);
  for (const [at, expectation] of expectations.entries()) {
    if (expectation.action !== "fail" || !failed[at]) continue;
    const sample = await scalar(
      connection,
      `SELECT ${rowText(columns, `${quote(table)}.`)} FROM ${from} WHERE ${violated(expectation)} LIMIT 1`,
    );
    throw new DataProblem(
      `${failed[at]} of ${rows} rows of ${name} do not meet the expectation ${expectation.name}, so nothing was written. For example: ${sample}`,
    );
  }
  return {
    expectations: expectations.map(({ name: expectationName, action }, at) => ({
      name: expectationName,
      action,
      passed: rows - (failed[at] ?? 0),
      failed: failed[at] ?? 0,
    })),
    dropped: droppedRows,
  };
}
