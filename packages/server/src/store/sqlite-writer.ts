/** The writer thread: the only place that writes to the SQLite file. */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import type { Refusal, Value } from "./engine.ts";

export type SqliteError = Error & { errcode?: number | undefined };

export interface Batch {
  /** SQL texts seen for the first time; their ids go on from the last known one. */
  readonly learn: readonly string[];
  readonly changes: readonly (readonly {
    readonly id: number;
    readonly parameters: readonly Value[];
    readonly expect: number | undefined;
  }[])[];
}

export interface BatchDone {
  readonly refusals: readonly (Refusal | undefined)[];
  readonly failed?: SqliteError;
}

const database = new DatabaseSync((workerData as { path: string }).path);
database.exec(`
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma foreign_keys = on;
  pragma busy_timeout = 5000;
  pragma cache_size = -8000`);

const texts: string[] = [];
const prepared: (StatementSync | undefined)[] = [];
const begin = database.prepare("begin immediate");
const commit = database.prepare("commit");
const savepoint = database.prepare("savepoint change");
const release = database.prepare("release change");
const undo = database.prepare("rollback to change");

const port = parentPort;
if (!port) throw new Error("sqlite-writer.ts runs as a worker thread");

port.on("message", (message: Batch | "close") => {
  if (message === "close") {
    database.close();
    port.close();
    return;
  }
  texts.push(...message.learn);
  port.postMessage(run(message));
});
port.postMessage("ready");

function run(batch: Batch): BatchDone {
  try {
    begin.run();
    const refusals = batch.changes.map(applyOne);
    commit.run();
    return { refusals };
  } catch (error) {
    if (database.isTransaction) database.exec("rollback");
    const { message, errcode } = error as SqliteError;
    return { refusals: [], failed: Object.assign(new Error(message), { errcode }) };
  }
}

function applyOne(statements: Batch["changes"][number]): Refusal | undefined {
  savepoint.run();
  const refusal = firstRefusal(statements);
  if (refusal) undo.run();
  release.run();
  return refusal;
}

function firstRefusal(statements: Batch["changes"][number]): Refusal | undefined {
  for (const [at, { id, parameters, expect }] of statements.entries()) {
    try {
      prepared[id] ??= database.prepare(texts[id] as string);
      const { changes } = prepared[id].run(...parameters);
      if (expect !== undefined && changes !== expect) return { at, why: "missed" };
    } catch (error) {
      const why = constraint(error as SqliteError);
      if (!why) throw error;
      return { at, why };
    }
  }
  return undefined;
}

/** SQLITE_CONSTRAINT_UNIQUE, _PRIMARYKEY and _FOREIGNKEY; a foreign key is checked by statement. */
function constraint({ errcode }: SqliteError): Refusal["why"] | undefined {
  if (errcode === 2067 || errcode === 1555) return "duplicate";
  return errcode === 787 ? "referenced" : undefined;
}
