import type { DuckDBConnection } from "@duckdb/node-api";
import { suggestion } from "@lakehelm/contract/text";
import { limitProblem, utf16Offsets } from "@lakehelm/sql";
import type { DataProblem } from "../../protocol/problem.ts";
import type { QueryRequest } from "../../protocol/query.ts";
import { fullName, sqlName, type TableName } from "../names.ts";
import type { Warehouse } from "../warehouse.ts";
import { applyAnsiMode } from "./ansi-mode.ts";
import { bindableStatement } from "./bind-repair.ts";
import { preserveColumnNames } from "./column-names.ts";
import { duckdbSource } from "./duckdb-source.ts";
import { guardFunctions, needsGuards } from "./function-guards.ts";
import { requireFunctions } from "./known-functions.ts";
import { expandsTooMuch } from "./macro-expansion.ts";
import { MissingTable, resolveTables } from "./query-access.ts";
import { applySparkSemantics } from "./spark-semantics.ts";
import { findName, firstWord, problemAt, sqlWords } from "./sql-text.ts";
import { type DuckDBNode, type ParseFailure, parseSql, writeSql } from "./syntax-tree.ts";
import type { ToBind } from "./type-probe.ts";
import { typedStatement } from "./typed-statement.ts";

/** A query that is allowed to run: DuckDB SQL with qualified table names, its syntax tree, and these names. */
export interface PreparedQuery {
  readonly sql: string;
  readonly statement: DuckDBNode;
  readonly tables: readonly string[];
}

const tooDeep = "this is nested too deeply: split it up with WITH.";
const queryWords = new Set(["SELECT", "WITH", "VALUES", "FROM", "TABLE"]);

/** DuckDB's parser decides whether a text is a single query: it serializes only SELECT statements. */
export async function prepareQuery(
  warehouse: Warehouse,
  connection: DuckDBConnection,
  query: Pick<QueryRequest, "scope" | "sql" | "dialect">,
  /** Tables that this connection's transaction has created and that others cannot see yet. */
  created: readonly TableName[] = [],
  signal: AbortSignal = new AbortController().signal,
  /** The full names of all tables, those in `created` included, if the caller knows them. */
  visible?: ReadonlySet<string>,
  /**
   * For tables in `created` that do not exist in this transaction either: replaces them by other tables to find types.
   */
  toBind: ToBind = async (text) => text,
): Promise<PreparedQuery> {
  const { sql, dialect } = query;
  const word = firstWord(sql);
  if (word === "") throw problemAt(sql, undefined, "the text is empty: expected a SELECT.");
  if (!queryWords.has(word)) {
    const message = `${word} is not a query: only SELECT, WITH and VALUES can be run here, and they only read.${suggestion(word, ["SELECT", "WITH", "VALUES"])}`;
    throw problemAt(sql, findName(sql, [word]), message);
  }
  const tooLong = limitProblem(sqlWords(sql));
  if (tooLong) throw problemAt(sql, tooLong.at, tooLong.message);
  const text = dialect === "databricks" ? await warehouse.translator.translate(sql, signal) : sql;
  const parsed = await parseSql(connection, duckdbSource(text));
  if (parsed.error !== undefined) throw syntaxProblem(query, parsed);
  const [statement] = parsed.statements;
  if (!statement || parsed.statements.length !== 1) {
    throw problemAt(sql, undefined, "expected one statement, found more.");
  }
  if (dialect === "databricks") {
    applySparkSemantics(statement, sql);
    await preserveColumnNames(connection, statement, () => {
      applyAnsiMode(statement);
      guardFunctions(statement);
    });
    if (expandsTooMuch(statement)) throw problemAt(sql, undefined, tooDeep);
  } else if (needsGuards(statement)) {
    await preserveColumnNames(connection, statement, () => guardFunctions(statement));
  }
  const known = {
    tables: visible ?? new Set([...(await warehouse.relations()), ...created].map(fullName)),
  };
  const tables = await resolved(connection, statement, query, known);
  const prepared =
    dialect === "databricks"
      ? await typedStatement(connection, await bindableStatement(connection, statement), sql, toBind)
      : { sql: await writeSql(connection, statement), statement };
  return { ...prepared, tables: tables.map(sqlName) };
}

/** Without its tables a query cannot be bound: then its functions are checked here, because a table may be created later. */
async function resolved(
  connection: DuckDBConnection,
  statement: DuckDBNode,
  query: Pick<QueryRequest, "scope" | "sql">,
  known: Parameters<typeof resolveTables>[2],
): Promise<TableName[]> {
  try {
    return resolveTables(statement, query, known);
  } catch (error) {
    if (error instanceof MissingTable) await requireFunctions(connection, statement, query.sql);
    throw error;
  }
}

function syntaxProblem(
  { sql, dialect }: Pick<QueryRequest, "sql" | "dialect">,
  { error, at }: ParseFailure,
): DataProblem {
  if (error === "") return problemAt(sql, undefined, "only one SELECT can be run here.");
  // The position refers to the translation. The word may also be in the caller's text.
  const near = quotedAfter(error, "at or near ");
  const inCallerText = near === undefined ? undefined : findName(sql, [near]);
  const offset = dialect === "duckdb" && at !== undefined ? utf16Offsets(sql)(at) : inCallerText;
  const isDeep = /expression depth|memory exhausted/.test(error);
  return problemAt(sql, offset, isDeep ? tooDeep : `${error}.`);
}

/** The quoted word at the end of a message, after `words`. It may contain anything, quotes and `words` included. */
function quotedAfter(message: string, words: string): string | undefined {
  const start = message.indexOf(`${words}"`);
  return start >= 0 && message.endsWith('"') ? message.slice(start + words.length + 1, -1) : undefined;
}
