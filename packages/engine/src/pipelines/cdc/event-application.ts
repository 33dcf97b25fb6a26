import { countedSentence } from "@lakehelm/contract/text";
import { DataProblem } from "../../protocol/problem.ts";
import { compact } from "../../warehouse/compaction.ts";
import { quote, sqlName } from "../../warehouse/names.ts";
import { countRows } from "../../warehouse/relation.ts";
import type { BoundCdc, BoundDataset } from "../code/bound-step.ts";
import { type DatasetOutcome, unchanged } from "../datasets/dataset-outcome.ts";
import type { DatasetSources } from "../datasets/source-relations.ts";
import { event } from "./event-columns.ts";
import { end, eventHistory, isRecomputed, start } from "./event-history.ts";
import { eventTables } from "./event-tables.ts";
import { latestEvents } from "./latest-events.ts";
import { replaceRows } from "./row-replacement.ts";

/**
 * Applies the events that an AUTO CDC flow has read, in the order of their sequence. If two events have the same key
 * and sequence, a deletion wins, otherwise the event with the greater columns, compared from left to right. So the
 * result does not depend on how the events were split into updates.
 */
export async function applyEvents(
  { connection, warehouse, pipeline, crashPoint }: DatasetSources,
  bound: BoundDataset,
  flow: BoundCdc,
  sql: string,
): Promise<DatasetOutcome> {
  await connection.run(`CREATE OR REPLACE TEMP TABLE events AS ${sql}`);
  crashPoint("staged");
  const unordered = await countRows(connection, `events WHERE ${event.sequence} IS NULL`);
  if (unordered > 0) {
    throw new DataProblem(
      `${countedSentence(unordered, `rows of ${flow.definition.source} have no value for SEQUENCE BY ${flow.definition.sequenceBy}, so changes cannot be ordered.`)}`,
    );
  }
  const tables = eventTables(pipeline, bound.dataset);
  const target = sqlName(bound.storage);
  if (flow.definition.scdType === 1) {
    await latestEvents(connection, flow, target, tables);
    await compact(connection, tables("latest"), warehouse.memoryMb);
    const { keys, columns } = flow;
    return { ...unchanged, ...(await replaceRows(connection, target, { columns, keys, identity: keys })) };
  }
  await eventHistory(connection, flow, target, tables);
  const columns = [...flow.columns, ...[start, end].map((name) => ({ ...flow.sequence, name }))];
  const identity = [...flow.keys, start];
  const rows = { columns, keys: flow.keys, identity, which: isRecomputed(`t.${quote(start)}`) };
  return { ...unchanged, ...(await replaceRows(connection, target, rows)) };
}
