/** The writer thread: the only place that writes to the SQLite file. */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import type { Refusal, Value } from "./engine.ts";
import { isMachines, type SqliteError } from "./sqlite-problem.ts";

/** One statement: the id of its SQL, how many rows it must change (-1: any number), its values. */
export type Packed = [id: number, expect: number, ...values: Value[]];

export interface Batch {
  /** SQL texts seen for the first time; their ids go on from the last known one. */
  readonly learn: readonly string[];
  readonly changes: readonly Statements[];
}

type Statements = readonly Packed[];

/** An error as plain values: an Error that is sent between threads loses its `errcode`. */
export interface Fault {
  readonly fault: string;
  readonly errcode: number | undefined;
}

/** What became of the changes, in the order they were sent; or why none of them was made. */
export interface BatchDone {
  readonly count: number;
  readonly answers: readonly (Refusal | Fault | undefined)[];
  readonly failed?: Fault;
}

export interface WriterData {
  readonly path: string;
  readonly busyTimeoutMs: number;
}

const { path, busyTimeoutMs } = workerData as WriterData;
// The time limit comes first: already the switch to WAL waits for another program.
const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
database.exec(`
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma foreign_keys = on;
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
    const answers = changes.map(applyOne);
    commit.run();
    return { count, answers };
  } catch (error) {
    if (database.isTransaction) database.exec("rollback");
    return { count, answers: [], failed: faultOf(error as SqliteError) };
  }
}

function applyOne(statements: Statements): Refusal | Fault | undefined {
  savepoint.run();
  const answer = firstRefusal(statements);
  if (answer) undo.run();
  release.run();
  return answer;
}

function firstRefusal(statements: Statements): Refusal | Fault | undefined {
  for (const [at, [id, expect, ...values]] of statements.entries()) {
    try {
      prepared[id] ??= database.prepare(texts[id] as string);
      const { changes } = prepared[id].run(...values);
      if (expect >= 0 && changes !== expect) return { at, why: "missed" };
    } catch (error) {
      const why = constraint(error as SqliteError);
      if (why) return { at, why };
      // A statement that is wrong hurts its own change; a disk that is full, all of them.
      if (isMachines(error as SqliteError) || !database.isTransaction) throw error;
      return faultOf(error as SqliteError);
    }
  }
  return undefined;
}

const faultOf = ({ message, errcode }: SqliteError): Fault => ({ fault: message, errcode });

/** SQLITE_CONSTRAINT_UNIQUE, _PRIMARYKEY and _FOREIGNKEY; a foreign key is checked by statement. */
function constraint({ errcode }: SqliteError): Refusal["why"] | undefined {
  if (errcode === 2067 || errcode === 1555) return "duplicate";
  return errcode === 787 ? "referenced" : undefined;
}
