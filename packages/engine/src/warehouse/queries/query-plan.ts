import type { DuckDBConnection } from "@duckdb/node-api";
import { counted } from "@lakehelm/contract/text";
import { DataProblem } from "../../protocol/problem.ts";
import type { PlanOperator, QueryPlan } from "../../protocol/query.ts";
import { columnForCaller } from "./spark-functions.ts";

interface DuckDBOperator {
  readonly name: string;
  readonly children: readonly DuckDBOperator[];
  readonly extra_info: Readonly<Record<string, string | readonly string[]>>;
}

/** The plan of a query that is allowed to run. DuckDB optimizes it, and reads no row. */
export async function readPlan(
  connection: DuckDBConnection,
  sql: string,
  answerBytes: number,
): Promise<QueryPlan> {
  const read = await connection.runAndReadAll(`EXPLAIN (FORMAT json) ${sql}`);
  const json = String(read.getRowsJson()[0]?.[1] ?? "[]");
  if (json.length > answerBytes)
    throw new DataProblem(`The plan is larger than ${answerBytes} bytes. Split the query up.`);
  const operators = (JSON.parse(json) as readonly DuckDBOperator[]).flatMap((root) => [...flat(root, 0)]);
  return { text: operators.map(textOf).join("\n"), operators };
}

const rowsKey = "Estimated Cardinality";

function* flat({ name, children, extra_info }: DuckDBOperator, depth: number): Generator<PlanOperator> {
  const { [rowsKey]: rows, ...details } = extra_info;
  const estimated = Number(rows);
  yield {
    depth,
    name: name.trim(),
    details: Object.fromEntries(
      Object.entries(details).map(([key, value]) => [
        key,
        columnForCaller(Array.isArray(value) ? value.join(", ") : String(value)),
      ]),
    ),
    estimated_rows: rows === undefined || Number.isNaN(estimated) ? null : estimated,
  };
  for (const child of children) yield* flat(child, depth + 1);
}

function textOf({ depth, name, details, estimated_rows }: PlanOperator): string {
  const indent = "  ".repeat(depth);
  const about = Object.entries(details).map(([key, value]) => `${indent}    ${key}: ${value}`);
  const rows = estimated_rows === null ? "" : ` (about ${counted(estimated_rows, "row")})`;
  return [`${indent}${name}${rows}`, ...about].join("\n");
}
