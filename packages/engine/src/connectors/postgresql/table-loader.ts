import pg from "pg";
import { DataProblem } from "../../protocol/problem.ts";
import type { Reject } from "../../protocol/transfer.ts";
import type { ChangeSet, CrashPointHook } from "../target/target.ts";
import { encodeCopy } from "./copy-encoding.ts";
import { copyIn } from "./copy-in.ts";
import { removeEqualKeys } from "./equal-keys.ts";
import { refusalStates } from "./refusal.ts";
import { stagedRow, writeAcceptedRows } from "./refused-rows.ts";
import type { PostgresSession } from "./session.ts";
import {
  addKey,
  copyDirectly,
  copyToStage,
  createStage,
  createTable,
  deleteKeys,
  stage,
  stagedKeys,
  type WrittenCounts,
  writeStagedRows,
} from "./statements.ts";
import { moveSuspectRows } from "./suspect-rows.ts";
import type { PostgresTableMapping } from "./table-schema.ts";

export interface PostgresLoadResult {
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
  readonly rejected: readonly Reject[];
  readonly bytes: number;
}

/** A run that refuses more rows than this fails: the cause is probably not in the rows. */
const maxRefusedRows = 10_000;
/** Keys per statement. */
const keysPerStatement = 5000;

/** Loads rows into one table within the transaction of the run. */
export class TableLoader {
  readonly #session: PostgresSession;
  readonly #mapping: PostgresTableMapping;
  readonly #changes: ChangeSet;
  readonly #action: string;
  #rejected: Reject[] = [];

  constructor(session: PostgresSession, mapping: PostgresTableMapping, changes: ChangeSet) {
    this.#session = session;
    this.#mapping = mapping;
    this.#changes = changes;
    this.#action = `Writing ${mapping.table} in ${session.serverName}`;
  }

  /**
   * If the table will hold only these rows, they are copied straight into it. If a row is refused, all rows go through a
   * staging table, where the bad ones are found.
   */
  async load(crashPoint: CrashPointHook): Promise<PostgresLoadResult> {
    const isDirect = this.#changes.whole && this.#mapping.columns.every(({ encoding }) => encoding.direct);
    if (isDirect) {
      const loaded = await this.#withSavepoint(() => this.#loadDirectly(crashPoint));
      if (loaded !== "refused") return loaded;
      this.#rejected = [];
    }
    return this.#loadStaged(crashPoint, isDirect);
  }

  async #loadDirectly(crashPoint: CrashPointHook): Promise<PostgresLoadResult> {
    const { columns } = this.#mapping;
    const { deleted, isEmptied } = await this.#emptyTable();
    const expressions = columns.map(({ encoding }) => encoding.direct ?? "");
    const bytes = await this.#copy(copyDirectly(this.#mapping, isEmptied), expressions);
    await crashPoint("staged");
    await this.#addKey();
    const inserted = this.#changes.rows - this.#rejected.length;
    return { inserted, updated: 0, deleted, rejected: this.#rejected, bytes };
  }

  async #loadStaged(crashPoint: CrashPointHook, areRowsRefused: boolean): Promise<PostgresLoadResult> {
    const { columns } = this.#mapping;
    await this.#run(createStage(this.#mapping));
    const bytes = await this.#copy(
      copyToStage(this.#mapping),
      columns.map(({ encoding }) => encoding.toStage),
    );
    await crashPoint("staged");
    const cleared = this.#changes.whole || !this.#mapping.existing ? await this.#emptyTable() : undefined;
    // The key comes before the rows, because an upsert needs it.
    await this.#addKey();
    if (this.#mapping.strategy === "upsert") await this.#refuseRowsWithoutKey();
    // Keys are deleted first: the table may take a deleted key for the same as a new key that is written in another
    // way.
    const deletedByKey = await this.#deleteKeys();
    await this.#refuseEqualKeys(cleared !== undefined);
    const counts = await this.#writeRows(areRowsRefused);
    return { ...counts, deleted: (cleared?.deleted ?? 0) + deletedByKey, rejected: this.#rejected, bytes };
  }

  /** Creates a missing table. An existing one is emptied, not replaced, so its grants, views and indexes stay. */
  async #emptyTable(): Promise<{ readonly deleted: number; readonly isEmptied: boolean }> {
    const { table, existing } = this.#mapping;
    if (!existing) {
      await this.#run(createTable(this.#mapping));
      return { deleted: 0, isEmptied: true };
    }
    if (!existing.canTruncate) {
      const { rowCount } = await this.#run(`DELETE FROM ${table}`);
      return { deleted: rowCount ?? 0, isEmptied: false };
    }
    // TRUNCATE blocks readers until the run ends. DELETE does not, but leaves a dead tuple for every row.
    const { rows } = await this.#run<{ count: number }>(`SELECT count(*)::float8 AS count FROM ${table}`);
    await this.#run(`TRUNCATE ${table}`);
    return { deleted: rows[0]?.count ?? 0, isEmptied: true };
  }

