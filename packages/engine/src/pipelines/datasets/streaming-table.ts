import type { DuckDBConnection } from "@duckdb/node-api";
import { quote, sqlName } from "../../warehouse/names.ts";
import { changed, count } from "../../warehouse/relation.ts";
import { applyEvents, forgetEvents } from "../cdc/event-application.ts";
import type { BoundDataset, BoundFlow } from "../code/bound-step.ts";
import { kindOf } from "../storage.ts";
import { type Checkpoint, forgetCheckpoints, hasRun, type Stream, writeCheckpoint } from "../streams.ts";
import { type Outcome, together, untouched } from "./dataset-outcome.ts";
import { makeTable, widenTable } from "./dataset-table.ts";
import { judge, mayStay } from "./expectations.ts";
import { type ReadStream, resolvedFlow, type Sources } from "./source-relations.ts";

/** Each flow takes what is new in its streams, and remembers how far it has come. */
export async function refreshStreamingTable(
  sources: Sources,
  bound: BoundDataset,
  isFull: boolean,
): Promise<Outcome> {
  let outcome = await makeRoom(sources, bound, isFull);
  for (const flow of bound.flows) outcome = together(outcome, await runFlow(sources, bound, flow));
  return outcome;
}

/** The table, empty where everything is read from the beginning. */
async function makeRoom(sources: Sources, bound: BoundDataset, isFull: boolean): Promise<Outcome> {
  const { connection, pipeline } = sources;
  const { storage, dataset } = bound;
  if (!isFull) return { ...untouched, change: (await widenTable(connection, bound)) ? "added" : null };
  const isThere = (await kindOf(connection, storage)) === "table";
  const removed = isThere ? await count(connection, sqlName(storage)) : 0;
  await makeTable(connection, bound);
  await forgetCheckpoints(connection, { catalog: storage.catalog, pipeline, dataset: dataset.name });
  await forgetEvents(connection, pipeline, dataset);
  return { ...untouched, removed, change: "rewritten" };
}

async function runFlow(sources: Sources, bound: BoundDataset, flow: BoundFlow): Promise<Outcome> {
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
  if (definition.once && (await hasRun(connection, once))) return untouched;
  const { sql, read } = await resolvedFlow(sources, bound, flow);
  const isNew = read.length === 0 || read.some(({ slice }) => !slice.isEmpty);
  const outcome = !isNew
    ? untouched
    : flow.kind === "select"
      ? await append(sources, bound, sql)
      : await applyEvents(sources, bound, flow, sql);
  for (const one of read) await remember(connection, one);
  if (definition.once) await writeCheckpoint(connection, once, { row: 0, version: 0 });
  return outcome;
}

async function append(
  { connection, crashPoint }: Sources,
  { dataset, storage, columns, expectations }: BoundDataset,
  sql: string,
): Promise<Outcome> {
  const insert = async (rows: string): Promise<Outcome> => {
    const added = await changed(connection, `INSERT INTO ${sqlName(storage)} BY NAME ${rows}`);
    return { ...untouched, added, change: added > 0 ? "added" : null };
  };
  // Rows that nobody looks at need no place in between.
  if (expectations.length === 0) return insert(sql);
  await connection.run(`CREATE OR REPLACE TEMP TABLE staged AS ${sql}`);
  crashPoint("staged");
  const table = dataset.table.table;
  // With every column of the table: a condition may be about one that this flow does not give.
  const whole = `(SELECT * FROM staged UNION ALL BY NAME SELECT * FROM ${sqlName(storage)} WHERE false)`;
  const judged = await judge(connection, whole, { name: dataset.name, table, columns }, expectations);
  const rows = `SELECT * FROM ${whole} AS ${quote(table)} WHERE ${mayStay(expectations)}`;
  return { ...(await insert(rows)), ...judged };
}

async function remember(connection: DuckDBConnection, { stream, slice }: ReadStream): Promise<void> {
  const { before, after } = slice;
  const isSame = (one: Checkpoint | undefined) => one?.row === after.row && one.version === after.version;
  if (!isSame(before)) await writeCheckpoint(connection, stream, after);
}
