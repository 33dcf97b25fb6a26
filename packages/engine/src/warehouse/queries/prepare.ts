import type { DuckDBConnection } from "@duckdb/node-api";
import { unitsOf } from "@lakehelm/codegen/sql";
import type { Query } from "../../requests.ts";
import { fullName, sqlName, type TableName } from "../names.ts";
import type { Warehouse } from "../warehouse.ts";
import { firstWord, problemAt, whereIs } from "./places.ts";
import { makeReadable } from "./readable.ts";
import { meanAsInSpark } from "./spark-meaning.ts";
import { parse, write } from "./tree.ts";

/** A query that may run, in DuckDB's SQL with every table by its full name, and these names. */
export interface Prepared {
  readonly sql: string;
  readonly tables: readonly string[];
}

const queryWords = new Set(["SELECT", "WITH", "VALUES", "FROM", "TABLE"]);

/** Whether a text is one query is for DuckDB's parser to say: it makes trees of SELECTs and of nothing else. */
export async function prepareQuery(
  warehouse: Warehouse,
  connection: DuckDBConnection,
  query: Pick<Query, "where" | "sql" | "dialect">,
  /** Tables that the connection's own transaction has made, and that nobody else sees yet. */
  made: readonly TableName[] = [],
  signal: AbortSignal = new AbortController().signal,
): Promise<Prepared> {
  const { sql, dialect } = query;
  const word = firstWord(sql);
  if (word === "") throw problemAt(sql, undefined, "the text is empty: expected a SELECT.");
  if (!queryWords.has(word)) {
    const message = `${word} is not a query: only SELECT, WITH and VALUES can be run here, and they only read.`;
    throw problemAt(sql, whereIs(sql, [word]), message);
  }
  const text = dialect === "databricks" ? await warehouse.translation.translate(sql, signal) : sql;
  const parsed = await parse(connection, text);
  if (parsed.error !== undefined) {
    const { error, at } = parsed;
    const place = dialect === "duckdb" && at !== undefined ? unitsOf(sql)(at) : undefined;
    throw problemAt(sql, place, error === "" ? "only one SELECT can be run here." : `${error}.`);
  }
  const [statement] = parsed.statements;
  if (!statement || parsed.statements.length !== 1) {
    throw problemAt(sql, undefined, "expected one statement, found more.");
  }
  if (dialect === "databricks") meanAsInSpark(statement, sql);
  const known = { tables: new Set([...(await warehouse.relations()), ...made].map(fullName)) };
  const tables = makeReadable(statement, query, known);
  return { sql: await write(connection, statement), tables: tables.map(sqlName) };
}
