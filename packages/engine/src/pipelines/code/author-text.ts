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
import type { TableName } from "../../warehouse/names.ts";
import { prepareQuery } from "../../warehouse/queries/prepared-query.ts";
import { queryProblem } from "../../warehouse/queries/query-problem.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import type { CatalogSnapshot } from "./catalog-snapshot.ts";

/** Where texts of an author are read: nothing in it can write. */
export interface BindingContext {
  readonly warehouse: Warehouse;
  readonly connection: DuckDBConnection;
  readonly environment: string;
  readonly signal: AbortSignal;
  readonly snapshot: CatalogSnapshot;
  /** Tables that are not there yet, or not for others. */
  readonly made: readonly TableName[];
}

/** A SELECT in the Databricks dialect, and where it stands in the author's files. */
export interface AuthorText {
  readonly sql: string;
  readonly defaults: NameDefaults;
  readonly location: FileLocation;
  /** Absent: nobody knows more than where it begins. */
  readonly segments?: readonly SourceSegment[];
}

/** In DuckDB's dialect, every table by its three names. It calls and reads nothing that a query may not. */
export async function translateText(reading: BindingContext, { sql, defaults }: AuthorText): Promise<string> {
  const { warehouse, connection, environment, made, signal, snapshot } = reading;
  const query = { sql, dialect: "databricks" as const, scope: { environment, ...defaults } };
  return (await prepareQuery(warehouse, connection, query, made, signal, snapshot.relations)).sql;
}

/** What an error says to the author, at its place in the files; undefined where the author is not the cause. */
export function textProblem(
  text: AuthorText,
  error: unknown,
  /** Where it is, by an offset, where the error itself does not say so. */
  about: number | undefined,
  memoryMb: number,
): PipelineProblem | undefined {
  const problem =
    error instanceof DataProblem ? error : queryProblem(error, { sql: text.sql, columns: [], memoryMb });
  if (!problem) return undefined;
  const { position, message } = problem;
  const offset = position ? offsetOf(text.sql, position) : about;
  const place =
    offset !== undefined && text.segments ? locateInFile(text.sql, text.segments, offset) : text.location;
  const { path, line, column } = place;
  return { path, line, column, message: lowerFirst(message.replace(/^Line \d+, column \d+: /, "")) };
}

/** The offset of a place, whose columns count characters. */
function offsetOf(text: string, { line, column }: SourceLocation): number {
  const starts = [0, ...[...text.matchAll(/\r\n|\r|\n/g)].map((end) => end.index + end[0].length)];
  const start = starts[line - 1] ?? text.length;
  return start + [...text.slice(start)].slice(0, column - 1).join("").length;
}

const lowerFirst = (sentence: string): string =>
  /^[A-Z][a-z]/.test(sentence) ? `${sentence[0]?.toLowerCase()}${sentence.slice(1)}` : sentence;
