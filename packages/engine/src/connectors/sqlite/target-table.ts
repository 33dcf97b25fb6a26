import { DataProblem } from "../../protocol/problem.ts";
import type { Refusal, Reject } from "../../protocol/transfer.ts";
import type { CellValue } from "../../warehouse/cell-value.ts";
import { quote } from "../../warehouse/names.ts";
import type { ConnectorSource } from "../source/source.ts";
import { writeByBisection } from "../target/bisection.ts";
import { checkpointTable } from "../target/checkpoint-table.ts";
import { type ExistingColumn, mapColumns } from "../target/column-mapping.ts";
import { sameKeyInRun, sameKeyInTarget } from "../target/equal-keys.ts";
import { rejectOf } from "../target/reject-row.ts";
import type {
  ChangeSet,
  Checkpoint,
  CrashPointHook,
  Destination,
  TargetTable,
  WriteResult,
} from "../target/target.ts";
import { type SqliteSession, sqliteRefusal } from "./session.ts";
import {
  cells,
  countKnown,
  countStaged,
  createKeys,
  createStage,
  createTable,
  deletedKeys,
  deleteStagedKeys,
  equalInRun,
  equalInTable,
  fillKeys,
  fillStage,
  insertRows,
  keyCollations,
  keysTable,
  type SqliteTableMapping,
  stage,
} from "./statements.ts";
import type { SqliteRow } from "./target-thread.ts";
import { declaredType, sqliteFits, sqliteValue } from "./target-types.ts";

/** Rows per message to the thread. */
const batchSize = 2000;
/** Rows per statement. A cancelled run waits for one statement. */
const rowsPerStatement = 20_000;

/** A table of a SQLite file. Rows are staged first, so that the file is locked only while they are copied. */
export class SqliteTargetTable implements TargetTable {
  readonly #session: SqliteSession;
  readonly #destination: Destination;
  readonly #exists: () => Promise<boolean>;
  readonly #source: () => Promise<ConnectorSource>;

  constructor(
    session: SqliteSession,
    destination: Destination,
    exists: () => Promise<boolean>,
    source: () => Promise<ConnectorSource>,
  ) {
    this.#session = session;
    this.#destination = destination;
    this.#exists = exists;
    this.#source = source;
  }

