import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { DataProblem } from "../../protocol/problem.ts";
import type { Refusal } from "../../protocol/transfer.ts";
import type { CellValue } from "../../warehouse/cell-value.ts";
import type { SqliteCall, SqliteOpenOptions, SqliteReply, SqliteRow } from "./target-thread.ts";

/** SQLITE_CONSTRAINT_TRIGGER: the author of a trigger chose the message. */
const raisedByTrigger = 1811;

/** The lower eight bits of the code are the kind of the error. */
class SqliteStatementError extends Error {
  readonly kind: number;
  readonly isOfTrigger: boolean;
  constructor(message: string, code: number) {
    super(message);
    this.kind = code & 0xff;
    this.isOfTrigger = code === raisedByTrigger;
  }
}

/**
 * A SQLite database in its own thread, which runs one statement at a time. The first statement starts it and opens the
 * file.
 */
export class SqliteSession {
  readonly #options: SqliteOpenOptions;
  readonly #resolve: () => Promise<string>;
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** `resolve` returns the path directly before the file is opened. */
  constructor(options: SqliteOpenOptions, resolve: () => Promise<string>) {
    this.#options = options;
    this.#resolve = resolve;
  }

  async all(sql: string, values: readonly CellValue[] = []): Promise<SqliteRow[]> {
    return (await this.#call({ kind: "all", sql, values: [values] })).rows;
  }

  /** Runs a statement once per list of values. Returns the number of changed rows. */
  async run(sql: string, values: readonly (readonly CellValue[])[] = [[]]): Promise<number> {
    return (await this.#call({ kind: "run", sql, values })).changes;
  }

  async close(): Promise<void> {
    await this.#last.catch(() => {});
    await this.#worker?.terminate();
  }

  #call(call: SqliteCall): Promise<{ rows: SqliteRow[]; changes: number }> {
    const pending = this.#last.catch(() => {}).then(() => this.#execute(call));
    this.#last = pending;
    return pending;
  }

  async #execute(call: SqliteCall): Promise<{ rows: SqliteRow[]; changes: number }> {
    this.#worker ??= new Worker(new URL("target-thread.ts", import.meta.url), {
      workerData: { ...this.#options, path: await this.#resolve() },
      resourceLimits: { maxOldGenerationSizeMb: 256, codeRangeSizeMb: 32 },
    });
    const message = once(this.#worker, "message") as Promise<[SqliteReply]>;
    this.#worker.postMessage(call);
    const [reply] = await message;
    if (!("failure" in reply)) return reply;
    const error = new SqliteStatementError(reply.failure, reply.code);
    throw databaseProblem(error, this.#options.path) ?? error;
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

/** A problem of the whole file; undefined for other errors. */
function databaseProblem(error: SqliteStatementError, path: string): DataProblem | undefined {
  const cause = { cause: error };
  switch (error.kind) {
    case kinds.busy:
    case kinds.locked:
      return new DataProblem(`${path} is locked by another program.`, { retryable: true, ...cause });
    case kinds.readOnly:
    case kinds.permission:
      return new DataProblem(`${path} cannot be written: ${error.message}.`, cause);
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

/** Why SQLite refuses a row; undefined if the error is not about a row. */
export function sqliteRefusal(error: unknown): Refusal | undefined {
  if (!(error instanceof SqliteStatementError)) return undefined;
  if (![kinds.constraint, kinds.mismatch, kinds.tooBig].includes(error.kind)) return undefined;
  return {
    reason: error.message,
    ...(error.isOfTrigger && { cause: "a trigger of the table refuses it" }),
  };
}
