import { DatabaseSync, type StatementSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { DummyDriver, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import { unavailable } from "../problems.ts";
import type { Engine, Refusal, Row, Statement } from "./engine.ts";
import { sqliteProblem } from "./sqlite-problem.ts";
import type { Batch, BatchDone, Packed } from "./sqlite-writer.ts";

interface Waiting {
  readonly statements: readonly Statement[];
  readonly done: (refusal: Refusal | undefined) => void;
  readonly failed: (error: Error) => void;
}

/**
 * SQLite: reads run here on a connection of their own (WAL: they never wait for the writer), writes on one
 * writer thread. What arrives there while it commits becomes the next transaction: one fsync serves all of it.
 */
export async function openSqlite(path: string): Promise<Engine> {
  let writer = await startWriter(path);
  const reader = new DatabaseSync(path, { readOnly: true });
  reader.exec("pragma busy_timeout = 5000; pragma cache_size = -8000");
  const prepared = new Map<string, StatementSync>();

  let gathered: Waiting[] = [];
  const sent: Waiting[] = [];
  let closing = false;
  const known = new Map<string, number>();

  function send(): void {
    if (gathered.length === 0) return;
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
    const changes = gathered.map(({ statements }) => statements.map(pack));
    sent.push(...gathered);
    gathered = [];
    // One string: cheaper to send than the objects, which the thread port would walk and copy one by one.
    writer.postMessage(JSON.stringify({ learn, changes } satisfies Batch));
  }

  function listen(): void {
    writer.on("message", ({ count, refusals, failed }: BatchDone) => {
      const answered = sent.splice(0, count);
      const error = failed && sqliteProblem(failed);
      answered.forEach((one, index) => void (error ? one.failed(error) : one.done(refusals[index])));
    });
    writer.on("error", (error) => lose(error as Error));
    writer.on("exit", () => closing || lose(new Error("the writer thread ended")));
  }

  /** The thread is gone: what it had is undone by SQLite itself, its callers are told, a new one starts. */
  function lose(cause: Error): void {
    const lost = [...sent.splice(0), ...gathered];
    gathered = [];
    known.clear();
    writer.removeAllListeners();
    for (const one of lost) one.failed(unavailable("The database stopped while it was writing.", cause));
    startWriter(path).then(
      (fresh) => {
        writer = fresh;
        listen();
        send();
      },
      (error) => setTimeout(() => closing || lose(error), 1000).unref(),
    );
  }

  listen();

  return {
    name: "sqlite",
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    migrationLock: undefined,
    async read({ sql, parameters }) {
      try {
        let statement = prepared.get(sql);
        if (!statement) {
          statement = reader.prepare(sql);
          prepared.set(sql, statement);
        }
        return statement.all(...parameters) as Row[];
      } catch (error) {
        throw sqliteProblem(error as Error);
      }
    },
    write(statements) {
      if (closing) return Promise.reject(unavailable("The server is stopping."));
      return new Promise((done, failed) => {
        // One turn of the event loop gathers what other requests of this turn want to write.
        if (gathered.push({ statements, done, failed }) === 1) setImmediate(send);
      });
    },
    async close() {
      while (sent.length > 0 || gathered.length > 0) await new Promise((next) => setImmediate(next));
      closing = true;
      const ended = new Promise((done) => writer.once("exit", done));
      writer.postMessage("close");
      await ended;
      reader.close();
    },
  };
}

async function startWriter(path: string): Promise<Worker> {
  const writer = new Worker(new URL("./sqlite-writer.ts", import.meta.url), {
    workerData: { path },
    // The thread does little but call SQLite: a small heap keeps the idle server small.
    resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 },
  });
  await new Promise<void>((ready, failed) => {
    writer.once("message", () => ready());
    writer.once("error", (error) => failed(sqliteProblem(error as Error)));
  });
  return writer;
}
