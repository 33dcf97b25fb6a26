import { encodeJson } from "@lakehelm/contract/schema";
import { DataProblem, type QueryRequest, type QueryResult } from "@lakehelm/engine";
import {
  joinArrowStreams,
  jsonRowsOf,
  type SparkColumn,
  SparkError,
  type SparkPage,
  type SparkSession,
} from "@lakehelm/spark-connect";
import { locatorOf, tokenize, unsafeCall } from "@lakehelm/sql";
import { readOnlyQuery } from "../../read-only-query.ts";
import { sparkPlanText } from "../../spark-plan.ts";
import type { Cluster } from "../clusters.ts";
import { forCaller } from "../for-caller.ts";

export interface QueryLimits {
  readonly rows: number;
  readonly timeoutMs: number;
  readonly answerBytes: number;
}

/** Runs one query, which can only read, and returns a page of its rows. */
export async function runQuery(
  cluster: Cluster,
  query: QueryRequest,
  limits: QueryLimits,
  signal: AbortSignal,
): Promise<QueryResult> {
  if (query.dialect !== "databricks") throw new DataProblem("Spark runs only Spark SQL. Leave out dialect.");
  if (query.format === "parquet") throw new DataProblem("Spark returns JSON and Arrow, no Parquet.");
  const text = readOnlyQuery(query.sql);
  const unsafe = unsafeCall(tokenize(text).tokens);
  if (unsafe) {
    const position = locatorOf(query.sql)(unsafe.at);
    throw new DataProblem(`Line ${position.line}, column ${position.column}: ${unsafe.message}`, {
      position,
    });
  }
  const timeoutMs = Math.min(query.timeoutMs, limits.timeoutMs);
  const timeout = AbortSignal.timeout(timeoutMs);
  const stop = AbortSignal.any([signal, timeout]);
  try {
    return await cluster.read((session) =>
      forCaller(() => answer(session, { ...query, sql: text }, limits, stop), query.sql),
    );
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) {
      throw new DataProblem(`The query was stopped because it took longer than ${timeoutMs / 1000} s.`, {
        cause: error,
      });
    }
    throw error;
  }
}

async function answer(
  session: SparkSession,
  query: QueryRequest,
  limits: QueryLimits,
  signal: AbortSignal,
): Promise<QueryResult> {
  const columns = await columnsOf(session, query.sql, signal);
  if (query.format === "plan") return planOf(session, query.sql, limits.answerBytes, signal);
  if (query.format === "count") return countRows(session, query.sql, columns, signal);
  const limit = Math.min(query.limit, limits.rows);
  const page = { sql: query.sql, skip: query.skip, limit: limit + 1 };
  const read = await readPage(session, page, limits.answerBytes, signal);
  return query.format === "arrow"
    ? arrowPage(session, query, read, columns, limit, signal)
    : jsonPage(read, columns, limit, limits.answerBytes);
}

/**
 * Spark's own analysis of the text as a subquery: only a query is valid there, and nothing runs. A DROP that is sent as a query
 * would be executed.
 */
async function columnsOf(session: SparkSession, sql: string, signal: AbortSignal): Promise<SparkColumn[]> {
  const columns = await session.columnsOfQuery(`${subquery}${sql}\n)`, { signal }).catch((error: unknown) => {
    throw error instanceof SparkError ? inCallersText(error) : error;
  });
  const variant = columns.find(({ type }) => type.includes("VARIANT"));
  if (!variant) return columns;
  throw new DataProblem(
    `The column ${variant.name} is a VARIANT. Select to_json(${variant.name}), or cast it.`,
  );
}

const subquery = "SELECT * FROM (\n";

/** The caller's text begins after the first line of what was sent. */
const inCallersText = (error: SparkError): SparkError =>
  new SparkError(
    error.message.replace(
      /\bline (\d{1,7})(?=,? pos )/g,
      (_, line: string) => `line ${Math.max(1, Number(line) - 1)}`,
    ),
    { ...error, at: error.at === null ? null : Math.max(0, error.at - subquery.length) },
    { cause: error },
  );

