import type { DuckDBConnection } from "@duckdb/node-api";
import type { WarehouseColumn } from "../../protocol/column.ts";
import type { Reject } from "../../protocol/transfer.ts";
import { duckdbMessage } from "../../warehouse/duckdb-message.ts";
import { literal, quote } from "../../warehouse/names.ts";
import type { ConnectorSource } from "../source/source.ts";
import { writeByBisection } from "../target/bisection.ts";
import { checkpointTable } from "../target/checkpoint-table.ts";
import { type ExistingColumn, mapColumns } from "../target/column-mapping.ts";
import { duckdbFits } from "../target/duckdb-types.ts";
import { countOf, rowsOf } from "../target/external-duckdb.ts";
import { createRefusedRows, refuseKeylessRows, refuseRow, rejectedRows } from "../target/staged-rows.ts";
import type {
  ChangeSet,
  Checkpoint,
  CrashPoint,
  Destination,
  TargetTable,
  WriteResult,
} from "../target/target.ts";
import { type DuckdbTableMapping, type WriteCounts, writeStagedRows } from "./staged-write.ts";

/** What the file is attached as. */
export const attachedName = "there";
const checkpointsName = `${attachedName}.main.${checkpointTable}`;

interface DuckdbTableName {
  readonly schema: string;
  readonly table: string;
}

interface DuckdbTableOptions {
  readonly destination: Destination;
  readonly place: DuckdbTableName;
  within<Result>(
    mode: "read" | "write",
    work: (outside: DuckDBConnection) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result>;
  source(): Promise<ConnectorSource>;
  isThere(): Promise<boolean>;
}

/** What comes with the rows, and what may end the run before it is committed. */
interface DuckdbCommit {
  readonly mark: Checkpoint;
  readonly crashPoint: CrashPoint;
  readonly rejected: readonly Reject[];
  readonly signal: AbortSignal;
}

/** A table of a DuckDB file. */
export class DuckdbTargetTable implements TargetTable {
  readonly #parts: DuckdbTableOptions;

  constructor(parts: DuckdbTableOptions) {
    this.#parts = parts;
  }