  async isEmpty(): Promise<boolean> {
    const existing = await findTable(this.#session, this.#destination.name);
    if (!existing) return true;
    return (
      (await this.#session.all(`SELECT 1 AS found FROM main.${quote(existing.name)} LIMIT 1`)).length === 0
    );
  }

  async readCheckpoint(): Promise<Checkpoint | undefined> {
    const { stream, name } = this.#destination;
    if (!(await this.#exists()) || !(await findTable(this.#session, checkpointTable))) return undefined;
    if (!(await findTable(this.#session, name))) return undefined;
    const [row] = await this.#session.all(
      `SELECT value, time, run FROM main.${checkpointTable} WHERE stream = ?`,
      [stream],
    );
    return (
      row && {
        value: row.value === null ? null : String(row.value),
        time: String(row.time),
        run: String(row.run),
      }
    );
  }

  async existingRows() {
    const existing = (await this.#exists())
      ? await findTable(this.#session, this.#destination.name)
      : undefined;
    return existing && { source: await this.#source(), dataset: existing.name };
  }

  canRehearse = (): Promise<boolean> => this.#exists();

  async write(
    changes: ChangeSet,
    checkpoint: Checkpoint,
    crashPoint: CrashPointHook,
    signal: AbortSignal,
  ): Promise<WriteResult> {
    const { columns, keys } = this.#destination;
    const values = columns.map(sqliteValue);
    const rows = await this.#stage(stage, changes.batches(values, batchSize), columns.length, signal);
    const keyColumns = keys.flatMap((key) => columns.filter(({ name }) => name === key));
    const deleted = changes.deletedKeys?.(keyColumns.map(sqliteValue), batchSize);
    if (deleted) await this.#stage(deletedKeys, deleted, keys.length, signal);
    await crashPoint("staged");

    const written = await this.#inTransaction("BEGIN IMMEDIATE", async () => {
      const mapping = await this.#prepareTable();
      const cleared = changes.whole ? await this.#session.run(`DELETE FROM main.${quote(mapping.table)}`) : 0;
      // Keys are deleted first: the table may take a deleted key for the same as a new key that is written in another
      // way.
      const removed = deleted ? await this.#session.run(deleteStagedKeys(mapping)) : 0;
      const equal = await this.#removeEqualKeys(mapping, changes.whole);
      const written = await this.#writeRows(mapping, rows, changes.whole, signal);
      const counts = { ...written, rejected: [...equal, ...written.rejected] };
      await changes.reject(counts.rejected);
      await crashPoint("written");
      await this.#writeCheckpoint(checkpoint);
      signal.throwIfAborted();
      return { ...counts, deleted: cleared + removed, bytes: 0 };
    });
    await crashPoint("checkpointed");
    return written;
  }

  async #inTransaction<Result>(begin: string, work: () => Promise<Result>): Promise<Result> {
    await this.#session.run(begin);
    try {
      const result = await work();
      await this.#session.run("COMMIT");
      return result;
    } catch (error) {
      await this.#session.run("ROLLBACK").catch(() => {});
      throw error;
    }
  }

  async #stage(
    name: string,
    batches: AsyncIterable<CellValue[][]>,
    count: number,
    signal: AbortSignal,
  ): Promise<number> {
    await this.#session.run(`DROP TABLE IF EXISTS ${name}`);
    await this.#session.run(createStage(name, count));
    let rows = 0;
    return this.#inTransaction("BEGIN", async () => {
      for await (const batch of batches) {
        signal.throwIfAborted();
        await this.#session.run(
          fillStage(name, count),
          batch.map((row) => [rows++, ...row]),
        );
      }
      return rows;
    });
  }

  async #prepareTable(): Promise<SqliteTableMapping> {
    const { name, columns, keys, strategy } = this.#destination;
    const existing = await findTable(this.#session, name);
    if (!existing) await this.#session.run(createTable(this.#destination));
    const table = existing ?? {
      name,
      columns: columns.map((column) => ({ name: column.name, type: declaredType(column.type) })),
    };
    const mapped = mapColumns({
      ...{ table: name, existing: table.columns, incoming: columns, fits: sqliteFits },
      // SQLite does not change types: the column is added again, and a full refresh fills it.
      remedy: (named) =>
        `Remove it in the target, and read all rows again with full_refresh: ALTER TABLE ${quote(table.name)} DROP COLUMN ${quote(named)};`,
    });
    for (const column of mapped.added) {
      await this.#session.run(
        `ALTER TABLE main.${quote(table.name)} ADD COLUMN ${quote(column.name)} ${declaredType(column.type)}`,
      );
    }
    const keyIndexes = keys.map((key) => columns.findIndex((column) => column.name === key));
    const keyNames = keyIndexes.map((at) => mapped.columns[at]?.name ?? "");
    if (existing && strategy === "upsert") await this.#requireUnique(existing.name, keyNames);
    return { table: table.name, columns: mapped.columns, keys: keyIndexes };
  }

  /** An upsert needs a unique index on the key columns to find its rows. */
  async #requireUnique(table: string, keys: readonly string[]): Promise<void> {
    const lists = await this.#session.all(
      `SELECT json_group_array(name) AS names FROM pragma_table_info(?1) WHERE pk > 0
       UNION ALL SELECT (SELECT json_group_array(name) FROM pragma_index_info(i.name)) FROM pragma_index_list(?1) i WHERE i."unique" = 1 AND i.partial = 0`,
      [table],
    );
    const expected = keys.map((key) => key.toLowerCase()).sort();
    const isKeyIndex = (names: readonly string[]) =>
      JSON.stringify(names.map((name) => String(name).toLowerCase()).sort()) === JSON.stringify(expected);
    if (lists.some(({ names }) => isKeyIndex(JSON.parse(String(names)) as string[]))) return;
    throw new DataProblem(
      `${table} has no unique index on ${keys.join(", ")}, which an upsert needs. Create one: CREATE UNIQUE INDEX ${quote(`${table}_key`)} ON ${quote(table)} (${keys.map(quote).join(", ")}).`,
    );
  }

  /** Removes rows from the stage whose key the table takes for the key of another row. Returns the removed rows. */
  async #removeEqualKeys(mapping: SqliteTableMapping, isEmpty: boolean): Promise<Reject[]> {
    const { columns, keys, strategy, watermark } = this.#destination;
    const collations = await this.#session.all(keyCollations, [mapping.table]);
    const keyTypes = mapping.keys.map((at) => {
      const found = collations.find((one) => one.name === mapping.columns[at]?.name);
      return { type: String(found?.type ?? ""), collation: String(found?.coll ?? "BINARY") };
    });
    if (strategy !== "upsert" || keyTypes.every(({ collation }) => collation === "BINARY")) return [];
    const names = columns.map(({ name }) => name);
    const rejected = (row: SqliteRow, refusal: Refusal) =>
      rejectOf(
        refusal,
        names,
        cells(columns.length).map((cell) => row[cell] ?? null),
      );
    await this.#session.run(`DROP TABLE IF EXISTS ${keysTable}`);
    await this.#session.run(createKeys(keyTypes));
    await this.#session.run(fillKeys(mapping));
    const latest = columns.findIndex(({ name }) => name === watermark);
    const inRun = await this.#session.all(equalInRun(mapping, latest));
    const inTable = isEmpty ? [] : await this.#session.all(equalInTable(mapping));
    const rejects = [
      ...inRun.map((row) => rejected(row, sameKeyInRun(keys))),
      ...inTable
        .filter(({ n }) => !inRun.some((one) => one.n === n))
        .map((row) =>
          rejected(
            row,
            sameKeyInTarget(
              keys,
              keys.map((_, at) => row[`t${at}`]),
            ),
          ),
        ),
    ];
    await this.#session.run(
      `DELETE FROM ${stage} WHERE n = ?`,
      [...inRun, ...inTable].map(({ n }) => [n as number]),
    );
    return rejects;
  }

  async #writeRows(mapping: SqliteTableMapping, rows: number, whole: boolean, signal: AbortSignal) {
    const { name, strategy, columns } = this.#destination;
    const upsert = strategy === "upsert";
    const counts = { inserted: 0, updated: 0, rejected: [] as Reject[] };
    const write = async (from: number, to: number) => {
      signal.throwIfAborted();
      // A refused row undoes only its own statement.
      const known = upsert && !whole ? await this.#session.all(countKnown(mapping), [from, to]) : [];
      const [staged] = await this.#session.all(countStaged, [from, to]);
      const inserted = Number(staged?.n) - Number(known[0]?.n ?? 0);
      const changed = await this.#session.run(insertRows(mapping, upsert), [[from, to]]);
      counts.inserted += inserted;
      counts.updated += changed - inserted;
    };
    const onRefused = async (at: number, refusal: Refusal) => {
      const [row] = await this.#session.all(`SELECT * FROM ${stage} WHERE n = ?`, [at]);
      const values = cells(columns.length).map((cell) => row?.[cell] ?? null);
      counts.rejected.push(
        rejectOf(
          refusal,
          columns.map((column) => column.name),
          values,
        ),
      );
    };
    for (let from = 0; from < rows; from += rowsPerStatement) {
      await writeByBisection(
        { table: name, write, refusalOf: sqliteRefusal, onRefused },
        from,
        Math.min(from + rowsPerStatement, rows),
      );
    }
    return counts;
  }

  async #writeCheckpoint({ value, time, run }: Checkpoint): Promise<void> {
    await this.#session.run(
      `CREATE TABLE IF NOT EXISTS main.${checkpointTable} (stream TEXT PRIMARY KEY, value TEXT, time TEXT NOT NULL, run TEXT NOT NULL)`,
    );
    await this.#session.run(
      `INSERT OR REPLACE INTO main.${checkpointTable} (stream, value, time, run) VALUES (?, ?, ?, ?)`,
      [[this.#destination.stream, value, time, run]],
    );
  }
}

/** The table as it is spelled in the file; undefined if there is none. Throws a DataProblem for a view. */
export async function findTable(
  session: SqliteSession,
  name: string,
): Promise<{ readonly name: string; readonly columns: ExistingColumn[] } | undefined> {
  const [found] = await session.all(
    "SELECT name, type FROM main.sqlite_master WHERE type IN ('table', 'view') AND lower(name) = lower(?)",
    [name],
  );
  if (!found) return undefined;
  if (found.type === "view") throw new DataProblem(`${name} is a view: rows cannot be written to it.`);
  const columns = await session.all("SELECT name, type FROM pragma_table_xinfo(?) WHERE hidden = 0", [
    found.name as string,
  ]);
  return {
    name: String(found.name),
    columns: columns.map((column) => ({ name: String(column.name), type: String(column.type) })),
  };
}
