import type { DuckDBConnection } from "@duckdb/node-api";
import { DataProblem } from "../../protocol/problem.ts";
import { isMemoryError } from "../../warehouse/memory-problem.ts";
import { rowlessMessage } from "../../warehouse/rowless-message.ts";
import type { ExternalAccess } from "../../warehouse/warehouse.ts";
import type { TargetContext } from "./context.ts";

/** Runs work in an external DuckDB that can open only what is named. It is closed afterwards, and interrupted if the run is aborted. */
export async function withExternalDuckdb<Result>(
  { openExternal }: Pick<TargetContext, "openExternal">,
  access: ExternalAccess,
  signal: AbortSignal,
  work: (connection: DuckDBConnection) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const { connection, close } = await openExternal(access);
  const interrupt = () => connection.interrupt();
  signal.addEventListener("abort", interrupt);
  try {
    return await work(connection);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error;
  } finally {
    signal.removeEventListener("abort", interrupt);
    close();
  }
}

export async function rowsOf(connection: DuckDBConnection, sql: string): Promise<Record<string, unknown>[]> {
  return (await connection.runAndReadAll(sql)).getRowObjectsJson();
}

export async function countOf(connection: DuckDBConnection, sql: string): Promise<number> {
  return Number((await connection.runAndReadAll(sql)).getRowsJson()[0]?.[0] ?? 0);
}

/** A DuckDB error as a problem of the file. */
export function fileProblem(path: string, error: unknown): unknown {
  // An error about memory or temporary space gets its own sentence, which names the setting.
  if (!(error instanceof Error) || error instanceof DataProblem || isMemoryError(error)) return error;
  const retryable = /lock on file|Resource temporarily unavailable|No space left/.test(error.message);
  if (/lock on file/.test(error.message)) {
    return new DataProblem(`${path} is locked by another program.`, { retryable, cause: error });
  }
  if (
    !/^(IO|Invalid Input|Permission|Serialization|Constraint|Conversion|Parser|Binder) Error/.test(
      error.message,
    )
  )
    return error;
  return new DataProblem(`${path}: ${rowlessMessage(error)}`, { retryable, cause: error });
}
