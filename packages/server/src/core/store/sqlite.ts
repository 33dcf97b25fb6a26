import { DatabaseSync, type StatementSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { DummyDriver, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import { unavailable } from "../errors.ts";
import type { Database, DatabaseRow, Refusal, Statement, Transaction } from "./database.ts";
import type { BatchDone, Fault, Packed, Statements, WriteBatch, WriterData } from "./sqlite-batch.ts";
import { sqliteProblem } from "./sqlite-problem.ts";
import type { SqliteTransactions } from "./sqlite-transaction.ts";

/** Characters that are sent to the writer at once: about 5 ms of this thread. */
const partLength = 512 * 1024;

function lengthOf(values: Packed): number {
  let length = 0;
  for (const value of values) if (typeof value === "string") length += value.length;
  return length;
}

interface PendingWrite {
  readonly statements: readonly Statement[];
  readonly done: (refusal: Refusal | undefined) => void;
  readonly failed: (error: Error) => void;
}

export interface SqliteOptions {
  /** How long to wait for another program that holds a lock on the file. */
  readonly busyTimeoutMs?: number;
}

/**
 * SQLite: reads use a separate connection in this thread (WAL: they never wait for the writer), writes go to one writer
 * thread. Changes that are queued during a commit form the next transaction and share one fsync.
 */
export async function openSqlite(
  path: string,
  { busyTimeoutMs = 5000 }: SqliteOptions = {},
): Promise<Database> {
  const first = await startWriter({ path, busyTimeoutMs });
  /** Undefined while a new thread starts; queued changes wait for it. */
  let writer: Worker | undefined = first;
  let starting: Promise<void> | undefined;
  const reader = openReader(path, busyTimeoutMs);

  let queued: PendingWrite[] = [];
  const sent: PendingWrite[] = [];
  let closing = false;
  let written = 0;
  /** A transaction is open: changes wait until it ends. */
  let isHeld = false;
  const waiting: (() => void)[] = [];
  let transactions: SqliteTransactions | undefined;
  const known = new Map<string, number>();

  /** One batch is in flight at a time; changes queued meanwhile form the next one. */
  function send(): void {
    if (!writer || isHeld || sent.length > 0 || queued.length === 0) return;
    const learn: string[] = [];
    const pack = ({ sql, parameters, expect = -1 }: Statement): Packed => {
      let id = known.get(sql);
      if (id === undefined) {
        id = known.size;
        known.set(sql, id);
        learn.push(sql);
      }
      return [id, expect, ...parameters];
    };
    const changes = queued.map(({ statements }) => statements.map(pack));
    sent.push(...queued);
    queued = [];
    let length = 0;
    for (const change of changes) for (const statement of change) length += lengthOf(statement);
    if (length <= partLength) writer.postMessage(JSON.stringify({ learn, changes } satisfies WriteBatch));
    else void sendInParts(writer, learn, changes);
  }

  /** Sends a large batch in parts, and yields to other requests in between. */
  async function sendInParts(to: Worker, learn: readonly string[], changes: readonly Statements[]) {
    let batch: { learn: readonly string[]; changes: Packed[][] } = { learn, changes: [] };
    let length = 0;
    for (const change of changes) {
      batch.changes.push([]);
      for (const statement of change) {
        batch.changes.at(-1)?.push(statement);
        length += lengthOf(statement);
        if (length < partLength) continue;
        to.postMessage(JSON.stringify({ ...batch, more: true } satisfies WriteBatch));
        await nextTurn();
        // The thread has ended, and its callers got an error.
        if (writer !== to) return;
        batch = { learn: [], changes: [[]] };
        length = 0;
      }
    }
    to.postMessage(JSON.stringify(batch satisfies WriteBatch));
  }

  /** Lets the next transaction begin if no change is being written. Transactions and batches of changes alternate. */
  function admit(): void {
    if (isHeld || sent.length > 0) return;
    const next = waiting.shift();
    if (!next) return;
    isHeld = true;
    next();
  }

  function release(): void {
    isHeld = false;
    send();
    admit();
  }

  async function begin(): Promise<Transaction> {
    if (closing) throw unavailable("The server is stopping.");
    const { openTransactions } = await import("./sqlite-transaction.ts");
    await new Promise<void>((admitted) => {
      waiting.push(admitted);
      admit();
    });
    try {
      transactions ??= openTransactions(path, busyTimeoutMs);
      return transactions.begin({
        // First in the queue: nothing has changed since the transaction began.
        write: (statements) =>
          new Promise((done, failed) => {
            queued.unshift({ statements, done, failed });
            release();
          }),
        release,
      });
    } catch (error) {
      release();
      throw sqliteProblem(error as Error);
    }
  }

  function listen(to: Worker): void {
    to.on("message", ({ count, answers, failed }: BatchDone) => {
      // A caller whose change is confirmed must be able to read it.
      written += 1;
      reader.end();
      const completed = sent.splice(0, count);
      // The thread starts the next batch while the callers of this one continue.
      if (waiting.length > 0) admit();
      send();
      completed.forEach((one, index) => {
        const answer = failed ?? answers[index];
        if (answer && "fault" in answer) one.failed(errorOf(answer));
        else one.done(answer);
      });
    });
    to.on("error", (error) => replaceWriter(error as Error));
    to.on("exit", () => closing || replaceWriter(new Error("The SQLite writer thread ended.")));
  }

  /** The thread has ended unexpectedly: SQLite rolls back its transaction, its callers get an error, and a new thread starts. */
  function replaceWriter(cause: Error): void {
    // Its last batch may have been committed without an answer.
    written += 1;
    reader.end();
    const lost = [...sent.splice(0), ...queued];
    queued = [];
    known.clear();
    writer?.removeAllListeners();
    writer = undefined;
    for (const one of lost) one.failed(unavailable("The database stopped during a write.", cause));
    admit();
    starting = startWriter({ path, busyTimeoutMs }).then(
      (fresh) => {
        writer = fresh;
        listen(fresh);
        send();
      },
      (error) => void setTimeout(() => closing || replaceWriter(error), 1000).unref(),
    );
  }

  listen(first);

  return {
    name: "sqlite",
    exclusive: true,
    others: undefined,
    written: () => written,
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    migrationLock: undefined,
    read: async ({ sql, parameters }) =>
      reader.at(sql, (statement) => statement.all(...parameters) as DatabaseRow[]),
    readOne: async ({ sql, parameters }) =>
      reader.at(sql, (statement) => statement.get(...parameters) as DatabaseRow | undefined),
    write(statements) {
      if (closing) return Promise.reject(unavailable("The server is stopping."));
      return new Promise((done, failed) => {
        // Changes of one event loop turn are sent together.
        if (queued.push({ statements, done, failed }) === 1) setImmediate(send);
      });
    },
    begin,
    async close() {
      while (isHeld || sent.length > 0 || queued.length > 0) await new Promise((next) => setImmediate(next));
      closing = true;
      await starting;
      transactions?.close();
      // The last connection to close checkpoints the WAL, which a read-only one cannot: the reader closes first.
      reader.close();
      if (!writer) return;
      const last = writer;
      const ended = new Promise((done) => last.once("exit", done));
      last.postMessage("close");
      await ended;
    },
  };
}

const errorOf = ({ fault, errcode }: Fault): Error =>
  sqliteProblem(Object.assign(new Error(fault), { errcode }));

async function startWriter(workerData: WriterData): Promise<Worker> {
  const writer = new Worker(new URL("./sqlite-writer.js", import.meta.url), {
    workerData,
    // The thread mostly calls SQLite: a small heap keeps the idle server small.
    resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 },
  });
  await new Promise<void>((ready, failed) => {
    writer.once("message", () => ready());
    writer.once("error", (error) => failed(sqliteProblem(error as Error)));
    writer.once("exit", () => failed(new Error("The SQLite writer thread ended.")));
  });
  return writer;
}

export interface SnapshotReader {
  at<Result>(sql: string, read: (statement: StatementSync) => Result): Result;
  /** Ends the snapshot of this event loop turn: the next read sees what is committed by then. */
  end(): void;
  close(): void;
}

/**
 * The read connection. All reads of one event loop turn share a snapshot: acquiring and releasing SQLite's locks costs
 * two thirds of a small read (4.7 µs alone, 1.5 µs inside a snapshot).
 */
export function openReader(path: string, busyTimeoutMs: number): SnapshotReader {
  const database = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
  database.exec("pragma cache_size = -8000");
  const prepared = new Map<string, StatementSync>();
  const begin = database.prepare("begin");
  const commit = database.prepare("commit");
  let inSnapshot = false;

  function end(): void {
    if (!inSnapshot) return;
    inSnapshot = false;
    commit.run();
  }

  return {
    at(sql, read) {
      try {
        if (!inSnapshot) {
          begin.run();
          inSnapshot = true;
          setImmediate(end);
        }
        let statement = prepared.get(sql);
        if (!statement) {
          statement = database.prepare(sql);
          prepared.set(sql, statement);
        }
        return read(statement);
      } catch (error) {
        end();
        throw sqliteProblem(error as Error);
      }
    },
    end,
    close() {
      end();
      database.close();
    },
  };
}
