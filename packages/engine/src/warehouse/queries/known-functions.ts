import type { DuckDBConnection } from "@duckdb/node-api";
import { nameForCaller } from "./spark-functions.ts";
import { findName, problemAt } from "./sql-text.ts";
import { type DuckDBNode, isNode } from "./syntax-tree.ts";

/** Functions that the binder knows without an entry in the catalog. */
const withoutEntry = new Set(["unnest", "grouping", "grouping_id", "columns"]);

/** Throws a DataProblem if a query calls a function that does not exist. The binder does the same where all tables exist. */
export async function requireFunctions(
  connection: DuckDBConnection,
  statement: DuckDBNode,
  sql: string,
): Promise<void> {
  const called = new Set<string>();
  addCalls(statement, called);
  const found = await connection.runAndReadAll(
    "SELECT DISTINCT lower(function_name) FROM duckdb_functions()",
  );
  const known = new Set(found.getRowsJson().map(([name]) => String(name)));
  const unknown = [...called].find((name) => !known.has(name) && !withoutEntry.has(name));
  if (unknown === undefined) return;
  const name = nameForCaller(unknown);
  throw problemAt(sql, findName(sql, [name], true), `there is no function ${name}().`);
}

function addCalls(value: unknown, called: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) addCalls(item, called);
  if (!isNode(value)) return;
  if (value.class === "FUNCTION" || value.class === "WINDOW")
    called.add(String(value.function_name).toLowerCase());
  for (const item of Object.values(value)) addCalls(item, called);
}
