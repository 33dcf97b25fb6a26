import pg from "pg";
import { DataProblem } from "../../protocol/problem.ts";
import type { Changes, CrashPoint, Destination, Mark, Table, Written } from "../target/target.ts";
import { PostgresMarks } from "./checkpoints.ts";
import { declaredType } from "./column-encoding.ts";
import { keptTable, sqlPlace, type TablePlace } from "./existing-table.ts";
import type { PostgresSession } from "./session.ts";
import { postgresSource } from "./source.ts";
import { Loading } from "./table-loader.ts";
import { fit, requireUnique } from "./table-schema.ts";

/** A table of a PostgreSQL. Its shape, its rows and the mark change in one transaction. */
export class PostgresTable implements Table {
  readonly #session: PostgresSession;
  readonly #signal: AbortSignal;
  readonly #destination: Destination;
  readonly #place: TablePlace;
  readonly #marks: PostgresMarks;
  /** What the run was told; undefined: it has not asked. */
  #seen: { readonly mark: Mark | undefined } | undefined;

  constructor(session: PostgresSession, signal: AbortSignal, destination: Destination, place: TablePlace) {
    this.#session = session;
    this.#signal = signal;
    this.#destination = destination;
    this.#place = place;
    this.#marks = new PostgresMarks(session, place.schema);
  }

  async mark(): Promise<Mark | undefined> {
    const mark = await this.#marks.read(this.#destination.stream);
    this.#seen = { mark };
    return mark && (await keptTable(this.#session, this.#place)) ? mark : undefined;
  }

  async present() {
    const kept = await keptTable(this.#session, this.#place);
    if (!kept) return undefined;
    return {
      source: postgresSource(this.#session.settings, this.#signal),
      dataset: `${kept.schema}.${kept.table}`,
    };
  }

  async write(changes: Changes, mark: Mark, crashPoint: CrashPoint, signal: AbortSignal): Promise<Written> {
    const { stream } = this.#destination;
    await this.#run("BEGIN");
    try {
      await this.#makeSchema();
      this.#requireSeen(await this.#marks.lock(stream));
      const fitted = await this.#fit();
      const loaded = await new Loading(this.#session, fitted, changes).load(crashPoint);
      signal.throwIfAborted();
      await changes.reject(loaded.rejected);
      await crashPoint("written");
      await this.#marks.write(stream, mark);
      await this.#run("COMMIT");
      await crashPoint("marked");
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
  #requireSeen(now: Mark | undefined): void {
    if (!this.#seen || (now?.run === this.#seen.mark?.run && now?.value === this.#seen.mark?.value)) return;
    throw new DataProblem(
      `The run ${now?.run ?? "of another"} has written ${sqlPlace(this.#place)} meanwhile.`,
      { retryable: true },
    );
  }

  async #fit() {
    const fitted = await fit(this.#session, this.#place, this.#destination);
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
    return this.#session.query(`Writing ${sqlPlace(this.#place)} in ${this.#session.place}`, sql, values);
  }
}
