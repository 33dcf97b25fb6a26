import { randomUUID } from "node:crypto";
import { DummyDriver, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";
import pg from "pg";
import type { Database, DatabaseRow, Statement } from "./database.ts";
import { channel, createPostgresListener } from "./postgres-listener.ts";
import { postgresProblem } from "./postgres-problem.ts";
import { createPostgresWriter } from "./postgres-writer.ts";

/** The lock is the same on every server, so that only one migrates at a time. */
const migrationLock: Statement = { sql: "select pg_advisory_xact_lock(7203411)", parameters: [] };

const int8 = 20;

/** How long the changes of a group wait for a row that one of them needs and another program has locked. */
const longestLockWaitMs = 1000;

/** The pause before the connection that listens is opened again. */
const listenRetryMs = 1000;

export interface PostgresOptions {
  readonly connectTimeoutMs?: number;
  /** A database that hangs must not block the API: the caller gets 503 after this time. */
  readonly timeoutMs?: number;
}

/** PostgreSQL: reads on pooled connections, and one transaction at a time for all changes that wait for it. */
export async function openPostgres(
  url: string,
  { connectTimeoutMs = 5000, timeoutMs = 15_000 }: PostgresOptions = {},
): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 16,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: timeoutMs,
    statement_timeout: timeoutMs,
    idle_in_transaction_session_timeout: timeoutMs,
    application_name: "lakehelm",
    types: {
      // Positions and sequences fit a double for the next 9 quadrillion rows.
      getTypeParser: ((oid: number, format?: "text" | "binary") =>
        oid === int8
          ? Number
          : pg.types.getTypeParser(oid, format as "text")) as typeof pg.types.getTypeParser,
    },
  });
  // A connection may break at any moment: idle, between two statements, even just after it was acquired. Its next use
  // fails and it is replaced; without error listeners from the start, the error event would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => void client.on("error", () => {}));

  let written = 0;
  const countWrite = () => {
    written += 1;
  };
  const readNames = new Map<string, string>();
  const ownName = randomUUID();
  const onCommit = {
    notify: { sql: `select pg_notify('${channel}', $1)`, parameters: [ownName] },
    onWritten: countWrite,
  };
  const writer = createPostgresWriter(pool, {
    lockWaitMs: Math.min(longestLockWaitMs, timeoutMs / 2),
    ...onCommit,
  });
  const listener = createPostgresListener(
    {
      connectionString: url,
      connectionTimeoutMillis: connectTimeoutMs,
      application_name: "lakehelm listener",
    },
    { ownName, retryMs: listenRetryMs },
  );
  listener.onWritten(countWrite);

  async function read({ sql, parameters }: Statement): Promise<DatabaseRow[]> {
    try {
      return (await pool.query<DatabaseRow>(sql, [...parameters])).rows;
    } catch (error) {
      throw postgresProblem(error);
    }
  }

  return {
    name: "postgres",
    exclusive: false,
    others: listener,
    written: () => written,
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    migrationLock,
    read,
    readOne: async (statement) => (await read(statement))[0],
    write: (statements) =>
      statements[0] === migrationLock ? writer.writeAlone(statements) : writer.write(statements),
    async begin() {
      const { beginTransaction } = await import("./postgres-transaction.ts");
      return beginTransaction(pool, readNames, onCommit);
    },
    async close() {
      await listener.close();
      await writer.close();
      await pool.end();
    },
  };
}
