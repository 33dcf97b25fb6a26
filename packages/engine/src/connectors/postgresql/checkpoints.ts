import pg from "pg";
import { DataProblem } from "../../protocol/problem.ts";
import { checkpointTable } from "../target/checkpoint-table.ts";
import type { Checkpoint } from "../target/target.ts";
import type { PostgresSession } from "./session.ts";

/** The marks of a schema's tables: a row for each stream, written in the transaction that writes the rows. */
export class PostgresCheckpoints {
  readonly #session: PostgresSession;
  readonly #table: string;
  readonly #doing: string;

  constructor(session: PostgresSession, schema: string) {
    this.#session = session;
    this.#table = `${pg.escapeIdentifier(schema)}.${checkpointTable}`;
    this.#doing = `Keeping marks in ${schema} of ${session.place}`;
  }

  async read(stream: string): Promise<Checkpoint | undefined> {
    return (await this.#isThere()) ? this.#find(stream) : undefined;
  }

  /**
   * Locks the stream until the transaction ends, so that no two runs move from the same mark; answers the mark as it is now.
   * A stream without a mark gets a row, which nobody sees before the transaction has written it.
   */
  async lock(stream: string): Promise<Checkpoint | undefined> {
    if (!(await this.#isThere())) await this.#make();
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
    if (rowCount !== 1) throw new DataProblem(`The mark of ${stream} is gone from ${this.#table}.`);
  }

  async #isThere(): Promise<boolean> {
    const { rows } = await this.#query<{ there: boolean }>("SELECT to_regclass($1) IS NOT NULL AS there", [
      this.#table,
    ]);
    return rows[0]?.there === true;
  }

  /** Two first runs would both make it, and one would fail: CREATE TABLE IF NOT EXISTS does not wait for the other. */
  async #make(): Promise<void> {
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
    return this.#session.query<Row>(this.#doing, sql, values);
  }
}