  async readCheckpoint(): Promise<Checkpoint | undefined> {
    const { destination, place, within, isThere } = this.#parts;
    if (!(await isThere())) return undefined;
    return within("read", async (outside) => {
      for (const table of [place, { schema: "main", table: checkpointTable }]) {
        if (!(await existingColumns(outside, table))) return undefined;
      }
      const [row] = await rowsOf(
        outside,
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
    const { place, within, isThere, source } = this.#parts;
    const isKept = (await isThere()) && (await within("read", (outside) => existingColumns(outside, place)));
    return isKept ? { source: await source(), dataset: datasetOf(place) } : undefined;
  }

  async write(
    changes: ChangeSet,
    mark: Checkpoint,
    crashPoint: CrashPoint,
    signal: AbortSignal,
  ): Promise<WriteResult> {
    const file = await changes.stageFile();
    await crashPoint("staged");
    const work = async (outside: DuckDBConnection) => {
      await outside.run(`ATTACH ${literal(file)} AS here (READ_ONLY)`);
      await createRefusedRows(outside);
      const { destination } = this.#parts;
      const rejected = destination.strategy === "upsert" ? await refuseKeylessRows(outside, destination) : [];
      const move = () => this.#inTransaction(outside, changes, { mark, crashPoint, rejected, signal });
      try {
        return await move();
      } catch (error) {
        if (refusal(error) === undefined) throw error;
        rejected.push(...(await this.#findRefused(outside, changes, signal)));
        return await move();
      }
    };
    return this.#parts.within("write", work, signal);
  }

  /** The rows and the mark, or neither. */
  async #inTransaction(
    outside: DuckDBConnection,
    changes: ChangeSet,
    { mark, crashPoint, rejected, signal }: DuckdbCommit,
  ): Promise<WriteResult> {
    await outside.run("BEGIN");
    let moved: WriteCounts;
    try {
      moved = await writeStagedRows(outside, await this.#fit(outside), changes, "true");
      await changes.reject(rejected);
      await crashPoint("written");
      await this.#keepMark(outside, mark);
      signal.throwIfAborted();
      await outside.run("COMMIT");
    } catch (error) {
      await outside.run("ROLLBACK").catch(() => {});
      throw error;
    }
    await crashPoint("checkpointed");
    return { ...moved, rejected, bytes: 0 };
  }

  /** DuckDB has no savepoints: rows that are refused are found by trying, and undoing each time. */
  async #findRefused(outside: DuckDBConnection, changes: ChangeSet, signal: AbortSignal): Promise<Reject[]> {
    const { destination } = this.#parts;
    const rejects: Reject[] = [];
    const take = async (from: number, to: number) => {
      signal.throwIfAborted();
      await outside.run("BEGIN");
      try {
        const only = `rowid >= ${from} AND rowid < ${to}`;
        await writeStagedRows(outside, await this.#fit(outside), changes, only);
      } finally {
        await outside.run("ROLLBACK").catch(() => {});
      }
    };
    const refused = async (at: number, reason: string) => {
      rejects.push(...(await rejectedRows(outside, destination, `rowid = ${at}`, reason)));
      await refuseRow(outside, at);
    };
    const rows = await countOf(outside, "SELECT max(rowid) + 1 FROM here.changes");
    await writeByBisection({ table: destination.name, take, refusal, refused }, 0, rows);
    return rejects;
  }

  async #fit(outside: DuckDBConnection): Promise<DuckdbTableMapping> {
    const { destination, place } = this.#parts;
    const { name, columns, keys, strategy } = destination;
    const table = `${attachedName}.${quote(place.schema)}.${quote(place.table)}`;
    const kept = await existingColumns(outside, place);
    if (!kept) {
      await outside.run(`CREATE SCHEMA IF NOT EXISTS ${attachedName}.${quote(place.schema)}`);
      await outside.run(`CREATE TABLE ${table} (${columns.map(declared).join(", ")})`);
    }
    const there = kept ?? columns;
    const fit = mapColumns({ table: name, there, coming: columns, fits: duckdbFits });
    for (const column of fit.added) await outside.run(`ALTER TABLE ${table} ADD COLUMN ${declared(column)}`);
    const others = there.length + fit.added.length > columns.length;
    return { table, columns: fit.columns, keys, strategy, others };
  }

  async #keepMark(outside: DuckDBConnection, { value, time, run }: Checkpoint): Promise<void> {
    const stream = literal(this.#parts.destination.stream);
    await outside.run(
      `CREATE TABLE IF NOT EXISTS ${checkpointsName} (stream VARCHAR, value VARCHAR, time VARCHAR, run VARCHAR)`,
    );
    await outside.run(`DELETE FROM ${checkpointsName} WHERE stream = ${stream}`);
    await outside.run(
      `INSERT INTO ${checkpointsName} VALUES (${stream}, ${value === null ? "NULL" : literal(value)}, ${literal(time)}, ${literal(run)})`,
    );
  }
}

/** As the source calls it. */
const datasetOf = ({ schema, table }: DuckdbTableName): string =>
  schema === "main" ? table : `${schema}.${table}`;

const declared = ({ name, type }: WarehouseColumn): string => `${quote(name)} ${type}`;

/** A constraint of somebody's table: those that we make have none. */
const refusal = (error: unknown): string | undefined =>
  error instanceof Error && /^Constraint Error/.test(error.message) ? duckdbMessage(error) : undefined;

/** The columns of a table in the attached file; undefined: there is no such table. */
export async function existingColumns(
  outside: DuckDBConnection,
  { schema, table }: DuckdbTableName,
): Promise<ExistingColumn[] | undefined> {
  const rows = await rowsOf(
    outside,
    `SELECT column_name AS name, data_type AS type FROM duckdb_columns() WHERE database_name = ${literal(attachedName)} AND lower(schema_name) = lower(${literal(schema)}) AND lower(table_name) = lower(${literal(table)}) ORDER BY column_index`,
  );
  return rows.length === 0
    ? undefined
    : rows.map(({ name, type }) => ({ name: String(name), type: String(type) }));
}
