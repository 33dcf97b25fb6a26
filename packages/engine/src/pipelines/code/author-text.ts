import type { DuckDBConnection } from "@duckdb/node-api";
import type { SourceLocation } from "@lakehelm/sql";
import {
  type FileLocation,
  locateInFile,
  type NameDefaults,
  type PipelineProblem,
  type SourceSegment,
} from "@lakehelm/sql/pipelines";
import { DataProblem } from "../../protocol/problem.ts";
import { prepareQuery } from "../../warehouse/queries/prepared-query.ts";
import { queryProblem } from "../../warehouse/queries/query-problem.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import type { CatalogSnapshot } from "./catalog-snapshot.ts";

/** The context for binding an author's text. Nothing in it can write. */
export interface BindingContext {
  readonly warehouse: Warehouse;
  readonly connection: DuckDBConnection;
  readonly environment: string;
  readonly signal: AbortSignal;
  readonly snapshot: CatalogSnapshot;
  /**
   * Full names of the tables that a text may read, including tables that do not exist yet, or only in this transaction.
   */
  readonly visible: ReadonlySet<string>;
  /** Rewrites a statement over these tables to one over tables that exist. */
  readonly toBind: (sql: string) => Promise<string>;
}

/** A SELECT in the Databricks dialect, and its location in the author's files. */
export interface AuthorText {
  readonly sql: string;
  readonly defaults: NameDefaults;
  readonly location: FileLocation;
  /** Absent if only the start of the text is known. */
  readonly segments?: readonly SourceSegment[];
}

/** Translates a text to DuckDB's dialect with qualified table names. It may read and call only what a query may. */
export async function translateText(context: BindingContext, { sql, defaults }: AuthorText): Promise<string> {
  const { warehouse, connection, environment, visible, signal, toBind } = context;
  const query = { sql, dialect: "databricks" as const, scope: { environment, ...defaults } };
  return (await prepareQuery(warehouse, connection, query, [], signal, visible, toBind)).sql;
}

/** An error as a problem at its location in the author's files; undefined if the author is not the cause. */
export function textProblem(
  text: AuthorText,
  error: unknown,
  /** The offset of the problem, if the error has no position. */
  about: number | undefined,
  memoryMb: number,
): PipelineProblem | undefined {
  const problem =
    error instanceof DataProblem ? error : queryProblem(error, { sql: text.sql, columns: [], memoryMb });
  if (!problem) return undefined;
  const { position, message } = problem;
  const offset = position ? offsetOf(text.sql, position) : about;
  const location =
    offset !== undefined && text.segments ? locateInFile(text.sql, text.segments, offset) : text.location;
  const { path, line, column } = location;
  return { path, line, column, message: lowerFirst(message.replace(/^Line \d+, column \d+: /, "")) };
}

/** The offset of a position. Columns are counted in characters. */
function offsetOf(text: string, { line, column }: SourceLocation): number {
  const starts = [0, ...[...text.matchAll(/\r\n|\r|\n/g)].map((end) => end.index + end[0].length)];
  const start = starts[line - 1] ?? text.length;
  return start + [...text.slice(start)].slice(0, column - 1).join("").length;
}

const lowerFirst = (sentence: string): string =>
  /^[A-Z][a-z]/.test(sentence) ? `${sentence[0]?.toLowerCase()}${sentence.slice(1)}` : sentence;
