import type { DuckDBConnection } from "@duckdb/node-api";

/**
 * Runs work on a connection, and interrupts it when the signal is aborted. DuckDB ignores an interrupt between two
 * statements, so it is repeated until the work has ended.
 */
export async function interruptible<Result>(
  connection: DuckDBConnection,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  let repeat: NodeJS.Timeout | undefined;
  const interrupt = () => {
    connection.interrupt();
    repeat = setInterval(() => connection.interrupt(), 50);
  };
  signal.addEventListener("abort", interrupt, { once: true });
  try {
    return await work();
  } finally {
    signal.removeEventListener("abort", interrupt);
    clearInterval(repeat);
  }
}
