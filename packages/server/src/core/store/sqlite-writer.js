// @ts-check
/**
 * The writer thread: the only place that writes to the SQLite file. Plain JavaScript, because a thread that reads
 * TypeScript loads a type stripper of its own: 17 MB of memory, and 100 ms of the start.
 *
 * @import { Refusal } from "./database.ts"
 * @import { WriteBatch, BatchDone, Fault, SqliteError, Statements, WriterData } from "./sqlite-batch.ts"
 * @import { StatementSync } from "node:sqlite"
 */
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { machineFaults } from "./sqlite-codes.js";

const { path, busyTimeoutMs } = /** @type {WriterData} */ (workerData);
// The time limit comes first, because even the switch to WAL may have to wait for another program.
const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
// A new file can give free pages back to the disk. The switch must come before the first page is written.
database.exec(`
  pragma auto_vacuum = incremental;
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma foreign_keys = on;
  pragma cache_size = -8000`);

/** A file of this size is rewritten in about a second. */
const compactedBytes = 64 * 1024 * 1024;
compactIfSmall();

/**
 * The parts of a large batch so far.
 *
 * @type {Statements[]}
 */
let received = [];
/** @type {string[]} */
const texts = [];
/** @type {(StatementSync | undefined)[]} */
const prepared = [];
const begin = database.prepare("begin immediate");
const commit = database.prepare("commit");
const rollback = database.prepare("rollback");
const savepoint = database.prepare("savepoint change");
const release = database.prepare("release change");
const undo = database.prepare("rollback to change");

const port = parentPort;
if (!port) throw new Error("sqlite-writer.js runs as a worker thread");

port.on("message", (/** @type {string} */ message) => {
  if (message === "close") {
    database.close();
    port.close();
    return;
  }
  const { learn, changes, more } = /** @type {WriteBatch} */ (JSON.parse(message));
  texts.push(...learn);
  const [first = [], ...others] = changes;
  if (received.length > 0) received.push([...(received.pop() ?? []), ...first], ...others);
  else received = [...changes];
  if (more) return;
  const all = received;
  received = [];
  port.postMessage(run(all));
});
port.postMessage("ready");

/** A file of an earlier version cannot give pages back before it is rewritten once. A large one is left to `npm run compact`. */
function compactIfSmall() {
  const pragma = (/** @type {string} */ name) => Number(database.prepare(`pragma ${name}`).get()?.[name]);
  if (pragma("auto_vacuum") !== 0 || pragma("page_count") * pragma("page_size") > compactedBytes) return;
  try {
    database.exec("vacuum");
  } catch {
    // The disk has no space for a second copy, or another program reads the file: the next start tries again.
  }
}

/** @type {(changes: readonly Statements[]) => BatchDone} */
function run(changes) {
  const count = changes.length;
  try {
    return { count, answers: applyAll(changes) ?? applyEach(changes) };
  } catch (error) {
    if (database.isTransaction) database.exec("rollback");
    return { count, answers: [], failed: faultOf(/** @type {SqliteError} */ (error)) };
  }
}

/**
 * Without savepoints: they copy every page that a change touches, a third of a batch's time. Undefined: one of several
 * changes was refused, and nothing is written.
 *
 * @type {(changes: readonly Statements[]) => (Refusal | Fault | undefined)[] | undefined}
 */
function applyAll(changes) {
  begin.run();
  for (const statements of changes) {
    const answer = firstRefusal(statements);
    if (!answer) continue;
    rollback.run();
    return changes.length === 1 ? [answer] : undefined;
  }
  commit.run();
  return changes.map(() => undefined);
}

/**
 * Each change in a savepoint: a refused change rolls back only itself.
 *
 * @type {(changes: readonly Statements[]) => (Refusal | Fault | undefined)[]}
 */
function applyEach(changes) {
  begin.run();
  const answers = changes.map(applyOne);
  commit.run();
  return answers;
}

/** @type {(statements: Statements) => Refusal | Fault | undefined} */
function applyOne(statements) {
  savepoint.run();
  const answer = firstRefusal(statements);
  if (answer) undo.run();
  release.run();
  return answer;
}

/** @type {(statements: Statements) => Refusal | Fault | undefined} */
function firstRefusal(statements) {
  for (const [at, [id, expect, ...values]] of statements.entries()) {
    try {
      const statement = prepared[id] ?? database.prepare(texts[id] ?? "");
      prepared[id] = statement;
      const { changes } = statement.run(...values);
      if (expect >= 0 && changes !== expect) return { at, why: "missed" };
    } catch (thrown) {
      const error = /** @type {SqliteError} */ (thrown);
      const why = constraint(error);
      if (why) return { at, why };
      // A wrong statement fails its own change; a full disk fails all of them.
      if (machineFaults.has((error.errcode ?? 0) & 0xff) || !database.isTransaction) throw error;
      return faultOf(error);
    }
  }
  return undefined;
}

/** @type {(error: SqliteError) => Fault} */
function faultOf({ message, errcode }) {
  return { fault: message, errcode };
}

/**
 * SQLITE_CONSTRAINT_UNIQUE, _PRIMARYKEY and _FOREIGNKEY; a foreign key is checked by statement.
 *
 * @type {(error: SqliteError) => Refusal["why"] | undefined}
 */
function constraint({ errcode }) {
  if (errcode === 2067 || errcode === 1555) return "duplicate";
  return errcode === 787 ? "referenced" : undefined;
}
