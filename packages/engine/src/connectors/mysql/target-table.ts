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
/** Rows in one statement: a run that is called off waits for one of them. */
const rowsPerStatement = 20_000;

interface MysqlTableOptions {
  readonly destination: Destination;
  readonly place: MysqlTableName;
  within<Result>(work: (connection: mysql.Connection) => Promise<Result>): Promise<Result>;
  source(): Promise<ConnectorSource>;
}

/**
 * A table of MySQL. What changes tables ends a transaction there: so the table is made, or gets its new columns, before the
 * rows. A run that is killed in between leaves a table without rows and without a mark, and the next one begins again.
 */
export class MysqlTargetTable implements TargetTable {
  readonly #parts: MysqlTableOptions;
  readonly #table: string;

  constructor(parts: MysqlTableOptions) {
    this.#parts = parts;
    this.#table = `${backquoted(parts.place.schema)}.${backquoted(parts.place.table)}`;
  }

  readCheckpoint(): Promise<Checkpoint | undefined> {
    const { destination, place, within } = this.#parts;
    return within(async (connection) =>
      (await findTable(connection, place))
        ? readCheckpoint(connection, place.schema, destination.stream)
        : undefined,
    );
  }

  async existingRows() {
    const { place, within, source } = this.#parts;
    const kept = await within((connection) => findTable(connection, place));
    return kept && { source: await source(), dataset: this.#table };
  }

  write(
    changes: ChangeSet,
    mark: Checkpoint,
    crashPoint: CrashPoint,
    signal: AbortSignal,
  ): Promise<WriteResult> {
    const { destination, place, within } = this.#parts;
    return within(async (connection) => {
      await createCheckpointTable(connection, place.schema);
      const columns = await prepareTable(connection, place, destination);
      const keys = destination.keys.flatMap((key) => columns.filter(({ column }) => column.name === key));
      const fitted: MysqlTableMapping = { table: this.#table, columns, keys };
      const staged = await this.#stage(connection, fitted, changes, signal);
      await crashPoint("staged");

      await connection.query("START TRANSACTION");
      try {
        await readCheckpoint(connection, place.schema, destination.stream, true);
        const cleared = changes.whole
          ? (await run(connection, `DELETE FROM ${this.#table}`)).affectedRows
          : 0;
        const moved = await this.#move(connection, fitted, {
          rows: staged.rows,
          whole: changes.whole,
          signal,
        });
        const rejected = [...staged.rejected, ...moved.rejected];
        await changes.reject(rejected);
        const left = changes.deletedKeys ? (await run(connection, deleteStagedKeys(fitted))).affectedRows : 0;
        await crashPoint("written");
        await writeCheckpoint(connection, place.schema, destination.stream, mark);
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
    fitted: MysqlTableMapping,
    changes: ChangeSet,
    signal: AbortSignal,
  ) {
    const fill = async (name: string, columns: MysqlTableMapping["columns"], rows: ChangeSet["batches"]) => {
      await connection.query(`DROP TEMPORARY TABLE IF EXISTS ${name}`);
      await connection.query(createStage(name, fitted.table, columns));
      const names = columns.map(({ column }) => column.name);
      const values = columns.map(({ column }) => mysqlValue(column));
      const staging = { connection, table: this.#parts.destination.name, stage: name, names, signal };
      return fillStage(staging, rows(values, batchSize));
    };
    const staged = await fill(stage, fitted.columns, changes.batches);
    if (changes.deletedKeys) await fill(deletedKeys, fitted.keys, changes.deletedKeys);
    return staged;
  }

  async #move(
    connection: mysql.Connection,
    fitted: MysqlTableMapping,
    { rows, whole, signal }: { rows: number; whole: boolean; signal: AbortSignal },
  ) {
    const { name, strategy } = this.#parts.destination;
    const finds = strategy === "upsert" && !whole;
    const moved = { inserted: 0, updated: 0, rejected: [] as Reject[] };
    const take = async (from: number, to: number) => {
      signal.throwIfAborted();
      await connection.query("SAVEPOINT lakehelm_rows");
      try {
        const update = finds ? updateKnown(fitted, from, to) : undefined;
        const { changedRows } = update ? await run(connection, update) : { changedRows: 0 };
        const insert = finds ? insertNew(fitted, from, to) : insertRows(fitted, from, to);
        moved.inserted += (await run(connection, insert)).affectedRows;
        moved.updated += changedRows;
      } catch (error) {
        // After a deadlock there is no savepoint any more: that is told by the error itself.
        await connection.query("ROLLBACK TO SAVEPOINT lakehelm_rows").catch(() => {});
        throw error;
      }
    };
    const refused = async (at: number, reason: string) => {
      const options = { sql: stagedRow(fitted, at), dateStrings: true, supportBigNumbers: true };
      const [[row]] = await connection.query<mysql.RowDataPacket[]>(options);
      const names = fitted.columns.map(({ column }) => column.name);
      moved.rejected.push(
        rejectOf(
          reason,
          names,
          fitted.columns.map((one) => row?.[one.name] ?? null),
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
