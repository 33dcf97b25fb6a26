import pg from "pg";
import { DataProblem } from "../../protocol/problem.ts";
import type { Reject } from "../../protocol/transfer.ts";
import { writeByBisection } from "../target/bisection.ts";
import type { ChangeSet, CrashPoint } from "../target/target.ts";
import { encodeCopy } from "./copy-encoding.ts";
import { copyIn } from "./copy-in.ts";
import type { PostgresSession } from "./session.ts";
import {
  addKey,
  copyDirectly,
  copyToStage,
  createStage,
  createTable,
  deleteKeys,
  moveRows,
  stage,
  stagedKeys,
} from "./statements.ts";
import type { PostgresTableMapping } from "./table-schema.ts";

/** What became of the rows. */
export interface PostgresLoadResult {
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
  readonly rejected: readonly Reject[];
  readonly bytes: number;
}

/** More than that is not a matter of single rows. */
const mostRefused = 10_000;
/** Keys in one statement. */
const goneBatch = 5000;

/** Rows on their way into one table, within the transaction of the run. */
export class TableLoader {
  readonly #session: PostgresSession;
  readonly #fitted: PostgresTableMapping;
  readonly #changes: ChangeSet;
  readonly #doing: string;
  #rejected: Reject[] = [];

  constructor(session: PostgresSession, fitted: PostgresTableMapping, changes: ChangeSet) {
    this.#session = session;
    this.#fitted = fitted;
    this.#changes = changes;
    this.#doing = `Writing ${fitted.table} in ${session.place}`;
  }

  /**
   * Where the table is to hold these rows alone, they go straight into it. When one of them is refused, all go by a stage, where
   * the bad ones are found.
   */
  async load(crashPoint: CrashPoint): Promise<PostgresLoadResult> {
    const isDirect = this.#changes.whole && this.#fitted.columns.every(({ carrying }) => carrying.direct);
    if (isDirect) {
      const loaded = await this.#tried(() => this.#directly(crashPoint));
      if (!("refusal" in loaded)) return loaded;
      this.#rejected = [];
    }
    return this.#staged(crashPoint);
  }

  async #directly(crashPoint: CrashPoint): Promise<PostgresLoadResult> {
    const { columns } = this.#fitted;
    const { deleted, isEmptied } = await this.#empty();
    const expressions = columns.map(({ carrying }) => carrying.direct ?? "");
    const bytes = await this.#copy(copyDirectly(this.#fitted, isEmptied), expressions);
    await crashPoint("staged");
    await this.#addKey();
    const inserted = this.#changes.rows - this.#rejected.length;
    return { inserted, updated: 0, deleted, rejected: this.#rejected, bytes };
  }

  async #staged(crashPoint: CrashPoint): Promise<PostgresLoadResult> {
    const { columns } = this.#fitted;
    await this.#run(createStage(this.#fitted));
    const bytes = await this.#copy(
      copyToStage(this.#fitted),
      columns.map(({ carrying }) => carrying.send),
    );
    await crashPoint("staged");
    const emptied = this.#changes.whole || !this.#fitted.kept ? await this.#empty() : undefined;
    // Before the rows: an upsert needs it.
    await this.#addKey();
    if (this.#fitted.strategy === "upsert") await this.#refuseKeyless();
    const moved = await this.#move();
    const gone = await this.#deleteGone();
    return { ...moved, deleted: (emptied?.deleted ?? 0) + gone, rejected: this.#rejected, bytes };
  }

  /** A table that is not there is made. Of one that is, grants, views and indexes stay: it is emptied, not replaced. */
  async #empty(): Promise<{ readonly deleted: number; readonly isEmptied: boolean }> {
    const { table, kept } = this.#fitted;
    if (!kept) {
      await this.#run(createTable(this.#fitted));
      return { deleted: 0, isEmptied: true };
    }
    if (!kept.canTruncate) {
      const { rowCount } = await this.#run(`DELETE FROM ${table}`);
      return { deleted: rowCount ?? 0, isEmptied: false };
    }
    // Locks readers out until the run has ended, which DELETE would not; but that would leave as much dead weight as there are rows.
    const { rows } = await this.#run<{ count: number }>(`SELECT count(*)::float8 AS count FROM ${table}`);
    await this.#run(`TRUNCATE ${table}`);
    return { deleted: rows[0]?.count ?? 0, isEmptied: true };
  }

