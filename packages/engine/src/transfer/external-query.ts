import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { ExternalQueryOptions } from "../connectors/source/row-sink.ts";
import { wireType } from "../protocol/column.ts";
import type { Reject } from "../protocol/transfer.ts";
import { literal } from "../warehouse/names.ts";
import type { ExternalAccess } from "../warehouse/warehouse.ts";
import { type SinkTable, storeRows } from "./sink-table.ts";

/**
 * Inserts the rows of a query that an external DuckDB runs. The warehouse opens no foreign files, and the external DuckDB opens no
 * files of the warehouse. They exchange the rows in a staging file that the external one writes and the warehouse then reads. Its
 * columns are numbered, so any column name works. Returns the number of rows, and the rows that could not be read.
 */
export async function insertExternalQuery(
  sink: SinkTable,
  access: ExternalAccess,
  select: string,
  { setup = [], afterSetup, rejects }: ExternalQueryOptions,
  /** The place of the first row among those of the run. */
  firstPlace: number,
): Promise<{ readonly rows: number; readonly rejected: readonly Reject[] }> {
  const { warehouse, columns, signal } = sink;
  const name = `stage_${randomUUID().replaceAll("-", "")}`;
  const file = join(warehouse.stagingFolder, `${name}.duckdb`);
  const external = await warehouse.openExternal({
    ...access,
    keepsOrder: sink.keepsOrder ?? false,
    databases: [...(access.databases ?? []), file],
  });
  let rejected: readonly Reject[] = [];
  const interrupt = () => external.connection.interrupt();
  signal.addEventListener("abort", interrupt);
  try {
    signal.throwIfAborted();
    for (const statement of setup) await external.connection.run(statement);
    afterSetup?.();
    await external.connection.run(`ATTACH ${literal(file)} AS stage`);
    const numbered = columns.map((_, index) => `c${index}`).join(", ");
    await external.connection.run(
      `CREATE TABLE stage.rows AS SELECT * FROM (${select}) AS read(${numbered})`,
    );
    if (rejects !== undefined) rejected = await readRejects(external.connection, rejects);
    await external.connection.run("DETACH stage");
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", interrupt);
    external.close();
  }
  // Attached on a separate connection, so that the ATTACH is not part of the run's transaction, which can still read
  // the file.
  const second = await warehouse.connect();
  try {
    await second.run(`ATTACH ${literal(file)} AS ${name} (READ_ONLY)`);
    const values = columns.map((column, index) => `CAST(c${index} AS ${wireType(column)})`);
    return { rows: await storeRows(sink, values, `${name}.rows`, `${firstPlace} + rowid`), rejected };
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    await second.run(`DETACH DATABASE IF EXISTS ${name}`).catch(() => {});
    second.closeSync();
    await rm(file, { force: true });
  }
}

async function readRejects(connection: DuckDBConnection, sql: string): Promise<Reject[]> {
  const found = await connection.runAndReadAll(sql);
  return found
    .getRowsJson()
    .map(([reason, row]) => ({ reason: String(reason), row: JSON.parse(String(row)) }));
}
