/** The writer thread: the only place that writes to the SQLite file. */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import type { Refusal, Value } from "./engine.ts";

export type SqliteError = Error & { errcode?: number | undefined };

/** One statement: the id of its SQL, how many rows it must change (-1: any number), its values. */
export type Packed = [id: number, expect: number, ...values: Value[]];

export interface Batch {
  /** SQL texts seen for the first time; their ids go on from the last known one. */
  readonly learn: readonly string[];
  readonly changes: readonly Statements[];
}

type Statements = readonly Packed[];

/** What became of the changes, in the order they were sent. */
export interface BatchDone {
  readonly count: number;
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

port.on("message", (first: string) => {
  const changes: Statements[] = [];
  let message: string | undefined = first;
  // Whatever has arrived by now shares one transaction, and one fsync.
  while (message !== undefined && message !== "close") {
    const batch = JSON.parse(message) as Batch;
    texts.push(...batch.learn);
    changes.push(...batch.changes);
    message = receiveMessageOnPort(port)?.message;
  }
  if (changes.length > 0) port.postMessage(run(changes));
  if (message !== "close") return;
  database.close();
  port.close();
});
port.postMessage("ready");

function run(changes: readonly Statements[]): BatchDone {
  const count = changes.length;
  try {
    begin.run();
    const refusals = changes.map(applyOne);
    commit.run();
    return { count, refusals };
  } catch (error) {
    if (database.isTransaction) database.exec("rollback");
    const { message, errcode } = error as SqliteError;
    return { count, refusals: [], failed: Object.assign(new Error(message), { errcode }) };
  }
}

function applyOne(statements: Statements): Refusal | undefined {
  savepoint.run();
  const refusal = firstRefusal(statements);
  if (refusal) undo.run();
  release.run();
  return refusal;
}

function firstRefusal(statements: Statements): Refusal | undefined {
  for (const [at, [id, expect, ...values]] of statements.entries()) {
    try {
      prepared[id] ??= database.prepare(texts[id] as string);
      const { changes } = prepared[id].run(...values);
      if (expect >= 0 && changes !== expect) return { at, why: "missed" };
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