  /** Adding the key after the rows costs half as much as before them. */
  async #addKey(): Promise<void> {
    const { existing, keys, strategy } = this.#mapping;
    if (!existing && strategy === "upsert" && keys.length > 0) await this.#run(addKey(this.#mapping));
  }

  async #copy(sql: string, expressions: readonly string[]): Promise<number> {
    const client = await this.#session.client();
    const names = this.#mapping.columns.map(({ column }) => column.name);
    const rows = encodeCopy(await this.#changes.stream(expressions), (column, reason, values) => {
      const row = Object.fromEntries(names.map((name, index) => [name, values[index]]));
      this.#refuse({ reason: `the column ${JSON.stringify(names[column])}: ${reason}`, row });
    });
    return this.#session.run(this.#action, () => copyIn(client, sql, rows));
  }

  #refuse(reject: Reject): void {
    if (this.#rejected.length === maxRefusedRows) {
      throw new DataProblem(
        `${this.#mapping.table} refused more than ${maxRefusedRows} rows of this run. The last reason: ${reject.cause ?? reject.reason}`,
      );
    }
    this.#rejected.push(reject);
  }

  /** An upsert needs complete keys. */
  async #refuseRowsWithoutKey(): Promise<void> {
    for (const [index, cell] of stagedKeys(this.#mapping).entries()) {
      const reason = `the primary key ${JSON.stringify(this.#mapping.keys[index])} is NULL`;
      for (const row of await this.#stagedRows(`${cell} IS NULL`)) this.#refuse({ reason, row });
      await this.#run(`DELETE FROM ${stage} WHERE ${cell} IS NULL`);
    }
  }

  async #refuseEqualKeys(isEmpty: boolean): Promise<void> {
    const run = <Row extends pg.QueryResultRow>(sql: string) => this.#run<Row>(sql);
    const equal = await removeEqualKeys(run, (work) => this.#tryStatements(work), this.#mapping, {
      isEmpty,
      limit: maxRefusedRows + 1,
    });
    for (const reject of equal) this.#refuse(reject);
  }

  /** Writes all rows in one statement. If a row is refused, finds the bad rows and writes the others. */
  async #writeRows(areRowsRefused: boolean): Promise<WrittenCounts> {
    if (!areRowsRefused) {
      const sql = writeStagedRows(this.#mapping, "1", String(Number.MAX_SAFE_INTEGER));
      const written = await this.#withSavepoint(() => this.#run<{ inserted: number; updated: number }>(sql));
      if (written !== "refused") return written.rows[0] ?? { inserted: written.rowCount ?? 0, updated: 0 };
    }
    const run = <Row extends pg.QueryResultRow>(sql: string) => this.#run<Row>(sql);
    const ends = await moveSuspectRows(run, (search) => this.#tryStatements(search), this.#mapping);
    const accepted = await writeAcceptedRows(run, this.#mapping, ends, maxRefusedRows);
    for (const reject of accepted.rejected) this.#refuse(reject);
    return accepted;
  }

  async #deleteKeys(): Promise<number> {
    const { keys, columns } = this.#mapping;
    const expressions = keys.map((key) => keyText(columns.find(({ name }) => name === key)));
    let deleted = 0;
    for await (const batch of this.#changes.deletedKeys?.(expressions, keysPerStatement) ?? []) {
      const lists = keys.map((_, index) => batch.map((row) => row[index]));
      const { rowCount } = await this.#run(deleteKeys(this.#mapping), lists);
      deleted += rowCount ?? 0;
    }
    return deleted;
  }

  /** Staged rows by column name, with JSON values. */
  async #stagedRows(condition: string): Promise<Record<string, unknown>[]> {
    const { rows } = await this.#run<{ row: Record<string, unknown> }>(
      `SELECT to_jsonb(s) AS row FROM ${stage} s WHERE ${condition} ORDER BY n LIMIT ${maxRefusedRows + 1}`,
    );
    return rows.map(({ row }) => stagedRow(this.#mapping, row));
  }

  #run<Row extends pg.QueryResultRow>(sql: string, values: readonly unknown[] = []) {
    return this.#session.query<Row>(this.#action, sql, values);
  }

  /** Undoes only this work, and not the whole transaction, if the server refuses a row. */
  async #withSavepoint<Result extends object>(
    work: () => Promise<Result>,
    states = refusalStates,
  ): Promise<Result | "refused"> {
    await this.#run("SAVEPOINT lakehelm_rows");
    try {
      const result = await work();
      await this.#run("RELEASE SAVEPOINT lakehelm_rows");
      return result;
    } catch (error) {
      const cause = error instanceof DataProblem ? error.cause : undefined;
      if (!(cause instanceof pg.DatabaseError) || !states.test(cause.code ?? "")) throw error;
      // ROLLBACK TO alone would keep the subtransaction, and its lock, until the transaction ends.
      await this.#run("ROLLBACK TO SAVEPOINT lakehelm_rows");
      await this.#run("RELEASE SAVEPOINT lakehelm_rows");
      return "refused";
    }
  }

  /** Runs statements. Returns false if the server refuses one, and undoes them. */
  async #tryStatements(work: () => Promise<unknown>): Promise<boolean> {
    const done = await this.#withSavepoint(async () => ({ result: await work() }), searchStates);
    return done !== "refused";
  }
}

/** Also class 42: a missing permission or function. */
const searchStates = /^(22|23|42|P0001)/;

/** DuckDB SQL: a key as text that PostgreSQL can parse. */
function keyText(column: PostgresTableMapping["columns"][number] | undefined): string {
  const name = pg.escapeIdentifier(column?.column.name ?? "");
  if (column?.column.type === "BLOB") return `'\\x' || hex(${name})`;
  // DuckDB writes years before year 1 with "(BC)".
  return `replace(CAST(${name} AS VARCHAR), ' (BC)', ' BC')`;
}
