import type { DuckDBConnection } from "@duckdb/node-api";
import { limitProblem, utf16Offsets } from "@lakehelm/sql";
import type { DataProblem } from "../../protocol/problem.ts";
import type { QueryRequest } from "../../protocol/requests.ts";
import { fullName, sqlName, type TableName } from "../names.ts";
import type { Warehouse } from "../warehouse.ts";
import { calculateAsInSpark } from "./ansi-mode.ts";
import { keepingColumnNames } from "./column-names.ts";
import { growsTooMuch } from "./macro-expansion.ts";
import { makeReadable } from "./query-access.ts";
import { meanAsInSpark } from "./spark-semantics.ts";
import { firstWord, piecesOf, problemAt, whereIs } from "./sql-text.ts";
import { type Part, parse, type Unread, write } from "./syntax-tree.ts";

/** A query that may run, in DuckDB's SQL with every table by its full name, its tree, and these names. */
export interface Prepared {
  readonly sql: string;
  readonly statement: Part;
  readonly tables: readonly string[];
}

const tooDeep = "this is nested too deeply: split it up with WITH.";
const queryWords = new Set(["SELECT", "WITH", "VALUES", "FROM", "TABLE"]);

/** Whether a text is one query is for DuckDB's parser to say: it makes trees of SELECTs and of nothing else. */
export async function prepareQuery(
  warehouse: Warehouse,
  connection: DuckDBConnection,
  query: Pick<QueryRequest, "scope" | "sql" | "dialect">,
  /** Tables that the connection's own transaction has made, and that nobody else sees yet. */
  made: readonly TableName[] = [],
  signal: AbortSignal = new AbortController().signal,
  /** All others, where the caller has looked already. */
  relations?: readonly TableName[],
): Promise<Prepared> {
  const { sql, dialect } = query;
  const word = firstWord(sql);
  if (word === "") throw problemAt(sql, undefined, "the text is empty: expected a SELECT.");
  if (!queryWords.has(word)) {
    const message = `${word} is not a query: only SELECT, WITH and VALUES can be run here, and they only read.`;
    throw problemAt(sql, whereIs(sql, [word]), message);
  }
  const tooLong = limitProblem(piecesOf(sql));
  if (tooLong) throw problemAt(sql, tooLong.at, tooLong.message);
  const text = dialect === "databricks" ? await warehouse.translation.translate(sql, signal) : sql;
  const parsed = await parse(connection, text);
  if (parsed.error !== undefined) throw syntaxProblem(query, parsed);
  const [statement] = parsed.statements;
  if (!statement || parsed.statements.length !== 1) {
    throw problemAt(sql, undefined, "expected one statement, found more.");
  }
  if (dialect === "databricks") {
    meanAsInSpark(statement, sql);
    await keepingColumnNames(connection, statement, () => calculateAsInSpark(statement));
    if (growsTooMuch(statement)) throw problemAt(sql, undefined, tooDeep);
  }
  const known = { tables: new Set([...(relations ?? (await warehouse.relations())), ...made].map(fullName)) };
  const tables = makeReadable(statement, query, known);
  return { sql: await write(connection, statement), statement, tables: tables.map(sqlName) };
}

function syntaxProblem(
  { sql, dialect }: Pick<QueryRequest, "sql" | "dialect">,
  { error, at }: Unread,
): DataProblem {
  if (error === "") return problemAt(sql, undefined, "only one SELECT can be run here.");
  // The place is one in the translation; the word may be found in the caller's text.
  const [, near] = /at or near "(.+)"$/.exec(error) ?? [];
  const inCallers = near === undefined ? undefined : whereIs(sql, [near]);
  const place = dialect === "duckdb" && at !== undefined ? utf16Offsets(sql)(at) : inCallers;
  const isDeep = /expression depth|memory exhausted/.test(error);
  return problemAt(sql, place, isDeep ? tooDeep : `${error}.`);
}
