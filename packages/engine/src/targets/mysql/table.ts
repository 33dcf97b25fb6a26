import type mysql from "mysql2/promise";
import type { Reject } from "../../moving/intake.ts";
import { DataProblem } from "../../problem.ts";
import { backquoted } from "../../sources/mysql/types.ts";
import type { Source } from "../../sources/source.ts";
import { type FittedColumn, fitColumns } from "../fit.ts";
import { takeByHalves } from "../halving.ts";
import { marksTable } from "../marks.ts";
import { rejectOf } from "../rejects.ts";
import type { Changes, Destination, Mark, Passing, Table, Written } from "../target.ts";
import { exactCollation, type KeptTable, keptTable, type Place } from "./kept.ts";
import { mysqlRefusal } from "./refusal.ts";
import { fillStage } from "./staging.ts";
import { mysqlFits, mysqlType, mysqlValue } from "./types.ts";

const batchSize = 2000;
/** Rows in one statement: a run that is called off waits for one of them. */
const stretch = 20_000;
/** Temporary tables of the session; `n` numbers their rows. */
const stage = "`_lakehelm_stage`";
const leaving = "`_lakehelm_gone`";
const number = "`_lakehelm_n`";

interface Parts {
  readonly destination: Destination;
  readonly place: Place;
  within<Result>(work: (connection: mysql.Connection) => Promise<Result>): Promise<Result>;
  source(): Promise<Source>;
}

/**
 * A table of MySQL. What changes tables ends a transaction there: so the table is made, or gets its new columns, before the
 * rows. A run that is killed in between leaves a table without rows and without a mark, and the next one begins again.
 */
export class MysqlTable implements Table {
  readonly #parts: Parts;
  readonly #table: string;
  readonly #marks: string;

  constructor(parts: Parts) {
    const { schema, table } = parts.place;
    this.#parts = parts;
    this.#table = `${backquoted(schema)}.${backquoted(table)}`;
    this.#marks = `${backquoted(schema)}.${backquoted(marksTable)}`;
  }

  mark(): Promise<Mark | undefined> {
    const { destination, place, within } = this.#parts;
    return within(async (connection) => {
      if (!(await keptTable(connection, { ...place, table: marksTable }))) return undefined;
      const [[row]] = await connection.query<mysql.RowDataPacket[]>(
        `SELECT value, time, run FROM ${this.#marks} WHERE stream = ?`,
        [destination.stream],
      );
      return (
        row && {
          value: row.value === null ? null : String(row.value),
          time: String(row.time),
          run: String(row.run),
        }
      );
    });
  }

  async present() {
    const { place, within, source } = this.#parts;
    const kept = await within((connection) => keptTable(connection, place));
    return kept && { source: await source(), dataset: this.#table };
  }

  write(changes: Changes, mark: Mark, passing: Passing, signal: AbortSignal): Promise<Written> {
    return this.#parts.within(async (connection) => {
      const { name, columns, stream } = this.#parts.destination;
      const fitted = await this.#fit(connection);
      await this.#makeStage(connection, stage, fitted);
      const names = columns.map((column) => column.name);
      const staging = { connection, table: name, stage, names, signal };
      const staged = await fillStage(staging, changes.batches(columns.map(mysqlValue), batchSize));
      if (changes.gone) await this.#stageGone(connection, fitted, changes.gone, signal);
      await passing("staged");

      await connection.query("START TRANSACTION");
      try {
        // Two runs of one stream would both move from the same mark.
        await connection.query(`SELECT value FROM ${this.#marks} WHERE stream = ? FOR UPDATE`, [stream]);
        const deleted = changes.whole ? await affected(connection, `DELETE FROM ${this.#table}`) : 0;
        const moved = await this.#move(connection, fitted, staged.rows, changes.whole, signal);
        const rejected = [...staged.rejected, ...moved.rejected];
        await changes.reject(rejected);
        const left = changes.gone ? await affected(connection, this.#deleteGone(fitted)) : 0;
        await passing("written");
        await connection.query(`REPLACE INTO ${this.#marks} (stream, value, time, run) VALUES ?`, [
          [[stream, mark.value, mark.time, mark.run]],
        ]);
        await connection.query("COMMIT");
        await passing("marked");
        return { ...moved, rejected, deleted: deleted + left, bytes: staged.bytes };
      } catch (error) {
        await connection.query("ROLLBACK").catch(() => {});
        throw error;
      }
    });
  }