interface Page {
  readonly streams: readonly Uint8Array[];
  /** Whether there was more than an answer can hold. */
  readonly isCut: boolean;
}

async function readPage(
  session: SparkSession,
  page: SparkPage,
  most: number,
  signal: AbortSignal,
): Promise<Page> {
  const streams: Uint8Array[] = [];
  let bytes = 0;
  for await (const { arrow } of session.query(page, { signal })) {
    bytes += arrow.length;
    // At least one batch is read, even if it is too large: some of its rows may be left out.
    if (bytes > most && streams.length > 0) return { streams, isCut: true };
    streams.push(arrow);
  }
  return { streams, isCut: false };
}

/** The page ends earlier if its text is longer than an answer may be. */
function jsonPage(
  { streams, isCut }: Page,
  columns: readonly SparkColumn[],
  limit: number,
  most: number,
): QueryResult {
  const texts: string[] = [];
  let bytes = 2;
  let isFull = isCut;
  for (const row of rowsIn(streams)) {
    const text = encodeJson(row);
    bytes += Buffer.byteLength(text) + 1;
    if (texts.length === limit || bytes > most) {
      isFull = true;
      break;
    }
    texts.push(text);
  }
  if (isFull && texts.length === 0) {
    throw new DataProblem(`A row is larger than ${most} bytes. Select fewer or shorter columns.`);
  }
  return {
    columns: namesAndTypes(columns),
    rows: Buffer.from(`[${texts.join(",")}]`),
    count: texts.length,
    more: isFull,
  };
}

function* rowsIn(streams: readonly Uint8Array[]): Generator<unknown[]> {
  for (const stream of streams) yield* jsonRowsOf(stream);
}

/**
 * The page is read with one row more, which shows whether there is a next row. If there is, the page is requested again
 * without it.
 */
async function arrowPage(
  session: SparkSession,
  { sql, skip }: QueryRequest,
  { streams, isCut }: Page,
  columns: readonly SparkColumn[],
  limit: number,
  signal: AbortSignal,
): Promise<QueryResult> {
  const count = [...rowsIn(streams)].length;
  const more = isCut || count > limit;
  const shown =
    count > limit
      ? (await readPage(session, { sql, skip, limit }, Number.POSITIVE_INFINITY, signal)).streams
      : streams;
  return {
    columns: namesAndTypes(columns),
    arrow: joinArrowStreams(shown),
    count: Math.min(count, limit),
    more,
  };
}

/** The text has been analysed as a subquery before, so EXPLAIN gets only a query. */
async function planOf(
  session: SparkSession,
  sql: string,
  most: number,
  signal: AbortSignal,
): Promise<QueryResult> {
  const explain = { sql: `EXPLAIN FORMATTED ${subquery}${sql}\n)` };
  const { streams } = await readPage(session, explain, most, signal);
  const text = sparkPlanText([...rowsIn(streams)].map(([line]) => String(line)).join("\n"));
  return { columns: [], count: 0, more: false, plan: { text, operators: null } };
}

const integers = new Set(["TINYINT", "SMALLINT", "INT", "BIGINT"]);

/** The value of a single row with a single integer column, otherwise the number of rows. */
async function countRows(
  session: SparkSession,
  sql: string,
  columns: readonly SparkColumn[],
  signal: AbortSignal,
): Promise<QueryResult> {
  const result = { columns: namesAndTypes(columns), more: false };
  const [column] = columns;
  if (columns.length === 1 && column && integers.has(column.type)) {
    const { streams } = await readPage(session, { sql, limit: 2 }, Number.POSITIVE_INFINITY, signal);
    const rows = [...rowsIn(streams)];
    if (rows.length === 1 && rows[0]?.[0] != null) return { ...result, count: 1, value: Number(rows[0][0]) };
  }
  const counted = await readPage(
    session,
    { sql: `SELECT count(*) FROM (${sql}\n)` },
    Number.POSITIVE_INFINITY,
    signal,
  );
  const count = Number([...rowsIn(counted.streams)][0]?.[0] ?? 0);
  return { ...result, count, value: count };
}

const namesAndTypes = (columns: readonly SparkColumn[]) => columns.map(({ name, type }) => ({ name, type }));
