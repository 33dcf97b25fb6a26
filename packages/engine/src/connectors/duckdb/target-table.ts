import type { DuckDBConnection } from "@duckdb/node-api";
import type { WarehouseColumn } from "../../protocol/column.ts";
import { literal, quote } from "../../warehouse/names.ts";
import { plainMessage } from "../../warehouse/warehouse.ts";
import type { Reject } from "../source/row-sink.ts";
import type { Source } from "../source/source.ts";
import { takeByHalves } from "../target/bisection.ts";
import { marksTable } from "../target/checkpoint-table.ts";
import { fitColumns, type KeptColumn } from "../target/column-mapping.ts";
import { duckdbFits } from "../target/duckdb-types.ts";
import { countOf, rowsOf } from "../target/external-duckdb.ts";
import { keylessRows, makeRefused, refuseRow, rejectedRows } from "../target/staged-rows.ts";
import type { Changes, CrashPoint, Destination, Mark, Table, Written } from "../target/target.ts";
import { apply, type Fitted, type Moved } from "./staged-write.ts";

/** What the file is attached as. */
export const attached = "there";
const marks = `${attached}.main.${marksTable}`;

interface Place {
  readonly schema: string;
  readonly table: string;
}

interface Parts {
  readonly destination: Destination;
  readonly place: Place;
  within<Result>(
    mode: "read" | "write",
    work: (outside: DuckDBConnection) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result>;
  source(): Promise<Source>;
  isThere(): Promise<boolean>;
}

/** What comes with the rows, and what may end the run before it is committed. */
interface Ending {
  readonly mark: Mark;
  readonly crashPoint: CrashPoint;
  readonly rejected: readonly Reject[];
  readonly signal: AbortSignal;
}

/** A table of a DuckDB file. */
export class DuckdbTable implements Table {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async mark(): Promise<Mark | undefined> {
    const { destination, place, within, isThere } = this.#parts;
    if (!(await isThere())) return undefined;
    return within("read", async (outside) => {
      for (const table of [place, { schema: "main", table: marksTable }]) {
        if (!(await keptColumns(outside, table))) return undefined;
      }
      const [row] = await rowsOf(
        outside,
        `SELECT value, time, run FROM ${marks} WHERE stream = ${literal(destination.stream)}`,
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
    const { place, within, isThere, source } = this.#parts;
    const isKept = (await isThere()) && (await within("read", (outside) => keptColumns(outside, place)));
    return isKept ? { source: await source(), dataset: datasetOf(place) } : undefined;
  }

  async write(changes: Changes, mark: Mark, crashPoint: CrashPoint, signal: AbortSignal): Promise<Written> {
    const file = await changes.file();
    await crashPoint("staged");
    const work = async (outside: DuckDBConnection) => {
      await outside.run(`ATTACH ${literal(file)} AS here (READ_ONLY)`);
      await makeRefused(outside);
      const { destination } = this.#parts;
      const rejected = destination.strategy === "upsert" ? await keylessRows(outside, destination) : [];
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
    changes: Changes,
    { mark, crashPoint, rejected, signal }: Ending,
  ): Promise<Written> {
    await outside.run("BEGIN");
    let moved: Moved;
    try {
      moved = await apply(outside, await this.#fit(outside), changes, "true");
      await changes.reject(rejected);
      await crashPoint("written");
      await this.#keepMark(outside, mark);
      signal.throwIfAborted();
      await outside.run("COMMIT");
    } catch (error) {
      await outside.run("ROLLBACK").catch(() => {});
      throw error;
    }
    await crashPoint("marked");
    return { ...moved, rejected, bytes: 0 };
  }

  /** DuckDB has no savepoints: rows that are refused are found by trying, and undoing each time. */
  async #findRefused(outside: DuckDBConnection, changes: Changes, signal: AbortSignal): Promise<Reject[]> {
    const { destination } = this.#parts;
    const rejects: Reject[] = [];
    const take = async (from: number, to: number) => {
      signal.throwIfAborted();
      await outside.run("BEGIN");
      try {
        const only = `rowid >= ${from} AND rowid < ${to}`;
        await apply(outside, await this.#fit(outside), changes, only);
      } finally {
        await outside.run("ROLLBACK").catch(() => {});
      }
    };
    const refused = async (at: number, reason: string) => {
      rejects.push(...(await rejectedRows(outside, destination, `rowid = ${at}`, reason)));
      await refuseRow(outside, at);
    };
    const rows = await countOf(outside, "SELECT max(rowid) + 1 FROM here.changes");
    await takeByHalves({ table: destination.name, take, refusal, refused }, 0, rows);
    return rejects;
  }

  async #fit(outside: DuckDBConnection): Promise<Fitted> {
    const { destination, place } = this.#parts;
    const { name, columns, keys, strategy } = destination;
    const table = `${attached}.${quote(place.schema)}.${quote(place.table)}`;
    const kept = await keptColumns(outside, place);
    if (!kept) {
      await outside.run(`CREATE SCHEMA IF NOT EXISTS ${attached}.${quote(place.schema)}`);
      await outside.run(`CREATE TABLE ${table} (${columns.map(declared).join(", ")})`);
    }
    const there = kept ?? columns;
    const fit = fitColumns({ table: name, there, coming: columns, fits: duckdbFits });
    for (const column of fit.added) await outside.run(`ALTER TABLE ${table} ADD COLUMN ${declared(column)}`);
    const others = there.length + fit.added.length > columns.length;
    return { table, columns: fit.columns, keys, strategy, others };
  }

  async #keepMark(outside: DuckDBConnection, { value, time, run }: Mark): Promise<void> {
    const stream = literal(this.#parts.destination.stream);
    await outside.run(
      `CREATE TABLE IF NOT EXISTS ${marks} (stream VARCHAR, value VARCHAR, time VARCHAR, run VARCHAR)`,
    );
    await outside.run(`DELETE FROM ${marks} WHERE stream = ${stream}`);
    await outside.run(
      `INSERT INTO ${marks} VALUES (${stream}, ${value === null ? "NULL" : literal(value)}, ${literal(time)}, ${literal(run)})`,
    );
  }
}

/** As the source calls it. */
const datasetOf = ({ schema, table }: Place): string => (schema === "main" ? table : `${schema}.${table}`);

const declared = ({ name, type }: WarehouseColumn): string => `${quote(name)} ${type}`;

/** A constraint of somebody's table: those that we make have none. */
const refusal = (error: unknown): string | undefined =>
  error instanceof Error && /^Constraint Error/.test(error.message) ? plainMessage(error) : undefined;

/** The columns of a table in the attached file; undefined: there is no such table. */
export async function keptColumns(
  outside: DuckDBConnection,
  { schema, table }: Place,
): Promise<KeptColumn[] | undefined> {
  const rows = await rowsOf(
    outside,
    `SELECT column_name AS name, data_type AS type FROM duckdb_columns() WHERE database_name = ${literal(attached)} AND lower(schema_name) = lower(${literal(schema)}) AND lower(table_name) = lower(${literal(table)}) ORDER BY column_index`,
  );
  return rows.length === 0
    ? undefined
    : rows.map(({ name, type }) => ({ name: String(name), type: String(type) }));
}