  async #fit(connection: mysql.Connection): Promise<readonly FittedColumn[]> {
    const { destination, place } = this.#parts;
    const { name, columns, keys, strategy } = destination;
    const collation = `CHARACTER SET utf8mb4 COLLATE ${await exactCollation(connection)}`;
    const isKey = (key: string) => strategy !== "append" && keys.includes(key);
    const declared = columns.map(
      (column) =>
        `${backquoted(column.name)} ${mysqlType(column, isKey(column.name))}${isKey(column.name) ? " NOT NULL" : ""}`,
    );
    const key =
      strategy === "append" || keys.length === 0 ? [] : [`PRIMARY KEY (${keys.map(backquoted).join(", ")})`];
    await connection.query(
      `CREATE TABLE IF NOT EXISTS ${this.#marks} (stream VARCHAR(255) NOT NULL PRIMARY KEY, value LONGTEXT, time VARCHAR(64) NOT NULL, run VARCHAR(255) NOT NULL) ENGINE = InnoDB ${collation}`,
    );
    const kept = await keptTable(connection, place);
    if (!kept) {
      await connection.query(
        `CREATE TABLE IF NOT EXISTS ${this.#table} (${[...declared, ...key].join(", ")}) ENGINE = InnoDB ${collation}`,
      );
      return columns.map((column) => ({ name: column.name, column }));
    }
    const fit = fitColumns({ table: name, there: kept.columns, coming: columns, fits: mysqlFits });
    if (strategy === "upsert") requireUnique(name, kept, fit.columns, keys);
    for (const column of fit.added) {
      const type = mysqlType(column, false);
      const text = /TEXT|CHAR/.test(type) ? ` ${collation}` : "";
      await connection.query(
        `ALTER TABLE ${this.#table} ADD COLUMN ${backquoted(column.name)} ${type}${text}`,
      );
    }
    return fit.columns;
  }

  async #makeStage(
    connection: mysql.Connection,
    name: string,
    columns: readonly FittedColumn[],
  ): Promise<void> {
    await connection.query(`DROP TEMPORARY TABLE IF EXISTS ${name}`);
    await connection.query(
      `CREATE TEMPORARY TABLE ${name} (${number} BIGINT NOT NULL PRIMARY KEY) AS SELECT 0 AS ${number}, ${list(columns)} FROM ${this.#table} LIMIT 0`,
    );
  }

  async #stageGone(
    connection: mysql.Connection,
    fitted: readonly FittedColumn[],
    gone: NonNullable<Changes["gone"]>,
    signal: AbortSignal,
  ): Promise<void> {
    const { name, keys } = this.#parts.destination;
    const columns = keys.flatMap((key) => fitted.filter(({ column }) => column.name === key));
    await this.#makeStage(connection, leaving, columns);
    const values = columns.map(({ column }) => mysqlValue(column));
    const staging = { connection, table: name, stage: leaving, names: keys, signal };
    await fillStage(staging, gone(values, batchSize));
  }

  async #move(
    connection: mysql.Connection,
    fitted: readonly FittedColumn[],
    rows: number,
    whole: boolean,
    signal: AbortSignal,
  ) {
    const { name, strategy } = this.#parts.destination;
    const moved = { inserted: 0, updated: 0, rejected: [] as Reject[] };
    const statements = whole || strategy !== "upsert" ? this.#insert(fitted) : this.#upsert(fitted);
    const take = async (from: number, to: number) => {
      signal.throwIfAborted();
      await connection.query("SAVEPOINT lakehelm_rows");
      try {
        const updated = statements.update ? await changed(connection, statements.update, [from, to]) : 0;
        moved.inserted += await affected(connection, statements.insert, [from, to]);
        moved.updated += updated;
      } catch (error) {
        await connection.query("ROLLBACK TO SAVEPOINT lakehelm_rows");
        throw error;
      }
    };
    const refused = async (at: number, reason: string) => {
      const names = fitted.map(({ column }) => column.name);
      const [[row]] = await connection.query<mysql.RowDataPacket[]>(
        {
          sql: `SELECT ${list(fitted)} FROM ${stage} WHERE ${number} = ?`,
          dateStrings: true,
          supportBigNumbers: true,
        },
        [at],
      );
      const cells = fitted.map((one) => row?.[one.name] ?? null);
      moved.rejected.push(rejectOf(reason, names, cells));
    };
    for (let from = 0; from < rows; from += stretch) {
      const halving = { table: name, take, refusal: mysqlRefusal, refused };
      await takeByHalves(halving, from, Math.min(from + stretch, rows));
    }
    return moved;
  }

  #insert(fitted: readonly FittedColumn[]): { insert: string; update?: string } {
    const rows = `SELECT ${list(fitted, "s.")} FROM ${stage} s WHERE s.${number} >= ? AND s.${number} < ?`;
    return { insert: `INSERT INTO ${this.#table} (${list(fitted)}) ${rows}` };
  }

  /** Rows are found by the keys alone: ON DUPLICATE KEY would go by any unique index. MySQL leaves equal rows alone. */
  #upsert(fitted: readonly FittedColumn[]): { insert: string; update?: string } {
    const same = this.#sameKey(fitted);
    const insert = `${this.#insert(fitted).insert} AND NOT EXISTS (SELECT 1 FROM ${this.#table} t WHERE ${same})`;
    const others = fitted.filter(({ column }) => !this.#parts.destination.keys.includes(column.name));
    if (others.length === 0) return { insert };
    const sets = others.map(({ name }) => `t.${backquoted(name)} = s.${backquoted(name)}`).join(", ");
    const update = `UPDATE ${this.#table} t JOIN ${stage} s ON ${same} SET ${sets} WHERE s.${number} >= ? AND s.${number} < ?`;
    return { insert, update };
  }

  #deleteGone = (fitted: readonly FittedColumn[]): string =>
    `DELETE t FROM ${this.#table} t JOIN ${leaving} s ON ${this.#sameKey(fitted)}`;

  #sameKey(fitted: readonly FittedColumn[]): string {
    const keys = fitted.filter(({ column }) => this.#parts.destination.keys.includes(column.name));
    return keys.map(({ name }) => `t.${backquoted(name)} = s.${backquoted(name)}`).join(" AND ");
  }
}

