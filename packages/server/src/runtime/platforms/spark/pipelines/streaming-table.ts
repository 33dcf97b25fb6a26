import { DataProblem } from "@lakehelm/engine";
import { noNumbers, type RowNumbers } from "@lakehelm/engine/update";
import { quoteIdentifier, sqlName, type TableName } from "@lakehelm/sql/names";
import type { PipelineDataset, PipelineFlow } from "@lakehelm/sql/pipelines";
import { appliedEvents, applyEvents, eventContent } from "./auto-cdc.ts";
import { createWithRows, describeColumns, type ExistingTable } from "./dataset-table.ts";
import { isDone, marksOf, type Positions, writeMarked } from "./mark.ts";
import {
  resolvedQuery,
  type Slice,
  sliceOf,
  storageOf,
  streamedTables,
  type UpdateSources,
} from "./sources.ts";
import { checkedContent, datasetQuery, type TypedColumn } from "./table-content.ts";
import { widenColumns } from "./widened-columns.ts";

/** Each flow adds the new rows of its streams. The flow's position is in the same commit. */
export async function refreshStreamingTable(
  sources: UpdateSources,
  dataset: PipelineDataset,
  existing: ExistingTable | undefined,
  isFull: boolean,
): Promise<RowNumbers> {
  const { session, pipeline, update } = sources;
  const storage = storageOf(pipeline, dataset);
  const table = sqlName(storage);
  let columns: readonly TypedColumn[] | undefined = existing?.columns;
  let numbers = noNumbers;
  const preparation = `${dataset.name} prepared`;
  const isPrepared = isDone(await marksOf(sources, table), { update, step: preparation });
  if ((!existing || isFull) && !isPrepared) {
    const removed = existing ? await session.number(`SELECT count(*) FROM ${table}`) : 0;
    columns = await emptyColumns(sources, dataset);
    const items = columns.map(({ name, type }) => `CAST(NULL AS ${type}) AS ${quoteIdentifier(name)}`);
    const empty = `SELECT ${items.join(", ")} WHERE false`;
    numbers = { ...noNumbers, rows_removed: removed };
    const sql = createWithRows(pipeline, storage, dataset, empty, existing);
    await writeMarked(sources, table, sql, { update, step: preparation, numbers, positions: {} });
    await describeColumns(session, storage, dataset);
  } else columns = await adaptColumns(sources, dataset, storage, columns ?? []);
  for (const flow of dataset.flows) numbers = sum(numbers, await runFlow(sources, dataset, flow, columns));
  return numbers;
}

/** The columns of a new table: those of all its flows. */
async function emptyColumns(sources: UpdateSources, dataset: PipelineDataset): Promise<TypedColumn[]> {
  const columns: TypedColumn[] = [];
  for (const flow of dataset.flows) {
    const found =
      flow.kind === "auto_cdc"
        ? (await eventContent(sources, flow, new Map())).targetColumns
        : (await datasetQuery(sources.session, dataset, await resolvedQuery(sources, flow))).columns;
    for (const column of found)
      if (!columns.some(({ name }) => name.toLowerCase() === column.name.toLowerCase())) columns.push(column);
  }
  return columns;
}

/** Widens the columns of a table that keeps its rows, and adds those that are new. */
async function adaptColumns(
  sources: UpdateSources,
  dataset: PipelineDataset,
  storage: TableName,
  existing: readonly TypedColumn[],
): Promise<readonly TypedColumn[]> {
  const wanted = await emptyColumns(sources, dataset);
  const isKnown = ({ name }: TypedColumn) =>
    existing.some((one) => one.name.toLowerCase() === name.toLowerCase());
  const added = wanted.filter((column) => !isKnown(column));
  const widened = await widenColumns(sources, dataset, storage, existing, wanted);
  if (added.length === 0) return widened;
  const listed = added.map(({ name, type }) => `${quoteIdentifier(name)} ${type}`);
  await sources.session.rows(`ALTER TABLE ${sqlName(storage)} ADD COLUMNS (${listed.join(", ")})`);
  return [...widened, ...added];
}

async function runFlow(
  sources: UpdateSources,
  dataset: PipelineDataset,
  flow: PipelineFlow,
  columns: readonly TypedColumn[],
): Promise<RowNumbers> {
  const { session, pipeline, update } = sources;
  const isCdc = flow.kind === "auto_cdc";
  const positionsTable = sqlName(storageOf(pipeline, dataset, isCdc ? "events" : ""));
  const marks = await marksOf(sources, positionsTable);
  const step = `${dataset.name} ${flow.name}`;
  const done = marks.find((one) => one.update === update && one.step === step);
  // After a full refresh the table of events still has the positions from before it.
  const isEmptied = isCdc && !done && (await appliedEvents(sources, dataset)) === undefined;
  const positions = isEmptied ? {} : (marks.find((one) => one.positions)?.positions ?? {});
  const own = positions[flow.name] ?? {};
  if (!isCdc && done) return done.numbers;
  if (flow.once && own[""] !== undefined && !isCdc) return noNumbers;
  const slices = new Map<string, Slice>();
  for (const name of flow.once ? [] : streamedTables(sources, flow.streams))
    slices.set(name, await sliceOf(sources, dataset.name, name, own[name]));
  const isNew = flow.once ? own[""] === undefined : [...slices.values()].some(({ from, to }) => from !== to);
  const next: Positions = {
    ...positions,
    [flow.name]: flow.once
      ? { "": 1 }
      : { ...own, ...Object.fromEntries([...slices].map(([name, { to }]) => [name, to])) },
  };
  if (isCdc)
    return applyEvents(sources, dataset, flow, { slices, positions: next, isNew: isNew && !done, step });
  if (slices.size === 0 && !flow.once)
    throw new DataProblem(`The flow ${flow.name} reads no stream, so it would add all rows in every update.`);
  if (!isNew) return noNumbers;
  const select = await resolvedQuery(sources, flow, slices);
  const content = await checkedContent(
    session,
    dataset,
    await datasetQuery(session, dataset, select, columns),
  );
  const numbers = { ...noNumbers, ...content.numbers, rows_added: content.rows };
  const list = content.columns.map(({ name }) => quoteIdentifier(name)).join(", ");
  const sql = `INSERT INTO ${positionsTable} (${list}) ${content.query}`;
  await writeMarked(sources, positionsTable, sql, { update, step, numbers, positions: next });
  return numbers;
}

function sum(one: RowNumbers, other: RowNumbers): RowNumbers {
  return {
    rows_added: one.rows_added + other.rows_added,
    rows_updated: one.rows_updated + other.rows_updated,
    rows_removed: one.rows_removed + other.rows_removed,
    rows_dropped: one.rows_dropped + other.rows_dropped,
    expectations:
      one.expectations.length === 0
        ? other.expectations
        : one.expectations.map((expectation, at) => ({
            ...expectation,
            passed: expectation.passed + (other.expectations[at]?.passed ?? 0),
            failed: expectation.failed + (other.expectations[at]?.failed ?? 0),
          })),
  };
}
