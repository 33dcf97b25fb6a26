import type { DuckDBConnection } from "@duckdb/node-api";
import { pipelineRefreshAdvice } from "@lakehelm/contract/changes";
import { DataProblem } from "../protocol/problem.ts";
import { streamCheckpointsTable } from "../warehouse/internal-tables.ts";
import { literal, sqlName, type TableName } from "../warehouse/names.ts";
import { rowNumber, withRowNumbers } from "../warehouse/row-numbers.ts";
import { readVersion } from "../warehouse/table-version.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";

/** A table that a flow reads as a stream, and the key of its checkpoint. */
export interface Stream {
  readonly catalog: string;
  readonly pipeline: string;
  /** Full names. */
  readonly dataset: string;
  readonly flow: string;
  readonly source: string;
  /** The table that stores the source's rows. */
  readonly storage: TableName;
}

/** The last row that a flow has read, and the version of the table at that time. */
export interface StreamCheckpoint {
  readonly row: number;
  readonly version: number;
}

/** The new rows of a stream: those after the last row that was read, as far as this transaction sees them. */
export interface StreamSlice {
  readonly before: StreamCheckpoint | undefined;
  readonly after: StreamCheckpoint;
  readonly relation: string;
  readonly isEmpty: boolean;
}

/** Explains why a stream cannot continue: rows that it has already read were changed or removed. */
export async function streamProblem(
  connection: DuckDBConnection,
  stream: Stream,
): Promise<string | undefined> {
  const before = await readCheckpoint(connection, stream);
  const { rewritten } = await readVersion(connection, stream.storage);
  return before && rewritten > before.version ? rewrittenSince(stream) : undefined;
}

const rewrittenSince = ({ pipeline, source, dataset }: Stream): string =>
  `Rows of ${source} were changed or removed since ${dataset} last read it as a stream, but a stream can only add rows. ${pipelineRefreshAdvice(pipeline, dataset)}`;

/** Throws a DataProblem if rows that were already read have been changed or removed. */
export async function sliceOf(
  warehouse: Warehouse,
  connection: DuckDBConnection,
  stream: Stream,
): Promise<StreamSlice> {
  const { storage } = stream;
  const before = await readCheckpoint(connection, stream);
  // The version is read first, because reading it fixes the snapshot of the catalog that this transaction sees.
  const { version, rewritten } = await readVersion(connection, storage);
  if (before && rewritten > before.version) throw new DataProblem(rewrittenSince(stream));
  const from = before?.row ?? -1;
  const row = await warehouse.lastRow(connection, storage, from + 1);
  const rows = await withRowNumbers(connection, sqlName(storage));
  return {
    before,
    after: { row: Math.max(row, from), version },
    relation: `(SELECT * EXCLUDE (${rowNumber}) FROM ${rows} WHERE ${rowNumber} > ${from} AND ${rowNumber} <= ${row})`,
    isEmpty: row <= from,
  };
}

const which = ({ pipeline, dataset, flow, source }: Stream): string =>
  `${ofDataset({ pipeline, dataset })} AND lower(flow) = ${literal(flow.toLowerCase())} AND source = ${literal(source)}`;

const ofDataset = ({ pipeline, dataset }: Pick<Stream, "pipeline" | "dataset">): string =>
  `pipeline = ${literal(pipeline)} AND dataset = ${literal(dataset)}`;

/** The flows of a dataset and the tables that they have read as streams, including flows that were removed from its code. */
export async function readStreamFlows(
  connection: DuckDBConnection,
  { catalog, ...dataset }: Pick<Stream, "catalog" | "pipeline" | "dataset">,
): Promise<readonly Pick<Stream, "flow" | "source">[]> {
  const found = await connection.runAndReadAll(
    `SELECT flow, source FROM ${streamCheckpointsTable(catalog)} WHERE ${ofDataset(dataset)} AND source <> '' ORDER BY ALL`,
  );
  return found.getRowsJson().map(([flow, source]) => ({ flow: String(flow), source: String(source) }));
}

async function readCheckpoint(
  connection: DuckDBConnection,
  stream: Stream,
): Promise<StreamCheckpoint | undefined> {
  const found = await connection.runAndReadAll(
    `SELECT "row", version FROM ${streamCheckpointsTable(stream.catalog)} WHERE ${which(stream)}`,
  );
  const [row] = found.getRowsJson();
  return row && { row: Number(row[0]), version: Number(row[1]) };
}

/** Call it in the transaction that writes the rows. */
export async function writeCheckpoint(
  connection: DuckDBConnection,
  stream: Stream,
  { row, version }: StreamCheckpoint,
): Promise<void> {
  await connection.run(`DELETE FROM ${streamCheckpointsTable(stream.catalog)} WHERE ${which(stream)}`);
  const names = [stream.pipeline, stream.dataset, stream.flow, stream.source].map(literal);
  await connection.run(
    `INSERT INTO ${streamCheckpointsTable(stream.catalog)} VALUES (${names.join(", ")}, ${row}, ${version})`,
  );
}

/** Deletes the checkpoints of a dataset that reads from the beginning again. */
export async function deleteCheckpoints(
  connection: DuckDBConnection,
  { catalog, ...dataset }: Pick<Stream, "catalog" | "pipeline" | "dataset">,
): Promise<void> {
  await connection.run(`DELETE FROM ${streamCheckpointsTable(catalog)} WHERE ${ofDataset(dataset)}`);
}

/** Whether a flow that runs only once has run. */
export const hasRun = async (connection: DuckDBConnection, stream: Stream): Promise<boolean> =>
  (await readCheckpoint(connection, stream)) !== undefined;
