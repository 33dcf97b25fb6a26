import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { DataProblem } from "../../protocol/problem.ts";
import type { CellValue } from "../../warehouse/cell-value.ts";
import type { SqliteCall, SqliteOpenOptions, SqliteReply, SqliteRow } from "./target-thread.ts";

/** An error of SQLite. The lower eight bits of its code are the kind. */
class SqliteStatementError extends Error {
  readonly kind: number;
  constructor(message: string, code: number) {
    super(message);
    this.kind = code & 0xff;
  }
}

/** A SQLite database in a thread of its own, asked one statement at a time. The first starts it and opens the file. */
export class SqliteSession {
  readonly #opening: SqliteOpenOptions;
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(opening: SqliteOpenOptions) {
    this.#opening = opening;
  }

  async all(sql: string, values: readonly CellValue[] = []): Promise<SqliteRow[]> {
    return (await this.#ask({ kind: "all", sql, values: [values] })).rows;
  }

  /** Runs it once for each list of values; answers how many rows have changed. */
  async run(sql: string, values: readonly (readonly CellValue[])[] = [[]]): Promise<number> {
    return (await this.#ask({ kind: "run", sql, values })).changes;
  }

  async close(): Promise<void> {
    await this.#last.catch(() => {});
    await this.#worker?.terminate();
  }

  #ask(asked: SqliteCall): Promise<{ rows: SqliteRow[]; changes: number }> {
    const asking = this.#last.catch(() => {}).then(() => this.#answer(asked));
    this.#last = asking;
    return asking;
  }

  async #answer(asked: SqliteCall): Promise<{ rows: SqliteRow[]; changes: number }> {
    this.#worker ??= new Worker(new URL("target-thread.ts", import.meta.url), { workerData: this.#opening });
    const answered = once(this.#worker, "message") as Promise<[SqliteReply]>;
    this.#worker.postMessage(asked);
    const [answer] = await answered;
    if (!("failure" in answer)) return answer;
    const error = new SqliteStatementError(answer.failure, answer.code);
    throw databaseProblem(error, this.#opening.path) ?? error;
  }
}

const kinds = {
  permission: 3,
  busy: 5,
  locked: 6,
  readOnly: 8,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  tooBig: 18,
  constraint: 19,
  mismatch: 20,
  notADatabase: 26,
};

/** What is wrong with the file as a whole, in words; undefined: something else is. */
function databaseProblem(error: SqliteStatementError, path: string): DataProblem | undefined {
  const cause = { cause: error };
  switch (error.kind) {
    case kinds.busy:
    case kinds.locked:
      return new DataProblem(`${path} is locked by another program.`, { retryable: true, ...cause });
    case kinds.readOnly:
    case kinds.permission:
      return new DataProblem(`${path} may not be written: ${error.message}.`, cause);
    case kinds.full:
      return new DataProblem(`The disk of ${path} is full.`, { retryable: true, ...cause });
    case kinds.cannotOpen:
      return new DataProblem(`${path} cannot be opened: ${error.message}.`, cause);
    case kinds.corrupt:
    case kinds.notADatabase:
      return new DataProblem(`${path} is not a SQLite database, or is damaged: ${error.message}.`, cause);
    default:
      return undefined;
  }
}

/** Why SQLite refuses a row; undefined: the error is not about a row. */
export const sqliteRefusal = (error: unknown): string | undefined =>
  error instanceof SqliteStatementError &&
  [kinds.constraint, kinds.mismatch, kinds.tooBig].includes(error.kind)
    ? error.message
    : undefined;
