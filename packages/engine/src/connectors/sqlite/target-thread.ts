import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import type { CellValue } from "../../warehouse/cell-value.ts";
import { openForeignSqlite } from "./file.ts";

export interface SqliteOpenOptions {
  readonly path: string;
  /** How long a statement waits for another writer. */
  readonly timeoutMs: number;
}

/** A statement that returns rows, or one that runs once per list of values. */
export interface SqliteCall {
  readonly kind: "all" | "run";
  readonly sql: string;
  readonly values: readonly (readonly CellValue[])[];
}

export type SqliteRow = Record<string, SQLOutputValue>;

export type SqliteReply =
  | { readonly rows: SqliteRow[]; readonly changes: number }
  | { readonly failure: string; readonly code: number };

/** node:sqlite is synchronous: a statement blocks only this thread. */
if (parentPort) {
  const port = parentPort;
  let database: DatabaseSync | undefined;
  port.on("message", (call: SqliteCall) => {
    try {
      const { path, timeoutMs } = workerData as SqliteOpenOptions;
      database ??= openForeignSqlite(path, { readOnly: false, timeout: timeoutMs });
      port.postMessage(execute(database, call));
    } catch (error) {
      port.postMessage(failureOf(error));
    }
  });
}

function execute(database: DatabaseSync, { kind, sql, values }: SqliteCall): SqliteReply {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  if (kind === "all") return { rows: statement.all(...inputs(values[0] ?? [])), changes: 0 };
  let changes = 0;
  for (const row of values) changes += Number(statement.run(...inputs(row)).changes);
  return { rows: [], changes };
}

const inputs = (cells: readonly CellValue[]): SQLInputValue[] => cells.map(inputOf);

/** SQLite stores NaN as NULL. As text, a column of doubles keeps it. */
function inputOf(cell: CellValue): SQLInputValue {
  if (typeof cell === "boolean") return cell ? 1 : 0;
  return Number.isNaN(cell) ? "NaN" : cell;
}

function failureOf(error: unknown): SqliteReply {
  const code = error instanceof Error && "errcode" in error ? Number(error.errcode) : 0;
  return { failure: error instanceof Error ? error.message : String(error), code };
}
