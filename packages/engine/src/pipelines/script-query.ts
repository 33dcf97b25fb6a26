import type { DuckDBConnection } from "@duckdb/node-api";
import type { EngineLimits } from "../protocol/limits.ts";
import type { ScriptResult } from "../protocol/script.ts";
import { databricksType } from "../protocol/types.ts";
import { jsonRows } from "../warehouse/queries/json-rows.ts";
import { readPage } from "../warehouse/queries/result-page.ts";
import { inStableOrder } from "../warehouse/queries/row-order.ts";
import { columnForCaller } from "../warehouse/queries/spark-functions.ts";
import { countRows } from "../warehouse/relation.ts";
import { parseSelect } from "./code/table-substitution.ts";

const defaultRows = 100;

/** Runs a query of a script within the script's transaction. The query is in DuckDB's dialect and allowed to run. */
export async function runScriptQuery(
  connection: DuckDBConnection,
  sql: string,
  limits: EngineLimits,
  maxRows = defaultRows,
): Promise<Pick<ScriptResult, "columns" | "rows" | "count" | "value">> {
  const statement = await parseSelect(connection, sql);
  const described = (await connection.runAndReadAll(`DESCRIBE ${sql}`)).getRowsJson();
  const columns = described.map(([name, type]) => ({
    name: columnForCaller(String(name)),
    type: databricksType(String(type)),
  }));
  const result = await connection.stream(inStableOrder({ sql, statement, tables: [] }));
  const names = columns.map(({ name }) => name);
  const page = await readPage(result, { columns: names, skip: 0, limit: maxRows, limits });
  const rows = jsonRows(page);
  const [first] = rows;
  return {
    columns,
    rows,
    count: page.more ? await countRows(connection, `(${sql})`) : page.count,
    value: page.count === 1 && !page.more && columns.length === 1 ? first?.[0] : null,
  };
}
