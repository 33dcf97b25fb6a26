import type { DuckDBConnection } from "@duckdb/node-api";
import { DataProblem } from "../protocol/problem.ts";
import { streamCheckpointsTable, versionsTable } from "../warehouse/internal-tables.ts";
import { literal, sqlName, type TableName } from "../warehouse/names.ts";
import { scalar } from "../warehouse/relation.ts";

/** A flow that reads a table as a stream: whose checkpoint it is, and in which catalog that is kept. */
export interface Stream {
  readonly catalog: string;
  readonly pipeline: string;
  /** Full names. */
  readonly dataset: string;
  readonly flow: string;
  readonly source: string;
  /** Where the source's rows are. */
  readonly storage: TableName;
}

/** How far a flow has come: the last row that it has read, and the version of the table then. */
export interface StreamCheckpoint {
  readonly row: number;
  readonly version: number;
}

/** What is new in a stream: the rows after the last one, up to what this transaction sees. */
export interface StreamSlice {
  readonly before: StreamCheckpoint | undefined;
  readonly after: StreamCheckpoint;
  readonly relation: string;
  readonly isEmpty: boolean;
}

/** Why a stream cannot go on: rows that were read before have been changed or removed since. */
export async function streamProblem(
  connection: DuckDBConnection,
  stream: Stream,
): Promise<string | undefined> {
  const before = await readCheckpoint(connection, stream);
  const { rewritten } = await versionOf(connection, stream.storage);
  return before && rewritten > before.version ? rewrittenSince(stream) : undefined;
}

const rewrittenSince = ({ source, dataset }: Stream): string =>
  `Rows of ${source} were changed or removed since ${dataset} last read it as a stream, and a stream only takes what is added. A full refresh of ${dataset} starts anew.`;

/** Throws a DataProblem where rows that were read before have been changed or removed since. */
export async function sliceOf(connection: DuckDBConnection, stream: Stream): Promise<StreamSlice> {
  const { storage } = stream;
  const before = await readCheckpoint(connection, stream);
  // First the version: from its reading on, this transaction sees the catalog as it was then.
  const { version, rewritten } = await versionOf(connection, storage);
  if (before && rewritten > before.version) throw new DataProblem(rewrittenSince(stream));
  const row = Number((await scalar(connection, `SELECT max(rowid) FROM ${sqlName(storage)}`)) ?? -1);
  const from = before?.row ?? -1;
  return {
    before,
    after: { row: Math.max(row, from), version },
    relation: `(SELECT * FROM ${sqlName(storage)} WHERE rowid > ${from})`,
    isEmpty: row <= from,
  };
}

async function versionOf(
  connection: DuckDBConnection,
  { catalog, schema, table }: TableName,
): Promise<{ readonly version: number; readonly rewritten: number }> {
  const found = await connection.runAndReadAll(
    `SELECT version, rewritten FROM ${versionsTable(catalog)} WHERE "schema" = ${literal(schema)} AND "table" = ${literal(table)}`,
  );
  const [version, rewritten] = found.getRowsJson()[0] ?? [0, 0];
  return { version: Number(version), rewritten: Number(rewritten) };
}

const which = ({ pipeline, dataset, flow, source }: Stream): string =>
  `${ofDataset({ pipeline, dataset })} AND lower(flow) = ${literal(flow.toLowerCase())} AND source = ${literal(source)}`;

const ofDataset = ({ pipeline, dataset }: Pick<Stream, "pipeline" | "dataset">): string =>
  `pipeline = ${literal(pipeline)} AND dataset = ${literal(dataset)}`;

/** Which flows of a dataset have read which tables as streams: one that is not in its code any more, too. */
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

/** In the transaction that writes the rows. */
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

/** A dataset that reads from the beginning again. */
export async function deleteCheckpoints(
  connection: DuckDBConnection,
  { catalog, ...dataset }: Pick<Stream, "catalog" | "pipeline" | "dataset">,
): Promise<void> {
  await connection.run(`DELETE FROM ${streamCheckpointsTable(catalog)} WHERE ${ofDataset(dataset)}`);
}

/** Whether a flow that runs once has done so. */
export const hasRun = async (connection: DuckDBConnection, stream: Stream): Promise<boolean> =>
  (await readCheckpoint(connection, stream)) !== undefined;
