import { DataProblem } from "../../protocol/problem.ts";
import { quote, sqlName } from "../../warehouse/names.ts";
import { countRows } from "../../warehouse/relation.ts";
import type { BoundCdc, BoundDataset } from "../code/bound-step.ts";
import { type DatasetOutcome, unchanged } from "../datasets/dataset-outcome.ts";
import type { SourceContext2 } from "../datasets/source-relations.ts";
import { event } from "./event-columns.ts";
import { end, eventHistory, isMadeAnew, start } from "./event-history.ts";
import { eventTables } from "./event-tables.ts";
import { latestEvents } from "./latest-events.ts";
import { replaceRows } from "./row-replacement.ts";

/**
 * Applies what an AUTO CDC flow has read. The order of events is that of their sequence, in whatever order they come. Of two
 * events of a key with the same sequence a deletion counts, else the one whose columns are greater, from left to right: so
 * the end is the same however the events were cut into updates.
 */
export async function applyEvents(
  { connection, pipeline, crashPoint }: SourceContext2,
  bound: BoundDataset,
  flow: BoundCdc,
  sql: string,
): Promise<DatasetOutcome> {
  await connection.run(`CREATE OR REPLACE TEMP TABLE events AS ${sql}`);
  crashPoint("staged");
  const unordered = await countRows(connection, `events WHERE ${event.sequence} IS NULL`);
  if (unordered > 0) {
    throw new DataProblem(
      `${unordered} rows of ${flow.definition.source} have no value for SEQUENCE BY ${flow.definition.sequenceBy}, so nobody knows when they count.`,
    );
  }
  const place = eventTables(pipeline, bound.dataset);
  const target = sqlName(bound.storage);
  if (flow.definition.scdType === 1) {
    await latestEvents(connection, flow, target, place);
    const { keys, columns } = flow;
    return { ...unchanged, ...(await replaceRows(connection, target, { columns, keys, identity: keys })) };
  }
  await eventHistory(connection, flow, target, place);
  const columns = [...flow.columns, ...[start, end].map((name) => ({ ...flow.sequence, name }))];
  const identity = [...flow.keys, start];
  const rows = { columns, keys: flow.keys, identity, which: isMadeAnew(`t.${quote(start)}`) };
  return { ...unchanged, ...(await replaceRows(connection, target, rows)) };
}
