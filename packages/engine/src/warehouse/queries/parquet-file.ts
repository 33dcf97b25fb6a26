import { randomUUID } from "node:crypto";
import { readFile, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBConnection, DuckDBPreparedStatement } from "@duckdb/node-api";
import { parquet } from "../../connectors/files/write/parquet.ts";
import { DataProblem } from "../../protocol/problem.ts";
import { literal, quote } from "../names.ts";
import type { Warehouse } from "../warehouse.ts";
import { columnForCaller } from "./spark-functions.ts";

/** How often the size of the file is checked while it is written. */
const lookMs = 20;
const bytesPerMb = 1024 * 1024;

/** All rows of a query that is allowed to run, as a Parquet file. It is never larger than an answer may be. */
export async function parquetOf(
  warehouse: Pick<Warehouse, "stagingFolder" | "limits">,
  connection: DuckDBConnection,
  sql: string,
  statement: DuckDBPreparedStatement,
): Promise<Uint8Array> {
  const { stagingFolder, limits } = warehouse;
  const { answerBytes, diskReserveMb } = limits;
  const { bavail, bsize } = await statfs(stagingFolder);
  if (bavail * bsize < diskReserveMb * bytesPerMb + answerBytes)
    throw new DataProblem("There is not enough disk space for the file of the result.");
  const file = join(stagingFolder, `query-${randomUUID()}.parquet`);
  const tooLarge = () =>
    new DataProblem(
      `The Parquet file would be larger than ${answerBytes} bytes. Select fewer rows or columns, or raise PLATFORM_QUERY_ANSWER_BYTES.`,
    );
  let isTooLarge = false;
  const watch = setInterval(async () => {
    const size = await stat(file).then(
      (found) => found.size,
      () => 0,
    );
    if (size <= answerBytes) return;
    isTooLarge = true;
    connection.interrupt();
  }, lookMs);
  try {
    await connection.run(`COPY (${selectOf(sql, statement)}) TO ${literal(file)} ${parquet.copyOptions}`);
    if ((await stat(file)).size > answerBytes) throw tooLarge();
    return await readFile(file);
  } catch (error) {
    throw isTooLarge ? tooLarge() : error;
  } finally {
    clearInterval(watch);
    await rm(file, { force: true });
  }
}

/** Selects the columns with the names that the caller knows, and converts values to text that Parquet would round. */
function selectOf(sql: string, statement: DuckDBPreparedStatement): string {
  const places = Array.from({ length: statement.columnCount }, (_, at) => ({
    name: `c${at}`,
    type: String(statement.columnType(at)),
    origin: "",
  }));
  const stored = parquet.storedFields(places);
  const fields = places.map(({ name }, at) => {
    const value = stored[at]?.sql ?? quote(name);
    return `${value} AS ${quote(columnForCaller(statement.columnName(at)))}`;
  });
  return `SELECT ${fields.join(", ")} FROM (${sql}) AS result(${places.map(({ name }) => quote(name)).join(", ")})`;
}
