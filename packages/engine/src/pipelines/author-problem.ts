import type { FileLocation } from "@lakehelm/sql/pipelines";
import { DataProblem } from "../protocol/problem.ts";
import { memoryProblem } from "../warehouse/memory-problem.ts";
import { rowlessMessage } from "../warehouse/rowless-message.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";

/** An error that the author's SQL or rows caused, with its position; undefined if the engine is the cause. */
export function authorProblem(
  error: unknown,
  { memoryMb }: Pick<Warehouse, "memoryMb">,
  at?: FileLocation,
): DataProblem | undefined {
  if (error instanceof DataProblem) return error;
  if (!(error instanceof Error) || !/^[A-Z][A-Za-z ]* Error: /.test(error.message)) return undefined;
  const problem = memoryProblem(error, "It", memoryMb);
  if (problem !== undefined) return new DataProblem(problem, { cause: error });
  const location = at ? `${at.path}:${at.line}:${at.column}: ` : "";
  return new DataProblem(`${location}${rowlessMessage(error)}`, { cause: error });
}
