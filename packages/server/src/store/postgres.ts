import { DummyDriver, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";
import pg from "pg";
import { Problem, unavailable } from "../problems.ts";
import type { Engine, Refusal, Row, Statement } from "./engine.ts";

/** Any number: the same on every server, so that only one of them migrates at a time. */
const migrationLockKey = 7_203_411;

const int8 = 20;

/** PostgreSQL: one short transaction a change, on a pooled connection. */
export async function openPostgres(url: string): Promise<Engine> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 16,
    connectionTimeoutMillis: 5000,
    // A database that hangs must not hang the API: the caller gets 503 after this time.
    query_timeout: 15_000,
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 15_000,
    application_name: "lakehelm",
    types: {
      // Positions and sequences fit a double for the next 9 quadrillion rows.
      getTypeParser: ((oid: number, format?: "text" | "binary") =>
        oid === int8
          ? Number
          : pg.types.getTypeParser(oid, format as "text")) as typeof pg.types.getTypeParser,
    },
  });
  // An idle connection that breaks is replaced at the next use; without a listener it would end the process.
  pool.on("error", () => {});

  return {
    name: "postgres",
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    migrationLock: { sql: `select pg_advisory_xact_lock(${migrationLockKey})`, parameters: [] },
    async read({ sql, parameters }) {
      try {
        return (await pool.query<Row>(sql, [...parameters])).rows;
      } catch (error) {
        throw postgresProblem(error);
      }
    },
    async write(statements) {
      const client = await pool.connect().catch((error) => {
        throw postgresProblem(error);
      });
      let broken: Error | undefined;
      try {
        return await inTransaction(client, statements);
      } catch (error) {
        // A transaction in an unknown state: its connection is not used again.
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
): Promise<Refusal | undefined> {
  await client.query("begin");
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
      return { at, why };
    }
  }
  await client.query("commit");
  return undefined;
}

/** unique_violation, foreign_key_violation; deadlock and serialization failures are worth another try. */
function constraint(error: unknown): Refusal["why"] | undefined {
  const code = (error as { code?: string }).code;
  if (code === "23505") return "duplicate";
  if (code === "23503") return "referenced";
  return code === "40P01" || code === "40001" ? "missed" : undefined;
}

/**
 * Classes 08, 53, 57 and 58 are the server's or the network's doing; so are errors without an SQLSTATE
 * (Node's own codes, such as EPIPE, start with E: no SQLSTATE does).
 */
function postgresProblem(error: unknown): Error {
  if (error instanceof Problem) return error;
  const code = (error as { code?: string }).code ?? "";
  if (code.startsWith("53")) return unavailable("The database has no room or connections left.", error);
  const ours = /^[0-9FHPX][0-9A-Z]{4}$/.test(code) && !/^(08|57|58)/.test(code);
  return ours ? (error as Error) : unavailable("The database cannot be reached.", error);
}
