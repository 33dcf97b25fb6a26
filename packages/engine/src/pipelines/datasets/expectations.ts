import type { DuckDBConnection } from "@duckdb/node-api";
import { counted, verbFor } from "@lakehelm/contract/text";
import type { PipelineDataset } from "@lakehelm/sql/pipelines";
import type { TableUpdateStatus } from "../../protocol/pipeline.ts";
import { DataProblem } from "../../protocol/problem.ts";
import { quote } from "../../warehouse/names.ts";
import type { BoundExpectation } from "../code/bound-step.ts";

export interface ExpectationResults {
  readonly expectations: TableUpdateStatus["expectations"];
  readonly dropped: number;
}

/** Characters of a condition that a message shows. */
const maxCondition = 300;

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
  { name, table: { table }, expectations: written }: PipelineDataset,
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
    const condition = written.find((one) => one.name === expectation.name)?.condition ?? "";
    const isShort = condition.length <= maxCondition;
    const how = isShort ? `, with its SELECT and WHERE (${condition.replace(/\s+/g, " ")}) IS NOT TRUE,` : "";
    throw new DataProblem(
      `${failed[at]} of ${counted(rows, "row")} of ${name} ${verbFor(failed[at], "does", "do")} not meet the expectation ${expectation.name}, so nothing was written. Look for such rows in the tables that it reads${how} and correct them, or leave them out with ON VIOLATION DROP ROW.`,
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
