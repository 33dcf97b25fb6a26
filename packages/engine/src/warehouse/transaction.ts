import type { DuckDBConnection } from "@duckdb/node-api";
import { DataProblem } from "../protocol/problem.ts";
import type { Warehouse } from "./warehouse.ts";

/** Runs the work in a transaction on a new connection. Commits if it succeeds, rolls back if it fails or is aborted. */
export async function inTransaction<Result>(
  warehouse: Warehouse,
  signal: AbortSignal,
  work: (connection: DuckDBConnection) => Promise<Result>,
): Promise<Result> {
  const connection = await warehouse.connect();
  try {
    return await inTransactionOn(connection, warehouse, signal, work);
  } finally {
    // This also drops the temporary tables of the run.
    connection.closeSync();
  }
}

/** Runs the work in a transaction on a connection whose temporary tables are needed in several transactions. */
export async function inTransactionOn<Result>(
  connection: DuckDBConnection,
  warehouse: Warehouse,
  signal: AbortSignal,
  work: (connection: DuckDBConnection) => Promise<Result>,
): Promise<Result> {
  // The listener below does not notice an earlier abort.
  signal.throwIfAborted();
  // Interrupts repeatedly: between two statements an interrupt has no effect, and the next statement would run to its
  // end.
  let interrupting: NodeJS.Timeout | undefined;
  const interrupt = () => {
    connection.interrupt();
    interrupting ??= setInterval(() => connection.interrupt(), 100);
  };
  signal.addEventListener("abort", interrupt);
  try {
    await connection.run("BEGIN");
    const result = await work(connection);
    signal.throwIfAborted();
    await warehouse.commit(connection);
    return result;
  } catch (error) {
    clearInterval(interrupting);
    await connection.run("ROLLBACK").catch(() => {});
    if (signal.aborted) throw signal.reason;
    throw isConflict(error) ? conflictProblem(error) : error;
  } finally {
    clearInterval(interrupting);
    signal.removeEventListener("abort", interrupt);
  }
}

const isConflict = (error: unknown): boolean =>
  error instanceof Error && /^TransactionContext Error: .*[Cc]onflict/.test(error.message);

/** What to do if all attempts of a run have failed. */
export const afterConflict =
  "Nothing was written. Run this again when the other run has ended; if it happens often, schedule them apart.";

const conflictProblem = (cause: unknown): DataProblem =>
  new DataProblem(`Another run changed the same table at the same time. ${afterConflict}`, {
    retryable: true,
    cause,
  });
