import type { DuckDBConnection } from "@duckdb/node-api";
import type { WarehouseColumn } from "../../protocol/column.ts";
import type { Refusal, Reject } from "../../protocol/transfer.ts";
import { duckdbMessage } from "../../warehouse/duckdb-message.ts";
import { literal, quote } from "../../warehouse/names.ts";
import { rowNumber } from "../../warehouse/row-numbers.ts";
import { rowlessMessage } from "../../warehouse/rowless-message.ts";
import type { ConnectorSource } from "../source/source.ts";
import { writeByBisection } from "../target/bisection.ts";
import { checkpointTable } from "../target/checkpoint-table.ts";
import { type ExistingColumn, mapColumns } from "../target/column-mapping.ts";
import { duckdbFits } from "../target/duckdb-types.ts";
import { countOf, rowsOf } from "../target/external-duckdb.ts";
import {
  createRefusedRows,
  refuseKeylessRows,
  refuseRow,
  rejectedRows,
  stagedChanges,
} from "../target/staged-rows.ts";
import type {
  ChangeSet,
  Checkpoint,
  CrashPointHook,
  Destination,
  TargetTable,
  WriteResult,
} from "../target/target.ts";
import { type DuckdbTableMapping, type WriteCounts, writeStagedRows } from "./staged-write.ts";

/** The name under which the file is attached. */
export const attachedName = "target";
const checkpointsName = `${attachedName}.main.${checkpointTable}`;

interface DuckdbTableName {
  readonly schema: string;
  readonly table: string;
}

interface DuckdbTableOptions {
  readonly destination: Destination;
  readonly tableName: DuckdbTableName;
  withFile<Result>(
    mode: "read" | "write",
    work: (external: DuckDBConnection) => Promise<Result>,
    /** `stage` is the file with the rows to write. */
    options?: { readonly signal: AbortSignal; readonly stage: string },
  ): Promise<Result>;
  source(): Promise<ConnectorSource>;
  fileExists(): Promise<boolean>;
}

/** The input of a transaction besides the rows. */
interface DuckdbCommit {
  readonly checkpoint: Checkpoint;
  readonly crashPoint: CrashPointHook;
  readonly rejected: readonly Reject[];
  readonly signal: AbortSignal;
}

/** A table of a DuckDB file. */
export class DuckdbTargetTable implements TargetTable {
  readonly #options: DuckdbTableOptions;

  constructor(options: DuckdbTableOptions) {
    this.#options = options;
  }

  isEmpty(): Promise<boolean> {
    const { tableName, withFile } = this.#options;
    const name = `${attachedName}.${quote(tableName.schema)}.${quote(tableName.table)}`;
    return withFile(
      "read",
      async (external) => (await rowsOf(external, `SELECT 1 AS found FROM ${name} LIMIT 1`)).length === 0,
    );
  }

