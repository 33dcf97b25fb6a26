import { DummyDriver, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";
import pg from "pg";
import { Problem, unavailable } from "../errors.ts";
import type { Database, DatabaseRow, Refusal, Statement } from "./database.ts";

/** An advisory lock id, the same on every server, so that only one migrates at a time. */
const migrationLockKey = 7_203_411;

const int8 = 20;

/**
 * Changes that lock the same rows in a different order deadlock: PostgreSQL aborts one of them. It is retried, one at a
 * time with other retries, so that they do not deadlock again.
 */
const tries = 5;
const serializeRetries = "select pg_advisory_xact_lock(7203412)";

export interface PostgresOptions {
  readonly connectTimeoutMs?: number;
  /** A database that hangs must not block the API: the caller gets 503 after this time. */
  readonly timeoutMs?: number;
}

/** PostgreSQL: one short transaction per change, on a pooled connection. */
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
    written: () => 0,
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    migrationLock: { sql: `select pg_advisory_xact_lock(${migrationLockKey})`, parameters: [] },
    read,
    readOne: async (statement) => (await read(statement))[0],
    async write(statements) {
      const client = await pool.connect().catch((error) => {
        throw postgresProblem(error);
      });
      let broken: Error | undefined;
      try {
        for (let n = 1; n <= tries; n++) {
          const answer = await inTransaction(client, statements, n > 1);
          if (answer !== "deadlock") return answer;
        }
        throw unavailable("The database is busy with concurrent changes to the same rows. Try again.");
      } catch (error) {
        // The transaction is in an unknown state: its connection is discarded.
        broken = error as Error;
        throw postgresProblem(error);
      } finally {
        client.release(broken);
      }
    },
    close: () => pool.end(),
  };
}

async function inTransaction(
  client: pg.PoolClient,
  statements: readonly Statement[],
  again: boolean,
): Promise<Refusal | "deadlock" | undefined> {
  await client.query("begin");
  if (again) await client.query(serializeRetries);
  for (const [at, { sql, parameters, expect }] of statements.entries()) {
    try {
      const { rowCount } = await client.query(sql, [...parameters]);
      if (expect === undefined || rowCount === expect) continue;
      await client.query("rollback");
      return { at, why: "missed" };
    } catch (error) {
      const why = constraint(error);
      if (!why) throw error;
      await client.query("rollback");
      return why === "deadlock" ? why : { at, why };
    }
  }
  await client.query("commit");
  return undefined;
}

/** unique_violation, foreign_key_violation; deadlock_detected and serialization_failure. */
function constraint(error: unknown): Refusal["why"] | "deadlock" | undefined {
  const code = (error as { code?: string }).code;
  if (code === "23505") return "duplicate";
  if (code === "23503") return "referenced";
  return code === "40P01" || code === "40001" ? "deadlock" : undefined;
}

const unreachable = "The database is unreachable.";

/** SQLSTATE classes (and one code) caused by the server or the network, not by our code. */
const sentences: Record<string, string> = {
  "08": unreachable,
  "25006": "The database cannot be written: it is read-only.",
  "28": "The database does not accept the user or password of DATABASE_URL.",
  "3D": "The database that DATABASE_URL names does not exist.",
  "53": "The database has no disk space or connections left.",
  "57": unreachable,
  "58": unreachable,
};

/** An error without an SQLSTATE is the network's. (Node's own codes, such as EPIPE, start with E: none does.) */
function postgresProblem(error: unknown): Error {
  if (error instanceof Problem) return error;
  const code = (error as { code?: string }).code ?? "";
  if (!/^[0-9FHPX][0-9A-Z]{4}$/.test(code)) return unavailable(unreachable, error);
  const sentence = sentences[code] ?? sentences[code.slice(0, 2)];
  return sentence === undefined ? (error as Error) : unavailable(sentence, error);
}
