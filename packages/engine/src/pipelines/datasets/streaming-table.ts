import type { DuckDBConnection } from "@duckdb/node-api";
import { quote, sqlName } from "../../warehouse/names.ts";
import { countRows, rowsChanged } from "../../warehouse/relation.ts";
import { applyEvents } from "../cdc/event-application.ts";
import { dropEventTables } from "../cdc/event-tables.ts";
import type { BoundDataset, BoundFlow } from "../code/bound-step.ts";
import { relationKind } from "../storage.ts";
import {
  deleteCheckpoints,
  hasRun,
  type Stream,
  type StreamCheckpoint,
  writeCheckpoint,
} from "../streams.ts";
import { combineOutcomes, type DatasetOutcome, unchanged } from "./dataset-outcome.ts";
import { adaptColumns, createTable } from "./dataset-table.ts";
import { checkExpectations, keepCondition } from "./expectations.ts";
import { type DatasetSources, type ReadStream, resolveFlow } from "./source-relations.ts";

/** Each flow reads the new rows of its streams and stores its checkpoint. */
export async function refreshStreamingTable(
  sources: DatasetSources,
  bound: BoundDataset,
  isFull: boolean,
): Promise<DatasetOutcome> {
  let outcome = await prepareTable(sources, bound, isFull);
  for (const flow of bound.flows) outcome = combineOutcomes(outcome, await runFlow(sources, bound, flow));
  return outcome;
}

/** Prepares the table. A full refresh empties it. */
async function prepareTable(
  sources: DatasetSources,
  bound: BoundDataset,
  isFull: boolean,
): Promise<DatasetOutcome> {
  const { connection, pipeline } = sources;
  const { storage, dataset } = bound;
  if (!isFull) return { ...unchanged, change: (await adaptColumns(sources, bound)) ? "added" : null };
  const exists = (await relationKind(connection, storage)) === "table";
  const removed = exists ? await countRows(connection, sqlName(storage)) : 0;
  await createTable(connection, bound);
  await deleteCheckpoints(connection, { catalog: storage.catalog, pipeline, dataset: dataset.name });
  await dropEventTables(connection, pipeline, dataset);
  return { ...unchanged, removed, change: "recreated" };
}

async function runFlow(
  sources: DatasetSources,
  bound: BoundDataset,
  flow: BoundFlow,
): Promise<DatasetOutcome> {
  const { connection, pipeline } = sources;
  const { dataset, storage } = bound;
  const { definition } = flow;
  const once: Stream = {
    catalog: storage.catalog,
    pipeline,
    dataset: dataset.name,
    flow: definition.name,
    source: "",
    storage,
  };
  if (definition.once && (await hasRun(connection, once))) return unchanged;
  const { sql, read } = await resolveFlow(sources, bound, flow);
  const isNew = read.length === 0 || read.some(({ slice }) => !slice.isEmpty);
  const outcome = !isNew
    ? unchanged
    : flow.kind === "select"
      ? await append(sources, bound, sql)
      : await applyEvents(sources, bound, flow, sql);
  for (const one of read) await storeCheckpoint(connection, one);
  if (definition.once) await writeCheckpoint(connection, once, { row: 0, version: 0 });
  return outcome;
}

async function append(
  { connection, crashPoint }: DatasetSources,
  { dataset, storage, expectations }: BoundDataset,
  sql: string,
): Promise<DatasetOutcome> {
  const insert = async (rows: string): Promise<DatasetOutcome> => {
    const added = await rowsChanged(connection, `INSERT INTO ${sqlName(storage)} BY NAME ${rows}`);
    return { ...unchanged, added, change: added > 0 ? "added" : null };
  };
  // Without expectations the rows need no staging table.
  if (expectations.length === 0) return insert(sql);
  await connection.run(`CREATE OR REPLACE TEMP TABLE staged AS ${sql}`);
  crashPoint("staged");
  const table = dataset.table.table;
  // With all columns of the table, because a condition may use a column that this flow does not provide.
  const whole = `(SELECT * FROM staged UNION ALL BY NAME SELECT * FROM ${sqlName(storage)} WHERE false)`;
  const results = await checkExpectations(connection, whole, dataset, expectations);
  const rows = `SELECT * FROM ${whole} AS ${quote(table)} WHERE ${keepCondition(expectations)}`;
  return { ...(await insert(rows)), ...results };
}

async function storeCheckpoint(connection: DuckDBConnection, { stream, slice }: ReadStream): Promise<void> {
  const { before, after } = slice;
  const isSame = (one: StreamCheckpoint | undefined) =>
    one?.row === after.row && one.version === after.version;
  if (!isSame(before)) await writeCheckpoint(connection, stream, after);
}