const list = (columns: readonly FittedColumn[], of = ""): string =>
  columns.map(({ name }) => of + backquoted(name)).join(", ");

type Values = readonly number[];
const header = async (connection: mysql.Connection, sql: string, values: Values = []) =>
  (await connection.query<mysql.ResultSetHeader>(sql, [...values]))[0];
const affected = async (connection: mysql.Connection, sql: string, values?: Values) =>
  (await header(connection, sql, values)).affectedRows;
const changed = async (connection: mysql.Connection, sql: string, values?: Values) =>
  (await header(connection, sql, values)).changedRows;

/** By it a row finds the one that it replaces, without a look at all of them. */
function requireUnique(
  table: string,
  { unique }: KeptTable,
  columns: readonly FittedColumn[],
  keys: readonly string[],
): void {
  const names = keys.map((key) => columns.find(({ column }) => column.name === key)?.name ?? key);
  const lower = (list: readonly string[]) => JSON.stringify(list.map((name) => name.toLowerCase()).sort());
  if (unique.some((index) => lower(index) === lower(names))) return;
  throw new DataProblem(
    `${table} has no unique index on ${names.join(", ")}, by which an upsert finds its rows. Make one: ALTER TABLE ${table} ADD UNIQUE (${names.map(backquoted).join(", ")}).`,
  );
}
