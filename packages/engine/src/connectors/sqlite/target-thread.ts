import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import type { CellValue } from "../../warehouse/cell-value.ts";

/** The file, and how many milliseconds a statement waits for another writer. */
export interface SqliteOpenOptions {
  readonly path: string;
  readonly patience: number;
}

/** What the thread is asked: statements that give rows, or that run once for each list of values. */
export interface SqliteCall {
  readonly kind: "all" | "run";
  readonly sql: string;
  readonly values: readonly (readonly CellValue[])[];
}

export type SqliteRow = Record<string, SQLOutputValue>;

export type SqliteReply =
  | { readonly rows: SqliteRow[]; readonly changes: number }
  | { readonly failure: string; readonly code: number };

/** node:sqlite works synchronously: a statement holds up this thread, and nobody else. */
if (parentPort) {
  const port = parentPort;
  let database: DatabaseSync | undefined;
  port.on("message", (asked: SqliteCall) => {
    try {
      const { path, patience } = workerData as SqliteOpenOptions;
      database ??= new DatabaseSync(path, { timeout: patience });
      port.postMessage(answer(database, asked));
    } catch (error) {
      port.postMessage(failureOf(error));
    }
  });
}

function answer(database: DatabaseSync, { kind, sql, values }: SqliteCall): SqliteReply {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  if (kind === "all") return { rows: statement.all(...bound(values[0] ?? [])), changes: 0 };
  let changes = 0;
  for (const row of values) changes += Number(statement.run(...bound(row)).changes);
  return { rows: [], changes };
}

const bound = (cells: readonly CellValue[]): SQLInputValue[] => cells.map(inputOf);

/** SQLite keeps a double that is not a number as NULL: it goes as text, which a column of doubles keeps. */
function inputOf(cell: CellValue): SQLInputValue {
  if (typeof cell === "boolean") return cell ? 1 : 0;
  return Number.isNaN(cell) ? "NaN" : cell;
}

function failureOf(error: unknown): SqliteReply {
  const code = error instanceof Error && "errcode" in error ? Number(error.errcode) : 0;
  return { failure: error instanceof Error ? error.message : String(error), code };
}
