import type mysql from "mysql2/promise";
import type { Refusal, Reject } from "../../protocol/transfer.ts";
import type { ConnectorSource } from "../source/source.ts";
import { writeByBisection } from "../target/bisection.ts";
import { checkpointTable } from "../target/checkpoint-table.ts";
import { rejectOf } from "../target/reject-row.ts";
import type {
  ChangeSet,
  Checkpoint,
  CrashPointHook,
  Destination,
  TargetTable,
  WriteResult,
} from "../target/target.ts";
import { createCheckpointTable, readCheckpoint, writeCheckpoint } from "./checkpoints.ts";
import { removeEqualKeys } from "./equal-keys.ts";
import { findTable, type MysqlTableName } from "./existing-table.ts";
import { mysqlRefusal } from "./refusal.ts";
import { backquoted } from "./source-types.ts";
import { fillStage } from "./stage.ts";
import {
  createStage,
  deletedKeys,
  deleteStagedKeys,
  insertNew,
  insertRows,
  type MysqlTableMapping,
  stage,
  stagedRow,
  updateKnown,
} from "./statements.ts";
import { prepareTable } from "./table-schema.ts";
import { mysqlValue } from "./target-types.ts";

const batchSize = 2000;
/** Rows per statement. A cancelled run waits for one statement. */
const rowsPerStatement = 20_000;

interface MysqlTableOptions {
  readonly destination: Destination;
  readonly tableName: MysqlTableName;
  withConnection<Result>(work: (connection: mysql.Connection) => Promise<Result>): Promise<Result>;
  source(): Promise<ConnectorSource>;
}

/**
 * A MySQL table. DDL commits a transaction in MySQL, so the table and its columns are created before the rows are written.
 * If the run crashes in between, the table has neither rows nor a checkpoint, and the next run starts over.
 */
export class MysqlTargetTable implements TargetTable {
  readonly #options: MysqlTableOptions;
  readonly #table: string;

  constructor(options: MysqlTableOptions) {
    this.#options = options;
    this.#table = `${backquoted(options.tableName.schema)}.${backquoted(options.tableName.table)}`;
  }

  readCheckpoint(): Promise<Checkpoint | undefined> {
    const { destination, tableName, withConnection } = this.#options;
    return withConnection(async (connection) =>
      (await findTable(connection, tableName))
        ? readCheckpoint(connection, tableName.schema, destination.stream)
        : undefined,
    );
  }

