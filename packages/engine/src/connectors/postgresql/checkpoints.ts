import pg from "pg";
import { DataProblem } from "../../protocol/problem.ts";
import { checkpointTable } from "../target/checkpoint-table.ts";
import type { Checkpoint } from "../target/target.ts";
import type { PostgresSession } from "./session.ts";

/** The checkpoints of a schema's tables: one row per stream, written in the transaction that writes the rows. */
export class PostgresCheckpoints {
  readonly #session: PostgresSession;
  readonly #table: string;
  readonly #action: string;

  constructor(session: PostgresSession, schema: string) {
    this.#session = session;
    this.#table = `${pg.escapeIdentifier(schema)}.${checkpointTable}`;
    this.#action = `Writing checkpoints to ${schema} of ${session.serverName}`;
  }

  async read(stream: string): Promise<Checkpoint | undefined> {
    return (await this.#exists()) ? this.#find(stream) : undefined;
  }

  /**
   * Locks the stream until the transaction ends, so that two runs cannot start from the same checkpoint. Returns the
   * current checkpoint. A stream without one gets a row that is invisible to others until the commit.
   */
  async lock(stream: string): Promise<Checkpoint | undefined> {
    if (!(await this.#exists())) await this.#create();
    await this.#query(`INSERT INTO ${this.#table} (stream) VALUES ($1) ON CONFLICT (stream) DO NOTHING`, [
      stream,
    ]);
    return this.#find(stream, " FOR UPDATE");
  }

  async write(stream: string, { value, time, run }: Checkpoint): Promise<void> {
    const { rowCount } = await this.#query(
      `UPDATE ${this.#table} SET value = $2, time = $3, run = $4 WHERE stream = $1`,
      [stream, value, time, run],
    );
    if (rowCount !== 1) throw new DataProblem(`The checkpoint of ${stream} was removed from ${this.#table}.`);
  }

  async #exists(): Promise<boolean> {
    const { rows } = await this.#query<{ found: boolean }>("SELECT to_regclass($1) IS NOT NULL AS found", [
      this.#table,
    ]);
    return rows[0]?.found === true;
  }

  /**
   * CREATE TABLE IF NOT EXISTS does not wait for another session: without the lock, one of two first runs would fail.
   */
  async #create(): Promise<void> {
    await this.#query("SELECT pg_advisory_xact_lock(hashtext($1))", [this.#table]);
    await this.#query(
      `CREATE TABLE IF NOT EXISTS ${this.#table} (stream text PRIMARY KEY, value text, time timestamptz, run text)`,
    );
  }

  async #find(stream: string, locking = ""): Promise<Checkpoint | undefined> {
    const text = `to_char(time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
    const time = `regexp_replace(${text}, '\\.?0+Z$', 'Z') AS time`;
    const { rows } = await this.#query<Checkpoint>(
      `SELECT value, ${time}, run FROM ${this.#table} WHERE stream = $1 AND run IS NOT NULL${locking}`,
      [stream],
    );
    return rows[0];
  }

  #query<Row extends pg.QueryResultRow>(sql: string, values: readonly unknown[] = []) {
    return this.#session.query<Row>(this.#action, sql, values);
  }
}
