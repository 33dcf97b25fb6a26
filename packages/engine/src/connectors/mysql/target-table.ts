import type mysql from "mysql2/promise";
import type { Reject } from "../../protocol/transfer.ts";
import type { ConnectorSource } from "../source/source.ts";
import { writeByBisection } from "../target/bisection.ts";
import { rejectOf } from "../target/reject-row.ts";
import type {
  ChangeSet,
  Checkpoint,
  CrashPoint,
  Destination,
  TargetTable,
  WriteResult,
} from "../target/target.ts";
import { createCheckpointTable, readCheckpoint, writeCheckpoint } from "./checkpoints.ts";
import { findTable, type MysqlTableName } from "./existing-table.ts";
import { mysqlRefusal } from "./problem.ts";
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
  within<Result>(work: (connection: mysql.Connection) => Promise<Result>): Promise<Result>;
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
    const { destination, tableName, within } = this.#options;
    return within(async (connection) =>
      (await findTable(connection, tableName))
        ? readCheckpoint(connection, tableName.schema, destination.stream)
        : undefined,
    );
  }

  async existingRows() {
    const { tableName, within, source } = this.#options;
    const existing = await within((connection) => findTable(connection, tableName));
    return existing && { source: await source(), dataset: this.#table };
  }

  write(
    changes: ChangeSet,
    checkpoint: Checkpoint,
    crashPoint: CrashPoint,
    signal: AbortSignal,
  ): Promise<WriteResult> {
    const { destination, tableName, within } = this.#options;
    return within(async (connection) => {
      await createCheckpointTable(connection, tableName.schema);
      const columns = await prepareTable(connection, tableName, destination);
      const keys = destination.keys.flatMap((key) => columns.filter(({ column }) => column.name === key));
      const mapping: MysqlTableMapping = { table: this.#table, columns, keys };
      const staged = await this.#stage(connection, mapping, changes, signal);
      await crashPoint("staged");

      await connection.query("START TRANSACTION");
      try {
        await readCheckpoint(connection, tableName.schema, destination.stream, true);
        const cleared = changes.whole
          ? (await run(connection, `DELETE FROM ${this.#table}`)).affectedRows
          : 0;
        const moved = await this.#move(connection, mapping, {
          rows: staged.rows,
          whole: changes.whole,
          signal,
        });
        const rejected = [...staged.rejected, ...moved.rejected];
        await changes.reject(rejected);
        const left = changes.deletedKeys
          ? (await run(connection, deleteStagedKeys(mapping))).affectedRows
          : 0;
        await crashPoint("written");
        await writeCheckpoint(connection, tableName.schema, destination.stream, checkpoint);
        signal.throwIfAborted();
        await connection.query("COMMIT");
        await crashPoint("checkpointed");
        return { ...moved, rejected, deleted: cleared + left, bytes: staged.bytes };
      } catch (error) {
        await connection.query("ROLLBACK").catch(() => {});
        throw error;
      }
    });
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
      const staging = { connection, table: this.#options.destination.name, stage: name, names, signal };
      return fillStage(staging, rows(values, batchSize));
    };
    const staged = await fill(stage, mapping.columns, changes.batches);
    if (changes.deletedKeys) await fill(deletedKeys, mapping.keys, changes.deletedKeys);
    return staged;
  }

  async #move(
    connection: mysql.Connection,
    mapping: MysqlTableMapping,
    { rows, whole, signal }: { rows: number; whole: boolean; signal: AbortSignal },
  ) {
    const { name, strategy } = this.#options.destination;
    const finds = strategy === "upsert" && !whole;
    const moved = { inserted: 0, updated: 0, rejected: [] as Reject[] };
    const take = async (from: number, to: number) => {
      signal.throwIfAborted();
      await connection.query("SAVEPOINT lakehelm_rows");
      try {
        const update = finds ? updateKnown(mapping, from, to) : undefined;
        const { changedRows } = update ? await run(connection, update) : { changedRows: 0 };
        const insert = finds ? insertNew(mapping, from, to) : insertRows(mapping, from, to);
        moved.inserted += (await run(connection, insert)).affectedRows;
        moved.updated += changedRows;
      } catch (error) {
        // After a deadlock the savepoint no longer exists. The error itself reports that.
        await connection.query("ROLLBACK TO SAVEPOINT lakehelm_rows").catch(() => {});
        throw error;
      }
    };
    const refused = async (at: number, reason: string) => {
      const options = { sql: stagedRow(mapping, at), dateStrings: true, supportBigNumbers: true };
      const [[row]] = await connection.query<mysql.RowDataPacket[]>(options);
      const names = mapping.columns.map(({ column }) => column.name);
      moved.rejected.push(
        rejectOf(
          reason,
          names,
          mapping.columns.map((one) => row?.[one.name] ?? null),
        ),
      );
    };
    for (let from = 0; from < rows; from += rowsPerStatement) {
      const halving = { table: name, take, refusal: mysqlRefusal, refused };
      await writeByBisection(halving, from, Math.min(from + rowsPerStatement, rows));
    }
    return moved;
  }
}

const run = async (connection: mysql.Connection, sql: string): Promise<mysql.ResultSetHeader> =>
  (await connection.query<mysql.ResultSetHeader>(sql))[0];