  isEmpty(): Promise<boolean> {
    return this.#options.withConnection(async (connection) => {
      const [rows] = await connection.query(`SELECT 1 FROM ${this.#table} LIMIT 1`);
      return Array.isArray(rows) && rows.length === 0;
    });
  }

  async existingRows() {
    const { tableName, withConnection, source } = this.#options;
    const existing = await withConnection((connection) => findTable(connection, tableName));
    return existing && { source: await source(), dataset: this.#table };
  }

  /** No rehearsal if the table must be created or changed, because MySQL commits before it does that. */
  canRehearse(whole: boolean): Promise<boolean> {
    const { destination, tableName, withConnection } = this.#options;
    return withConnection(async (connection) => {
      const existing = await findTable(connection, tableName);
      const known = new Set(existing?.columns.map(({ name }) => name.toLowerCase()));
      const checkpoints = await findTable(connection, { ...tableName, table: checkpointTable });
      const hasAll = destination.columns.every(({ name }) => known.has(name.toLowerCase()));
      return !whole && checkpoints !== undefined && hasAll;
    });
  }

  write(
    changes: ChangeSet,
    checkpoint: Checkpoint,
    crashPoint: CrashPointHook,
    signal: AbortSignal,
  ): Promise<WriteResult> {
    const { destination, tableName, withConnection } = this.#options;
    return withConnection(async (connection) => {
      await createCheckpointTable(connection, tableName.schema);
      const columns = await prepareTable(connection, tableName, destination);
      const keys = destination.keys.flatMap((key) => columns.filter(({ column }) => column.name === key));
      const mapping: MysqlTableMapping = { table: this.#table, columns, keys };
      const staged = await this.#stage(connection, mapping, changes, signal);
      await crashPoint("staged");

      await connection.query("START TRANSACTION");
      try {
        await readCheckpoint(connection, tableName.schema, destination.stream, true);
        const cleared = changes.whole ? await this.#clear(connection) : 0;
        // Keys are deleted first: the table may take a deleted key for the same as a new key that is written in another
        // way.
        const removed = changes.deletedKeys
          ? (await run(connection, deleteStagedKeys(mapping))).affectedRows
          : 0;
        const equal =
          destination.strategy === "upsert"
            ? await removeEqualKeys(connection, mapping, {
                isEmpty: changes.whole,
                watermark: destination.watermark,
              })
            : [];
        const counts = await this.#writeRows(connection, mapping, {
          rows: staged.rows,
          whole: changes.whole,
          signal,
        });
        const rejected = [...staged.rejected, ...equal, ...counts.rejected];
        await changes.reject(rejected);
        await crashPoint("written");
        await writeCheckpoint(connection, tableName.schema, destination.stream, checkpoint);
        signal.throwIfAborted();
        await connection.query("COMMIT");
        await crashPoint("checkpointed");
        return { ...counts, rejected, deleted: cleared + removed, bytes: staged.bytes };
      } catch (error) {
        await connection.query("ROLLBACK").catch(() => {});
        throw error;
      }
    });
  }

  /**
   * Deletes all rows, if there are any. A DELETE of no rows would lock the end of the table, and with it every row that is inserted
   * there: the locks of 8 million rows filled the lock table of a small server. Exchanging two tables by name would write a third of
   * the bytes, but a transaction that began before it sees an empty table (docs/reference/connectors/mysql.md).
   */
  async #clear(connection: mysql.Connection): Promise<number> {
    const [rows] = await connection.query<mysql.RowDataPacket[]>(`SELECT 1 FROM ${this.#table} LIMIT 1`);
    return rows.length === 0 ? 0 : (await run(connection, `DELETE FROM ${this.#table}`)).affectedRows;
  }

  async #stage(
    connection: mysql.Connection,
    mapping: MysqlTableMapping,
    changes: ChangeSet,
    signal: AbortSignal,
  ) {
    const fill = async (name: string, columns: MysqlTableMapping["columns"], rows: ChangeSet["batches"]) => {
      await connection.query(`DROP TEMPORARY TABLE IF EXISTS ${name}`);
      await connection.query(createStage(name, mapping.table, columns));
      const names = columns.map(({ column }) => column.name);
      const values = columns.map(({ column }) => mysqlValue(column));
      const options = { connection, table: this.#options.destination.name, stage: name, names, signal };
      return fillStage(options, rows(values, batchSize));
    };
    const staged = await fill(stage, mapping.columns, changes.batches);
    if (changes.deletedKeys) await fill(deletedKeys, mapping.keys, changes.deletedKeys);
    return staged;
  }

  async #writeRows(
    connection: mysql.Connection,
    mapping: MysqlTableMapping,
    { rows, whole, signal }: { rows: number; whole: boolean; signal: AbortSignal },
  ) {
    const { name, strategy } = this.#options.destination;
    const isUpsert = strategy === "upsert" && !whole;
    const counts = { inserted: 0, updated: 0, rejected: [] as Reject[] };
    const write = async (from: number, to: number) => {
      signal.throwIfAborted();
      await connection.query("SAVEPOINT lakehelm_rows");
      try {
        const update = isUpsert ? updateKnown(mapping, from, to) : undefined;
        const { changedRows } = update ? await run(connection, update) : { changedRows: 0 };
        const insert = isUpsert ? insertNew(mapping, from, to) : insertRows(mapping, from, to);
        counts.inserted += (await run(connection, insert)).affectedRows;
        counts.updated += changedRows;
      } catch (error) {
        // After a deadlock the savepoint no longer exists. The thrown error reports the deadlock.
        await connection.query("ROLLBACK TO SAVEPOINT lakehelm_rows").catch(() => {});
        throw error;
      }
    };
    const onRefused = async (at: number, refusal: Refusal) => {
      const query = { sql: stagedRow(mapping, at), dateStrings: true, supportBigNumbers: true };
      const [[row]] = await connection.query<mysql.RowDataPacket[]>(query);
      const names = mapping.columns.map(({ column }) => column.name);
      counts.rejected.push(
        rejectOf(
          refusal,
          names,
          mapping.columns.map((one) => row?.[one.name] ?? null),
        ),
      );
    };
    for (let from = 0; from < rows; from += rowsPerStatement) {
      await writeByBisection(
        { table: name, write, refusalOf: mysqlRefusal, onRefused },
        from,
        Math.min(from + rowsPerStatement, rows),
      );
    }
    return counts;
  }
}

const run = async (connection: mysql.Connection, sql: string): Promise<mysql.ResultSetHeader> =>
  (await connection.query<mysql.ResultSetHeader>(sql))[0];
