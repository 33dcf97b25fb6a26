import pg from "pg";
import { DataProblem } from "../../protocol/problem.ts";
import type {
  ChangeSet,
  Checkpoint,
  CrashPointHook,
  Destination,
  TargetTable,
  WriteResult,
} from "../target/target.ts";
import { PostgresCheckpoints } from "./checkpoints.ts";
import { declaredType } from "./column-encoding.ts";
import { findTable, type PostgresTableName, quotedTable } from "./existing-table.ts";
import type { PostgresSession } from "./session.ts";
import { postgresSource } from "./source.ts";
import { TableLoader } from "./table-loader.ts";
import { mapTable, requireUnique } from "./table-schema.ts";

/** A PostgreSQL table. Its rows and the checkpoint change in one transaction, after new columns were added in another. */
export class PostgresTargetTable implements TargetTable {
  readonly #session: PostgresSession;
  readonly #signal: AbortSignal;
  readonly #destination: Destination;
  readonly #tableName: PostgresTableName;
  readonly #checkpoints: PostgresCheckpoints;
  /** The checkpoint that the run has read; undefined if it has not read one. */
  #read: { readonly checkpoint: Checkpoint | undefined } | undefined;

  constructor(
    session: PostgresSession,
    signal: AbortSignal,
    destination: Destination,
    tableName: PostgresTableName,
  ) {
    this.#session = session;
    this.#signal = signal;
    this.#destination = destination;
    this.#tableName = tableName;
    this.#checkpoints = new PostgresCheckpoints(session, tableName.schema);
  }

  async readCheckpoint(): Promise<Checkpoint | undefined> {
    const checkpoint = await this.#checkpoints.read(this.#destination.stream);
    this.#read = { checkpoint };
    return checkpoint && (await findTable(this.#session, this.#tableName)) ? checkpoint : undefined;
  }

  async isEmpty(): Promise<boolean> {
    const existing = await findTable(this.#session, this.#tableName);
    const { rows } = await this.#run(`SELECT 1 FROM ${quotedTable(existing ?? this.#tableName)} LIMIT 1`);
    return rows.length === 0;
  }

  async existingRows() {
    const existing = await findTable(this.#session, this.#tableName);
    if (!existing) return undefined;
    return {
      source: postgresSource(this.#session.settings, this.#signal),
      dataset: `${existing.schema}.${existing.table}`,
    };
  }

  /**
   * No rehearsal with new columns, which are committed before the rows, or if the table is emptied, which blocks its
   * readers.
   */
  async canRehearse(whole: boolean): Promise<boolean> {
    const { existing, added } = await this.#mapTable();
    return !existing || (added.length === 0 && !whole);
  }

  async write(
    changes: ChangeSet,
    checkpoint: Checkpoint,
    crashPoint: CrashPointHook,
    signal: AbortSignal,
  ): Promise<WriteResult> {
    const { stream } = this.#destination;
    await this.#addColumns();
    await this.#run("BEGIN");
    try {
      await this.#createSchema();
      this.#requireUnchanged(await this.#checkpoints.lock(stream));
      const mapping = await this.#mapTable();
      const loaded = await new TableLoader(this.#session, mapping, changes).load(crashPoint);
      signal.throwIfAborted();
      await changes.reject(loaded.rejected);
      await crashPoint("written");
      await this.#checkpoints.write(stream, checkpoint);
      await this.#run("COMMIT");
      await crashPoint("checkpointed");
      return loaded;
    } catch (error) {
      await this.#run("ROLLBACK").catch(() => {});
      throw error;
    }
  }

  async #createSchema(): Promise<void> {
    const { rows } = await this.#run("SELECT 1 FROM pg_namespace WHERE nspname = $1", [
      this.#tableName.schema,
    ]);
    if (rows.length === 0) {
      await this.#run(`CREATE SCHEMA IF NOT EXISTS ${pg.escapeIdentifier(this.#tableName.schema)}`);
    }
  }

  /**
   * The rows were selected with the checkpoint that the run has read. If another run has written since, they may be the
   * wrong rows.
   */
  #requireUnchanged(current: Checkpoint | undefined): void {
    if (
      !this.#read ||
      (current?.run === this.#read.checkpoint?.run && current?.value === this.#read.checkpoint?.value)
    )
      return;
    throw new DataProblem(
      `Another run${current ? ` (${current.run})` : ""} has written ${quotedTable(this.#tableName)} since this run started.`,
      { retryable: true },
    );
  }

  async #mapTable() {
    const mapping = await mapTable(this.#session, this.#tableName, this.#destination);
    requireUnique(mapping);
    return mapping;
  }

  /**
   * Adds columns in a transaction of its own: ALTER TABLE blocks all readers until its transaction ends, which must not
   * take as long as the load.
   */
  async #addColumns(): Promise<void> {
    const { existing, added, table } = await this.#mapTable();
    if (!existing || added.length === 0) return;
    const clauses = added.map(
      ({ name, type }) => `ADD COLUMN IF NOT EXISTS ${pg.escapeIdentifier(name)} ${declaredType(type)}`,
    );
    await this.#run(`ALTER TABLE ${table} ${clauses.join(", ")}`);
  }

  #run(sql: string, values: readonly unknown[] = []) {
    return this.#session.query(
      `Writing ${quotedTable(this.#tableName)} in ${this.#session.serverName}`,
      sql,
      values,
    );
  }
}
