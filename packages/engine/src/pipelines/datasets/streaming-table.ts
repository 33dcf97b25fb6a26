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
import { addNewColumns, createTable } from "./dataset-table.ts";
import { checkExpectations, keepCondition } from "./expectations.ts";
import { type ReadStream, resolveFlow, type SourceContext2 } from "./source-relations.ts";

/** Each flow takes what is new in its streams, and remembers how far it has come. */
export async function refreshStreamingTable(
  sources: SourceContext2,
  bound: BoundDataset,
  isFull: boolean,
): Promise<DatasetOutcome> {
  let outcome = await makeRoom(sources, bound, isFull);
  for (const flow of bound.flows) outcome = combineOutcomes(outcome, await runFlow(sources, bound, flow));
  return outcome;
}

/** The table, empty where everything is read from the beginning. */
async function makeRoom(
  sources: SourceContext2,
  bound: BoundDataset,
  isFull: boolean,
): Promise<DatasetOutcome> {
  const { connection, pipeline } = sources;
  const { storage, dataset } = bound;
  if (!isFull) return { ...unchanged, change: (await addNewColumns(connection, bound)) ? "added" : null };
  const isThere = (await relationKind(connection, storage)) === "table";
  const removed = isThere ? await countRows(connection, sqlName(storage)) : 0;
  await createTable(connection, bound);
  await deleteCheckpoints(connection, { catalog: storage.catalog, pipeline, dataset: dataset.name });
  await dropEventTables(connection, pipeline, dataset);
  return { ...unchanged, removed, change: "rewritten" };
}

async function runFlow(
  sources: SourceContext2,
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
  for (const one of read) await remember(connection, one);
  if (definition.once) await writeCheckpoint(connection, once, { row: 0, version: 0 });
  return outcome;
}

async function append(
  { connection, crashPoint }: SourceContext2,
  { dataset, storage, columns, expectations }: BoundDataset,
  sql: string,
): Promise<DatasetOutcome> {
  const insert = async (rows: string): Promise<DatasetOutcome> => {
    const added = await rowsChanged(connection, `INSERT INTO ${sqlName(storage)} BY NAME ${rows}`);
    return { ...unchanged, added, change: added > 0 ? "added" : null };
  };
  // Rows that nobody looks at need no place in between.
  if (expectations.length === 0) return insert(sql);
  await connection.run(`CREATE OR REPLACE TEMP TABLE staged AS ${sql}`);
  crashPoint("staged");
  const table = dataset.table.table;
  // With every column of the table: a condition may be about one that this flow does not give.
  const whole = `(SELECT * FROM staged UNION ALL BY NAME SELECT * FROM ${sqlName(storage)} WHERE false)`;
  const judged = await checkExpectations(
    connection,
    whole,
    { name: dataset.name, table, columns },
    expectations,
  );
  const rows = `SELECT * FROM ${whole} AS ${quote(table)} WHERE ${keepCondition(expectations)}`;
  return { ...(await insert(rows)), ...judged };
}

async function remember(connection: DuckDBConnection, { stream, slice }: ReadStream): Promise<void> {
  const { before, after } = slice;
  const isSame = (one: StreamCheckpoint | undefined) =>
    one?.row === after.row && one.version === after.version;
  if (!isSame(before)) await writeCheckpoint(connection, stream, after);
}