  async readCheckpoint(): Promise<Checkpoint | undefined> {
    const { destination, tableName, withFile, fileExists } = this.#options;
    if (!(await fileExists())) return undefined;
    return withFile("read", async (external) => {
      for (const table of [tableName, { schema: "main", table: checkpointTable }]) {
        if (!(await existingColumns(external, table))) return undefined;
      }
      const [row] = await rowsOf(
        external,
        `SELECT value, time, run FROM ${checkpointsName} WHERE stream = ${literal(destination.stream)}`,
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

  async existingRows() {
    const { tableName, withFile, fileExists, source } = this.#options;
    const hasTable =
      (await fileExists()) && (await withFile("read", (external) => existingColumns(external, tableName)));
    return hasTable ? { source: await source(), dataset: datasetOf(tableName) } : undefined;
  }

  canRehearse = (): Promise<boolean> => this.#options.fileExists();

  async write(
    changes: ChangeSet,
    checkpoint: Checkpoint,
    crashPoint: CrashPointHook,
    signal: AbortSignal,
  ): Promise<WriteResult> {
    const file = await changes.stageFile();
    await crashPoint("staged");
    const work = async (external: DuckDBConnection) => {
      await external.run(`ATTACH ${literal(file)} AS stage (READ_ONLY)`);
      await createRefusedRows(external);
      const { destination } = this.#options;
      const rejected =
        destination.strategy === "upsert" ? await refuseKeylessRows(external, destination) : [];
      const writeAll = () =>
        this.#inTransaction(external, changes, { checkpoint, crashPoint, rejected, signal });
      try {
        return await writeAll();
      } catch (error) {
        if (constraintViolation(error) === undefined) throw error;
        rejected.push(...(await this.#findRefusedRows(external, changes, signal)));
        return await writeAll();
      }
    };
    return this.#options.withFile("write", work, { signal, stage: file });
  }

  /** Writes the rows and the checkpoint in one transaction. */
  async #inTransaction(
    external: DuckDBConnection,
    changes: ChangeSet,
    { checkpoint, crashPoint, rejected, signal }: DuckdbCommit,
  ): Promise<WriteResult> {
    await external.run("BEGIN");
    let counts: WriteCounts;
    try {
      counts = await writeStagedRows(external, await this.#prepareTable(external), changes, "true");
      await changes.reject(rejected);
      await crashPoint("written");
      await this.#writeCheckpoint(external, checkpoint);
      signal.throwIfAborted();
      await external.run("COMMIT");
    } catch (error) {
      await external.run("ROLLBACK").catch(() => {});
      throw error;
    }
    await crashPoint("checkpointed");
    return { ...counts, rejected, bytes: 0 };
  }

  /** DuckDB has no savepoints. Refused rows are found by trial writes that are rolled back. */
  async #findRefusedRows(
    external: DuckDBConnection,
    changes: ChangeSet,
    signal: AbortSignal,
  ): Promise<Reject[]> {
    const { destination } = this.#options;
    const rejects: Reject[] = [];
    const write = async (from: number, to: number) => {
      signal.throwIfAborted();
      await external.run("BEGIN");
      try {
        const only = `${rowNumber} >= ${from} AND ${rowNumber} < ${to}`;
        await writeStagedRows(external, await this.#prepareTable(external), changes, only);
      } finally {
        await external.run("ROLLBACK").catch(() => {});
      }
    };
    const onRefused = async (at: number, refusal: Refusal) => {
      rejects.push(...(await rejectedRows(external, destination, `${rowNumber} = ${at}`, refusal)));
      await refuseRow(external, at);
    };
    const rows = await countOf(
      external,
      `SELECT max(${rowNumber}) + 1 FROM ${await stagedChanges(external)}`,
    );
    await writeByBisection(
      { table: destination.name, write, refusalOf: constraintViolation, onRefused },
      0,
      rows,
    );
    return rejects;
  }

  async #prepareTable(external: DuckDBConnection): Promise<DuckdbTableMapping> {
    const { destination, tableName } = this.#options;
    const { name, columns, keys, strategy } = destination;
    const table = `${attachedName}.${quote(tableName.schema)}.${quote(tableName.table)}`;
    const existing = await existingColumns(external, tableName);
    if (!existing) {
      await external.run(`CREATE SCHEMA IF NOT EXISTS ${attachedName}.${quote(tableName.schema)}`);
      await external.run(`CREATE TABLE ${table} (${columns.map(columnDefinition).join(", ")})`);
    }
    const tableColumns = existing ?? columns;
    const mapping = mapColumns({
      ...{ table: name, existing: tableColumns, incoming: columns, fits: duckdbFits },
      remedy: (named, column) =>
        `Change it in the target: ALTER TABLE ${quote(tableName.schema)}.${quote(tableName.table)} ALTER COLUMN ${quote(named)} TYPE ${column.type};`,
    });
    for (const column of mapping.added)
      await external.run(`ALTER TABLE ${table} ADD COLUMN ${columnDefinition(column)}`);
    const hasOtherColumns = tableColumns.length + mapping.added.length > columns.length;
    return { table, columns: mapping.columns, keys, strategy, hasOtherColumns };
  }

  async #writeCheckpoint(external: DuckDBConnection, { value, time, run }: Checkpoint): Promise<void> {
    const stream = literal(this.#options.destination.stream);
    await external.run(
      `CREATE TABLE IF NOT EXISTS ${checkpointsName} (stream VARCHAR, value VARCHAR, time VARCHAR, run VARCHAR)`,
    );
    await external.run(`DELETE FROM ${checkpointsName} WHERE stream = ${stream}`);
    await external.run(
      `INSERT INTO ${checkpointsName} VALUES (${stream}, ${value === null ? "NULL" : literal(value)}, ${literal(time)}, ${literal(run)})`,
    );
  }
}

/** The dataset name that the source uses. */
const datasetOf = ({ schema, table }: DuckdbTableName): string =>
  schema === "main" ? table : `${schema}.${table}`;

const columnDefinition = ({ name, type }: WarehouseColumn): string => `${quote(name)} ${type}`;

/** A violated constraint. Tables that Lakehelm creates have none. */
const constraintViolation = (error: unknown): Refusal | undefined =>
  error instanceof Error && /^Constraint Error/.test(error.message)
    ? { reason: duckdbMessage(error), cause: rowlessMessage(error) }
    : undefined;

/** The columns of a table in the attached file; undefined if there is no such table. */
export async function existingColumns(
  external: DuckDBConnection,
  { schema, table }: DuckdbTableName,
): Promise<ExistingColumn[] | undefined> {
  const rows = await rowsOf(
    external,
    `SELECT column_name AS name, data_type AS type FROM duckdb_columns() WHERE database_name = ${literal(attachedName)} AND lower(schema_name) = lower(${literal(schema)}) AND lower(table_name) = lower(${literal(table)}) ORDER BY column_index`,
  );
  return rows.length === 0
    ? undefined
    : rows.map(({ name, type }) => ({ name: String(name), type: String(type) }));
}
