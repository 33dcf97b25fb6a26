import { type DuckDBConnection, type DuckDBResult, StatementType } from "@duckdb/node-api";
import { DataProblem } from "../../problem.ts";
import type { Query, QueryResult } from "../../requests.ts";
import { interruptible } from "../interrupting.ts";
import { shownType } from "../types.ts";
import type { Warehouse } from "../warehouse.ts";
import { countOf } from "./count.ts";
import { readPage } from "./page.ts";
import { type Prepared, prepareQuery } from "./prepare.ts";
import { queryProblem } from "./query-problem.ts";
import { columnForCaller } from "./spark-functions.ts";

/** Runs one SELECT, which cannot write, and gives a page of its rows. */
export async function runQuery(
  warehouse: Warehouse,
  query: Query,
  signal: AbortSignal,
): Promise<QueryResult> {
  const connection = await warehouse.connect();
  const timeout = AbortSignal.timeout(query.timeoutMs);
  const limit = AbortSignal.any([signal, timeout]);
  let prepared: Prepared | undefined;
  try {
    return await interruptible(connection, limit, async () => {
      prepared = await prepareQuery(warehouse, connection, query, [], limit);
      await connection.run("BEGIN TRANSACTION READ ONLY");
      return await answer(await stream(connection, prepared.sql), query);
    });
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) throw tooLong(query, error);
    const columns = await columnNames(connection, prepared);
    throw queryProblem(error, { sql: query.sql, columns, memoryMb: warehouse.memoryMb }) ?? error;
  } finally {
    // Its transaction ends with it, undone.
    connection.closeSync();
  }
}

async function stream(connection: DuckDBConnection, sql: string): Promise<DuckDBResult> {
  const statements = await connection.extractStatements(sql);
  const statement = await statements.prepare(0);
  if (statements.count !== 1 || statement.statementType !== StatementType.SELECT) {
    throw new DataProblem("Only one SELECT can be run here.");
  }
  return statement.stream();
}

async function answer(result: DuckDBResult, query: Query): Promise<QueryResult> {
  const columns = result.columnNames().map((name, index) => ({
    name: columnForCaller(name),
    type: shownType(String(result.columnType(index))),
  }));
  if (query.format === "count") {
    const { rows, value } = await countOf(result);
    return { columns, count: rows, more: false, value };
  }
  const { chunks, count, more } = await readPage(result, query);
  if (query.format === "json") {
    const { jsonRows } = await import("./to-json.ts");
    return { columns, rows: jsonRows(chunks), count, more };
  }
  const { arrowStream } = await import("./to-arrow.ts");
  return { columns, arrow: arrowStream(result, chunks), count, more };
}

const tooLong = ({ timeoutMs }: Query, cause: unknown): DataProblem =>
  new DataProblem(`The query was stopped: it may take ${timeoutMs / 1000} s.`, { cause });

async function columnNames(connection: DuckDBConnection, prepared: Prepared | undefined): Promise<string[]> {
  await connection.run("ROLLBACK").catch(() => {});
  const names: string[] = [];
  for (const table of prepared?.tables ?? []) {
    const found = await connection.runAndReadAll(`DESCRIBE ${table}`).catch(() => undefined);
    names.push(...(found?.getRowsJson().map(([name]) => String(name)) ?? []));
  }
  return names;
}
