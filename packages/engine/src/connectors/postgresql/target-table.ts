import pg from "pg";
import { DataProblem } from "../../protocol/problem.ts";
import type {
  ChangeSet,
  Checkpoint,
  CrashPoint,
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

/** A table of a PostgreSQL. Its shape, its rows and the mark change in one transaction. */
export class PostgresTargetTable implements TargetTable {
  readonly #session: PostgresSession;
  readonly #signal: AbortSignal;
  readonly #destination: Destination;
  readonly #place: PostgresTableName;
  readonly #marks: PostgresCheckpoints;
  /** What the run was told; undefined: it has not asked. */
  #seen: { readonly mark: Checkpoint | undefined } | undefined;

  constructor(
    session: PostgresSession,
    signal: AbortSignal,
    destination: Destination,
    place: PostgresTableName,
  ) {
    this.#session = session;
    this.#signal = signal;
    this.#destination = destination;
    this.#place = place;
    this.#marks = new PostgresCheckpoints(session, place.schema);
  }

  async readCheckpoint(): Promise<Checkpoint | undefined> {
    const mark = await this.#marks.read(this.#destination.stream);
    this.#seen = { mark };
    return mark && (await findTable(this.#session, this.#place)) ? mark : undefined;
  }

  async existingRows() {
    const kept = await findTable(this.#session, this.#place);
    if (!kept) return undefined;
    return {
      source: postgresSource(this.#session.settings, this.#signal),
      dataset: `${kept.schema}.${kept.table}`,
    };
  }

  async write(
    changes: ChangeSet,
    mark: Checkpoint,
    crashPoint: CrashPoint,
    signal: AbortSignal,
  ): Promise<WriteResult> {
    const { stream } = this.#destination;
    await this.#run("BEGIN");
    try {
      await this.#makeSchema();
      this.#requireSeen(await this.#marks.lock(stream));
      const fitted = await this.#fit();
      const loaded = await new TableLoader(this.#session, fitted, changes).load(crashPoint);
      signal.throwIfAborted();
      await changes.reject(loaded.rejected);
      await crashPoint("written");
      await this.#marks.write(stream, mark);
      await this.#run("COMMIT");
      await crashPoint("checkpointed");
      return loaded;
    } catch (error) {
      await this.#run("ROLLBACK").catch(() => {});
      throw error;
    }
  }

  async #makeSchema(): Promise<void> {
    const { rows } = await this.#run("SELECT 1 FROM pg_namespace WHERE nspname = $1", [this.#place.schema]);
    if (rows.length === 0) {
      await this.#run(`CREATE SCHEMA IF NOT EXISTS ${pg.escapeIdentifier(this.#place.schema)}`);
    }
  }

  /** The rows were chosen by the mark that was there: after another's they may be the wrong ones. */
  #requireSeen(now: Checkpoint | undefined): void {
    if (!this.#seen || (now?.run === this.#seen.mark?.run && now?.value === this.#seen.mark?.value)) return;
    throw new DataProblem(
      `The run ${now?.run ?? "of another"} has written ${quotedTable(this.#place)} meanwhile.`,
      { retryable: true },
    );
  }

  async #fit() {
    const fitted = await mapTable(this.#session, this.#place, this.#destination);
    if (!fitted.kept) return fitted;
    requireUnique(fitted);
    for (const { name, type } of fitted.added) {
      await this.#run(
        `ALTER TABLE ${fitted.table} ADD COLUMN ${pg.escapeIdentifier(name)} ${declaredType(type)}`,
      );
    }
    return fitted;
  }

  #run(sql: string, values: readonly unknown[] = []) {
    return this.#session.query(`Writing ${quotedTable(this.#place)} in ${this.#session.place}`, sql, values);
  }
}
