import { type DuckDBConnection, type DuckDBPreparedStatement, StatementType } from "@duckdb/node-api";
import { DataProblem } from "../../protocol/problem.ts";
import type { QueryRequest, QueryResult } from "../../protocol/query.ts";
import { databricksType } from "../../protocol/types.ts";
import { interruptible } from "../interrupt.ts";
import type { Warehouse } from "../warehouse.ts";
import { type PreparedQuery, prepareQuery } from "./prepared-query.ts";
import { queryProblem } from "./query-problem.ts";
import { readPage, rowTooLarge } from "./result-page.ts";
import { countResultRows } from "./row-count.ts";
import { inStableOrder } from "./row-order.ts";
import { columnForCaller } from "./spark-functions.ts";

/** Runs one SELECT in a read-only transaction and returns a page of its rows. */
export async function runQuery(
  warehouse: Warehouse,
  query: QueryRequest,
  signal: AbortSignal,
): Promise<QueryResult> {
  const connection = await warehouse.connect();
  const timeout = AbortSignal.timeout(query.timeoutMs);
  const limit = AbortSignal.any([signal, timeout]);
  let prepared: PreparedQuery | undefined;
  try {
    return await interruptible(connection, limit, async () => {
      prepared = await prepareQuery(warehouse, connection, query, [], limit);
      await connection.run("BEGIN TRANSACTION READ ONLY");
      return await execute(connection, prepared, query, warehouse);
    });
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) throw tooLong(query, error);
    const columns = await columnNames(connection, prepared);
    throw queryProblem(error, { sql: query.sql, columns, memoryMb: warehouse.memoryMb }) ?? error;
  } finally {
    // This also frees a result that was not read to its end. Otherwise it is kept until its handle is garbage collected.
    await connection.run("ROLLBACK").catch(() => {});
    connection.closeSync();
  }
}

async function execute(
  connection: DuckDBConnection,
  prepared: PreparedQuery,
  query: QueryRequest,
  warehouse: Pick<Warehouse, "limits" | "stagingFolder">,
): Promise<QueryResult> {
  const { limits } = warehouse;
  const statement = await select(connection, prepared.sql);
  const resultColumns = Array.from({ length: statement.columnCount }, (_, index) => ({
    name: columnForCaller(statement.columnName(index)),
    type: statement.columnType(index),
  }));
  const columns = resultColumns.map(({ name, type }) => ({ name, type: databricksType(String(type)) }));
  const headBytes = columns.reduce((sum, { name, type }) => sum + name.length + type.length, 0);
  if (headBytes > limits.answerBytes) throw rowTooLarge(limits.answerBytes);
  if (query.format === "plan") {
    const { readPlan } = await import("./query-plan.ts");
    const plan = await readPlan(connection, prepared.sql, limits.answerBytes);
    return { columns, count: 0, more: false, plan };
  }
  if (query.format === "parquet") {
    const { parquetOf } = await import("./parquet-file.ts");
    const parquet = await parquetOf(warehouse, connection, prepared.sql, statement);
    return { columns, count: 0, more: false, parquet };
  }
  if (query.format === "count") {
    const { rows, value } = await countResultRows(await statement.stream());
    return { columns, count: rows, more: false, value };
  }
  const ordered = await select(connection, inStableOrder(prepared));
  const names = resultColumns.map(({ name }) => name);
  const { skip, limit } = query;
  const page = await readPage(await ordered.stream(), { columns: names, skip, limit, limits });
  if (query.format === "json") {
    const { jsonPage } = await import("./json-rows.ts");
    return { columns, ...jsonPage(page, limits.answerBytes) };
  }
  const { count, more } = page;
  const { arrowStream } = await import("./arrow-stream.ts");
  return { columns, arrow: arrowStream(resultColumns, page), count, more };
}

async function select(connection: DuckDBConnection, sql: string): Promise<DuckDBPreparedStatement> {
  const statements = await connection.extractStatements(sql);
  const statement = await statements.prepare(0);
  if (statements.count !== 1 || statement.statementType !== StatementType.SELECT) {
    throw new DataProblem("Only one SELECT can be run here.");
  }
  return statement;
}

const tooLong = ({ timeoutMs }: QueryRequest, cause: unknown): DataProblem =>
  new DataProblem(`The query was stopped after its time limit of ${timeoutMs / 1000} s.`, { cause });

async function columnNames(
  connection: DuckDBConnection,
  prepared: PreparedQuery | undefined,
): Promise<string[]> {
  await connection.run("ROLLBACK").catch(() => {});
  const names: string[] = [];
  for (const table of prepared?.tables ?? []) {
    const found = await connection.runAndReadAll(`DESCRIBE ${table}`).catch(() => undefined);
    names.push(...(found?.getRowsJson().map(([name]) => String(name)) ?? []));
  }
  return names;
}
