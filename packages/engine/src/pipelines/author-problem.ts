import type { FileLocation } from "@lakehelm/sql/pipelines";
import { DataProblem } from "../protocol/problem.ts";
import { duckdbMessage } from "../warehouse/duckdb-message.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";

/** What the author of some SQL, or its rows, have caused, in words, and where it stands; undefined: we have caused it. */
export function authorProblem(
  error: unknown,
  { memoryMb }: Pick<Warehouse, "memoryMb">,
  at?: FileLocation,
): DataProblem | undefined {
  if (error instanceof DataProblem) return error;
  if (!(error instanceof Error) || !/^[A-Z][A-Za-z ]* Error: /.test(error.message)) return undefined;
  if (/^Out of Memory Error: /.test(error.message)) {
    const most = `It needs more than the ${memoryMb} MB of memory that it may use`;
    return new DataProblem(`${most}: PLATFORM_WAREHOUSE_MEMORY_MB sets them.`, { cause: error });
  }
  const place = at ? `${at.path}:${at.line}:${at.column}: ` : "";
  return new DataProblem(`${place}${duckdbMessage(error)}`, { cause: error });
}
