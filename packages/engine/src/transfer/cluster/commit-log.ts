import type { DuckDBConnection } from "@duckdb/node-api";
import type { ReadContent } from "../../connectors/source/source.ts";
import { clusterCommitsTable, preparedCommitsTable } from "../../warehouse/internal-tables.ts";
import { literal } from "../../warehouse/names.ts";
import type { StreamSettings } from "../stream-settings.ts";

/** The last commit of a stream that this server has recorded. */
export interface KnownCommit {
  readonly number: number;
  /** A table that was dropped and created again has another id. */
  readonly tableId: string;
  /** The version of the table up to which changes by others were reported. */
  readonly version: number;
}

/** A commit that may or may not be in the table: the history has its mark if it is. */
export interface PreparedCommit {
  readonly number: number;
  readonly attempt: string;
  readonly settings: StreamSettings;
  /** The identities of the files that were read. */
  readonly files: readonly bigint[];
  /** What was read of these files, if rows are appended. */
  readonly contents: readonly ReadContent[];
}

/**
 * Prepared commits that are kept: the statement of a failed attempt can still run in the cluster during some further
 * attempts.
 */
const mostPrepared = 20;

/** What this server knows of the commits of a stream. Statements run in the transaction of the connection. */
export class CommitLog {
  readonly #commits: string;
  readonly #prepared: string;
  readonly #stream: string;

  constructor(catalog: string, stream: string) {
    this.#commits = clusterCommitsTable(catalog);
    this.#prepared = preparedCommitsTable(catalog);
    this.#stream = literal(stream);
  }

  async known(connection: DuckDBConnection): Promise<KnownCommit | undefined> {
    const found = await connection.runAndReadAll(
      `SELECT number, table_id, version FROM ${this.#commits} WHERE stream = ${this.#stream}`,
    );
    const [row] = found.getRowsJson();
    return row && { number: Number(row[0]), tableId: String(row[1]), version: Number(row[2]) };
  }

  /** The commits that were sent since the last known one, the newest first: each attempt sends its own. */
  async prepared(connection: DuckDBConnection): Promise<PreparedCommit[]> {
    const found = await connection.runAndReadAll(
      `SELECT number, attempt, settings, files, contents FROM ${this.#prepared} WHERE stream = ${this.#stream} ORDER BY rowid DESC`,
    );
    return found.getRowsJson().map(([number, attempt, settings, files, contents]) => ({
      number: Number(number),
      attempt: String(attempt),
      settings: JSON.parse(String(settings)),
      files: Array.isArray(files) ? files.map((one) => BigInt(String(one))) : [],
      contents: JSON.parse(String(contents ?? "[]")),
    }));
  }

  async prepare(connection: DuckDBConnection, commit: PreparedCommit): Promise<void> {
    const { number, attempt, settings, files, contents } = commit;
    const newest = `SELECT rowid FROM ${this.#prepared} WHERE stream = ${this.#stream} ORDER BY rowid DESC LIMIT ${mostPrepared}`;
    await connection.run(
      `DELETE FROM ${this.#prepared} WHERE stream = ${this.#stream} AND rowid NOT IN (${newest})`,
    );
    await connection.run(
      `INSERT INTO ${this.#prepared} VALUES (${this.#stream}, ${number}, ${literal(attempt)}, ${literal(JSON.stringify(settings))}, [${files.join(", ")}]::UBIGINT[], ${literal(JSON.stringify(contents))})`,
    );
  }

  /** Removes a prepared commit that was not sent. */
  async discard(connection: DuckDBConnection, attempt: string): Promise<void> {
    await connection.run(`DELETE FROM ${this.#prepared} WHERE attempt = ${literal(attempt)}`);
  }

  /** Records that the table has this version, and no commit of the stream since the known one. */
  async see(connection: DuckDBConnection, version: number): Promise<void> {
    await connection.run(
      `UPDATE ${this.#commits} SET version = ${version} WHERE stream = ${this.#stream} AND version < ${version}`,
    );
  }

  async record(connection: DuckDBConnection, { number, tableId, version }: KnownCommit): Promise<void> {
    await this.#forget(connection, this.#prepared);
    await this.#forget(connection, this.#commits);
    await connection.run(
      `INSERT INTO ${this.#commits} VALUES (${this.#stream}, ${number}, ${literal(tableId)}, ${version})`,
    );
  }

  async #forget(connection: DuckDBConnection, table: string): Promise<void> {
    await connection.run(`DELETE FROM ${table} WHERE stream = ${this.#stream}`);
  }
}
