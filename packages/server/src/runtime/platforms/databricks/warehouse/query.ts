import { DataProblem, type QueryRequest, type QueryResult } from "@lakehelm/engine";
import { sparkPlanText } from "../../spark-plan.ts";
import type { Workspace } from "../workspaces.ts";
import { isInteger, jsonValue } from "./result-json.ts";
import { runStatement, type StatementResult } from "./statement.ts";

export interface QueryLimits {
  readonly rows: number;
  readonly timeoutMs: number;
  readonly answerBytes: number;
}

/** Runs one query, which can only read, and returns a page of its rows. */
export async function runQuery(
  workspace: Workspace,
  query: QueryRequest,
  limits: QueryLimits,
  signal: AbortSignal,
): Promise<QueryResult> {
  if (query.dialect !== "databricks") {
    throw new DataProblem("A SQL warehouse of Databricks runs only Databricks SQL. Leave out dialect.");
  }
  if (query.format === "arrow" || query.format === "parquet")
    throw new DataProblem("A SQL warehouse of Databricks returns JSON only.");
  // Loaded when it is needed: most servers never query a workspace.
  const { readOnlyQuery } = await import("../../read-only-query.ts");
  const text = readOnlyQuery(query.sql);
  const end = performance.now() + Math.min(query.timeoutMs, limits.timeoutMs);
  const run = async (select: string, rest: string): Promise<StatementResult> => {
    const timeoutMs = Math.max(1, Math.round(end - performance.now()));
    // As a subquery the text can only be a query. It is on lines of its own, so that a comment at its end does not hide
    // the bracket.
    const statement = { sql: `${select} FROM (\n${text}\n)${rest}`, timeoutMs, maxBytes: limits.answerBytes };
    try {
      return await runStatement(workspace, { ...statement, isIdempotent: true }, signal);
    } catch (error) {
      throw error instanceof DataProblem ? inCallersLines(error) : error;
    }
  };
  if (query.format === "count") return countRows(run);
  if (query.format === "plan") return planOf(await run("EXPLAIN FORMATTED SELECT *", ""));
  const limit = Math.min(query.limit, limits.rows);
  const result = await run("SELECT *", ` LIMIT ${limit + 1} OFFSET ${query.skip}`);
  return jsonPage(result, limit, limits.answerBytes);
}

type Run = (select: string, rest: string) => Promise<StatementResult>;

/** The value of a single row with a single integer column, otherwise the number of rows. */
async function countRows(run: Run): Promise<QueryResult> {
  const { columns: found, rows, isTruncated } = await run("SELECT *", " LIMIT 2");
  const columns = namesAndTypes(found);
  const [column] = found;
  const [value] = rows[0] ?? [];
  if (rows.length === 1 && found.length === 1 && column && isInteger(column) && value != null) {
    return { columns, count: 1, more: false, value: Number(value) };
  }
  if (rows.length < 2 && !isTruncated)
    return { columns, count: rows.length, more: false, value: rows.length };
  const counted = await run("SELECT count(*)", "");
  const count = Number(counted.rows[0]?.[0] ?? 0);
  return { columns, count, more: false, value: count };
}

function planOf({ rows }: StatementResult): QueryResult {
  const text = sparkPlanText(rows.map(([line]) => line ?? "").join("\n"));
  return { columns: [], count: 0, more: false, plan: { text, operators: null } };
}

/** The page ends earlier if its text is longer than an answer may be. */
function jsonPage({ columns, rows, isTruncated }: StatementResult, limit: number, most: number): QueryResult {
  const texts: string[] = [];
  let bytes = 2;
  for (const row of rows.slice(0, limit)) {
    const text = JSON.stringify(columns.map((column, at) => jsonValue(row[at] ?? null, column)));
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > most) break;
    texts.push(text);
  }
  const more = isTruncated || rows.length > texts.length;
  if (more && texts.length === 0) {
    throw new DataProblem(`A row is larger than ${most} bytes. Select fewer or shorter columns.`);
  }
  return {
    columns: namesAndTypes(columns),
    rows: Buffer.from(`[${texts.join(",")}]`),
    count: texts.length,
    more,
  };
}

const namesAndTypes = (columns: StatementResult["columns"]) =>
  columns.map(({ name, type }) => ({ name, type }));

/** The caller's first line is the second one of what was sent: `(line 2, pos 7)`. */
const inCallersLines = (error: DataProblem): DataProblem =>
  new DataProblem(
    error.message.replace(/\bline (\d{1,7})\b/g, (all, line: string) =>
      Number(line) > 1 ? `line ${Number(line) - 1}` : all,
    ),
    { retryable: error.retryable, cause: error },
  );
