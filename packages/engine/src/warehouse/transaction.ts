import type { DuckDBConnection } from "@duckdb/node-api";
import { DataProblem } from "../protocol/problem.ts";
import type { Warehouse } from "./warehouse.ts";

/** One transaction on a connection of its own: committed when the work is done, undone when it fails or is called off. */
export async function inTransaction<Result>(
  warehouse: Warehouse,
  signal: AbortSignal,
  work: (connection: DuckDBConnection) => Promise<Result>,
): Promise<Result> {
  const connection = await warehouse.connect();
  const interrupt = () => connection.interrupt();
  signal.addEventListener("abort", interrupt);
  try {
    await connection.run("BEGIN");
    const result = await work(connection);
    signal.throwIfAborted();
    await connection.run("COMMIT");
    return result;
  } catch (error) {
    await connection.run("ROLLBACK").catch(() => {});
    if (signal.aborted) throw signal.reason;
    throw isConflict(error) ? overtaken(error) : error;
  } finally {
    signal.removeEventListener("abort", interrupt);
    // Closing it also drops the temporary tables of the run.
    connection.closeSync();
  }
}

const isConflict = (error: unknown): boolean =>
  error instanceof Error && /^TransactionContext Error: .*[Cc]onflict/.test(error.message);

const overtaken = (cause: unknown): DataProblem =>
  new DataProblem("Another run has changed the same table meanwhile.", { retryable: true, cause });
