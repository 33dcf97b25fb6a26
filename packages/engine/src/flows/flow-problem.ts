import { DataProblem } from "../protocol/problem.ts";
import { rowlessMessage } from "../warehouse/rowless-message.ts";
import type { WarehouseFlow } from "./warehouse-flow.ts";

/** DuckDB errors about the caller's SQL or rows become a DataProblem. Any other error is a fault of the engine. */
export function flowProblem({ flow }: WarehouseFlow, error: unknown, what = "failed"): unknown {
  const isDuckdbError =
    error instanceof Error &&
    !(error instanceof DataProblem) &&
    /^[A-Z][A-Za-z ]* Error: /.test(error.message);
  if (!isDuckdbError) return error;
  return new DataProblem(`The flow ${JSON.stringify(flow.name)} ${what}: ${rowlessMessage(error)}`, {
    cause: error,
  });
}