  /** At the end it costs half of what it costs before the rows. */
  async #addKey(): Promise<void> {
    const { kept, keys, strategy } = this.#fitted;
    if (!kept && strategy === "upsert" && keys.length > 0) await this.#run(addKey(this.#fitted));
  }

  async #copy(sql: string, expressions: readonly string[]): Promise<number> {
    const client = await this.#session.client();
    const names = this.#fitted.columns.map(({ column }) => column.name);
    const rows = encodeCopy(await this.#changes.stream(expressions), (column, reason, values) => {
      const row = Object.fromEntries(names.map((name, index) => [name, values[index]]));
      this.#refuse({ reason: `the column ${JSON.stringify(names[column])}: ${reason}`, row });
    });
    return this.#session.run(this.#doing, () => copyIn(client, sql, rows));
  }

  #refuse(reject: Reject): void {
    if (this.#rejected.length === mostRefused) {
      throw new DataProblem(
        `${this.#fitted.table} cannot take more than ${mostRefused} rows of this run. The last reason: ${reject.reason}`,
      );
    }
    this.#rejected.push(reject);
  }

  /** Rows without a whole key find no other. */
  async #refuseKeyless(): Promise<void> {
    for (const [index, cell] of stagedKeys(this.#fitted).entries()) {
      const reason = `the primary key ${JSON.stringify(this.#fitted.keys[index])} is NULL`;
      for (const row of await this.#stagedRows(`${cell} IS NULL`)) this.#refuse({ reason, row });
      await this.#run(`DELETE FROM ${stage} WHERE ${cell} IS NULL`);
    }
  }

  async #move(): Promise<{ readonly inserted: number; readonly updated: number }> {
    const { table, strategy } = this.#fitted;
    const { rows } = await this.#run<{ end: number }>(
      `SELECT coalesce(max(n), 0)::float8 + 1 AS "end" FROM ${stage}`,
    );
    const sql = moveRows(this.#fitted);
    const moved = { inserted: 0, updated: 0 };
    await writeByBisection(
      {
        table,
        take: async (from, to) => {
          const wrote = await this.#tried(() => this.#run<typeof moved>(sql, [from, to]));
          if ("refusal" in wrote) throw wrote;
          const [counts] =
            strategy === "upsert" ? wrote.rows : [{ inserted: wrote.rowCount ?? 0, updated: 0 }];
          moved.inserted += counts?.inserted ?? 0;
          moved.updated += counts?.updated ?? 0;
        },
        refusal: (error) => (isRefused(error) ? error.refusal : undefined),
        refused: async (at, reason) => {
          const [row = {}] = await this.#stagedRows(`n = ${at}`);
          this.#refuse({ reason, row });
        },
      },
      1,
      rows[0]?.end ?? 1,
    );
    return moved;
  }

  async #deleteGone(): Promise<number> {
    const { keys, columns } = this.#fitted;
    const expressions = keys.map((key) => keyText(columns.find(({ name }) => name === key)));
    let deleted = 0;
    for await (const batch of this.#changes.deletedKeys?.(expressions, goneBatch) ?? []) {
      const lists = keys.map((_, index) => batch.map((row) => row[index]));
      const { rowCount } = await this.#run(deleteKeys(this.#fitted), lists);
      deleted += rowCount ?? 0;
    }
    return deleted;
  }

  /** Staged rows by the names of their columns, with values that JSON can hold. */
  async #stagedRows(condition: string): Promise<Record<string, unknown>[]> {
    const { columns } = this.#fitted;
    const { rows } = await this.#run<{ row: Record<string, unknown> }>(
      `SELECT to_jsonb(s) AS row FROM ${stage} s WHERE ${condition} ORDER BY n LIMIT ${mostRefused + 1}`,
    );
    return rows.map(({ row }) =>
      Object.fromEntries(columns.map(({ column }, index) => [column.name, row[`c${index}`]])),
    );
  }

  #run<Row extends pg.QueryResultRow>(sql: string, values: readonly unknown[] = []) {
    return this.#session.query<Row>(this.#doing, sql, values);
  }

  /** What the server refuses for the sake of a row is undone, and nothing else of the transaction is. */
  async #tried<Result extends object>(work: () => Promise<Result>): Promise<Result | RefusedRows> {
    await this.#run("SAVEPOINT trying");
    try {
      const result = await work();
      await this.#run("RELEASE SAVEPOINT trying");
      return result;
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      await this.#run("ROLLBACK TO SAVEPOINT trying");
      return { refusal };
    }
  }
}

interface RefusedRows {
  readonly refusal: string;
}

const isRefused = (error: unknown): error is RefusedRows =>
  typeof error === "object" && error !== null && "refusal" in error;

/** SQLSTATE of classes 22 (a value) and 23 (a constraint), and of a trigger that raises an error. */
function refusalOf(error: unknown): string | undefined {
  const cause = error instanceof DataProblem ? error.cause : undefined;
  if (!(cause instanceof pg.DatabaseError) || !/^(22|23|P0001)/.test(cause.code ?? "")) return undefined;
  return `${cause.message}${cause.detail ? ` (${cause.detail})` : ""}`;
}

/** DuckDB SQL: a key as PostgreSQL reads it. */
function keyText(fitted: PostgresTableMapping["columns"][number] | undefined): string {
  const name = pg.escapeIdentifier(fitted?.column.name ?? "");
  if (fitted?.column.type === "BLOB") return `'\\x' || hex(${name})`;
  // DuckDB writes years before the first as "(BC)".
  return `replace(CAST(${name} AS VARCHAR), ' (BC)', ' BC')`;
}
