import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { Reject } from "../connectors/source/row-sink.ts";
import { wireType } from "../protocol/column.ts";
import { literal } from "../warehouse/names.ts";
import { type IntakeOptions, into } from "./staging-sink.ts";

/**
 * Rows that another DuckDB reads. The warehouse opens no files of others, and the other one none of the warehouse's: they meet
 * in a file that one writes and the other then reads. Columns in it go by number, whatever they are called. Answers how many
 * rows there were, and which could not be read.
 */
export async function throughFile(
  options: IntakeOptions,
  select: string,
  setup: readonly string[],
  rejects: string | undefined,
): Promise<{ readonly rows: number; readonly rejected: readonly Reject[] }> {
  const { warehouse, connection, columns, signal } = options;
  const name = `stage_${randomUUID().replaceAll("-", "")}`;
  const file = join(warehouse.staging, `${name}.duckdb`);
  const outside = await warehouse.outside();
  let rejected: readonly Reject[] = [];
  const interrupt = () => outside.connection.interrupt();
  signal.addEventListener("abort", interrupt);
  try {
    signal.throwIfAborted();
    for (const statement of setup) await outside.connection.run(statement);
    await outside.connection.run(`ATTACH ${literal(file)} AS stage`);
    const numbered = columns.map((_, index) => `c${index}`).join(", ");
    await outside.connection.run(`CREATE TABLE stage.rows AS SELECT * FROM (${select}) AS read(${numbered})`);
    if (rejects !== undefined) rejected = await rejectsOf(outside.connection, rejects);
    await outside.connection.run("DETACH stage");
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", interrupt);
    outside.close();
  }
  // The transaction of the run can read it, though it began before; attached by a connection of its own, it is no part of it.
  const attaching = await warehouse.connect();
  try {
    await attaching.run(`ATTACH ${literal(file)} AS ${name} (READ_ONLY)`);
    const values = columns.map((column, index) => `CAST(c${index} AS ${wireType(column)})`).join(", ");
    const inserted = await connection.run(`INSERT INTO ${into(options)} SELECT ${values} FROM ${name}.rows`);
    return { rows: inserted.rowsChanged, rejected };
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    await attaching.run(`DETACH DATABASE IF EXISTS ${name}`).catch(() => {});
    attaching.closeSync();
    await rm(file, { force: true });
  }
}

async function rejectsOf(connection: DuckDBConnection, sql: string): Promise<Reject[]> {
  const found = await connection.runAndReadAll(sql);
  return found
    .getRowsJson()
    .map(([reason, row]) => ({ reason: String(reason), row: JSON.parse(String(row)) }));
}
