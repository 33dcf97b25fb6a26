import { countedSentence } from "@lakehelm/contract/text";
import { DataProblem } from "@lakehelm/engine";
import { noNumbers, type RowNumbers } from "@lakehelm/engine/update";
import { quoteIdentifier, sqlName } from "@lakehelm/sql/names";
import type { AutoCdcFlow, PipelineDataset } from "@lakehelm/sql/pipelines";
import { countsOf } from "../work/history.ts";
import { requireSafe } from "../work/script-statement.ts";
import { createWithRows } from "./dataset-table.ts";
import { type EventContent, endAt, finalRows, internal, sameValues, startAt } from "./event-rows.ts";
import { marksOf, type Positions, writeMarked } from "./mark.ts";
import { resolvedQuery, type Slice, sliceQueryOf, storageOf, type UpdateSources } from "./sources.ts";
import type { TypedColumn } from "./table-content.ts";
import { widenColumns } from "./widened-columns.ts";

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

export async function eventContent(
  sources: UpdateSources,
  flow: AutoCdcFlow,
  slices: ReadonlyMap<string, Slice>,
): Promise<EventContent> {
  const { source, sequenceBy, deleteWhen, truncateWhen, scdType } = flow;
  for (const text of [sequenceBy, deleteWhen, truncateWhen]) if (text !== null) requireSafe(text);
  const condition = (text: string | null) => (text === null ? "false" : `coalesce((${text}\n), false)`);
  const [catalog = "", schema = ""] = source.split(".");
  const rows = await resolvedQuery(
    sources,
    {
      kind: "select",
      name: flow.name,
      select: `SELECT * FROM ${source.split(".").map(quoteIdentifier).join(".")}`,
      segments: [],
      reads: [source],
      streams: flow.streams,
      once: flow.once,
      defaults: { catalog, schema },
      location: flow.location,
    },
    slices,
  );
  const all = `SELECT *, (${sequenceBy}\n) AS ${internal.sequence}, ${condition(deleteWhen)} AS ${internal.deleted}, ${condition(truncateWhen)} AS ${internal.truncated} FROM (\n${rows}\n)`;
  const found = await sources.session.columns(all);
  const chosen = (choice: AutoCdcFlow["columns"]) => (column: TypedColumn) =>
    choice.only
      ? choice.only.some((name) => isSame(name, column.name))
      : !choice.except.some((name) => isSame(name, column.name));
  const isInternal = ({ name }: TypedColumn) => Object.values<string>(internal).includes(name);
  const columns = found.filter((column) => !isInternal(column) && chosen(flow.columns)(column));
  const keys = flow.keys.map((key) => columns.find(({ name }) => isSame(name, key))?.name);
  if (keys.includes(undefined))
    throw new DataProblem(`The keys ${flow.keys.join(", ")} must be among the columns of the target.`);
  const known = keys.filter((key) => key !== undefined);
  const sequenceType = found.find(({ name }) => name === internal.sequence)?.type ?? "STRING";
  const list = [...columns.map(({ name }) => name), ...Object.values(internal)].map(quoteIdentifier);
  return {
    query: `SELECT ${list.join(", ")} FROM (\n${all}\n)`,
    columns,
    keys: known,
    tracked: columns.filter(
      (column) => !known.includes(column.name) && (!flow.trackHistory || chosen(flow.trackHistory)(column)),
    ),
    sequenceType,
    targetColumns:
      scdType === 1
        ? columns
        : [...columns, { name: startAt, type: sequenceType }, { name: endAt, type: sequenceType }],
  };
}

interface EventStep {
  readonly slices: ReadonlyMap<string, Slice>;
  readonly positions: Positions;
  /** There are events that are not in the table of events yet. */
  readonly isNew: boolean;
  readonly step: string;
}

/**
 * Adds the new events to a table of their own, with the position in the same commit. Then the rows of their keys are
 * computed from all events of these keys, so events can arrive in any order, and repeating the step changes nothing.
 */
export async function applyEvents(
  sources: UpdateSources,
  dataset: PipelineDataset,
  flow: AutoCdcFlow,
  { slices, positions, isNew, step }: EventStep,
): Promise<RowNumbers> {
  const { session, history, pipeline, update } = sources;
  const content = await eventContent(sources, flow, slices);
  const storage = storageOf(pipeline, dataset, "events");
  const events = sqlName(storage);
  const target = sqlName(storageOf(pipeline, dataset));
  const applied = await appliedEvents(sources, dataset);
  if (isNew) {
    await requireOrder(session, flow, content);
    const existing = applied === undefined ? undefined : await session.tableColumns(events);
    const sql = existing
      ? await appendEvents(sources, dataset, existing, content)
      : createWithRows(
          pipeline,
          storage,
          { ...dataset, clusterBy: [], properties: {}, comment: `Events of ${dataset.name}` },
          content.query,
          undefined,
        );
    await writeMarked(sources, events, sql, { update, step, numbers: noNumbers, positions });
  }
  const [last] = await history.of(events, 1);
  if (!last || last.version === applied) return noNumbers;
  const fresh =
    applied === undefined
      ? `SELECT * FROM ${events} VERSION AS OF ${last.version}`
      : await sliceQueryOf(sources, events, applied, last.version);
  const rows = finalRows(flow, content, `${events} VERSION AS OF ${last.version}`, fresh);
  const sql = replaceRows(target, content, flow, rows);
  const mark = { update, step: `${step} applied ${last.version}`, numbers: noNumbers, events: last.version };
  await writeMarked(sources, target, sql, mark);
  const [commit] = (await history.of(target, 20)).filter(({ mark: text }) =>
    text?.includes(JSON.stringify(mark.step)),
  );
  const counts = commit && countsOf(commit);
  return {
    ...noNumbers,
    rows_added: counts?.inserted ?? 0,
    rows_updated: counts?.updated ?? 0,
    rows_removed: counts?.deleted ?? 0,
  };
}

/** The version of the table of events whose rows are in the target; undefined: none. */
export async function appliedEvents(
  sources: UpdateSources,
  dataset: PipelineDataset,
): Promise<number | undefined> {
  const marks = await marksOf(sources, sqlName(storageOf(sources.pipeline, dataset)));
  return marks.find((one) => one.positions !== undefined || one.events !== undefined)?.events;
}

async function requireOrder(
  session: UpdateSources["session"],
  { source, sequenceBy }: AutoCdcFlow,
  { query }: EventContent,
): Promise<void> {
  const found = await session.number(`SELECT count_if(${internal.sequence} IS NULL) FROM (\n${query}\n)`);
  if (found > 0)
    throw new DataProblem(
      `${countedSentence(found, `rows of ${source} have no value for SEQUENCE BY ${sequenceBy}, so changes cannot be ordered`)}.`,
    );
}

async function appendEvents(
  sources: UpdateSources,
  dataset: PipelineDataset,
  existing: readonly TypedColumn[],
  { columns, sequenceType, query }: EventContent,
): Promise<string> {
  const { session, pipeline } = sources;
  const storage = storageOf(pipeline, dataset, "events");
  const events = sqlName(storage);
  const sequence = { name: internal.sequence, type: sequenceType };
  await widenColumns(sources, dataset, storage, existing, [...columns, sequence]);
  const added = columns.filter(({ name }) => !existing.some((one) => isSame(one.name, name)));
  if (added.length > 0) {
    const listed = added.map(({ name, type }) => `${quoteIdentifier(name)} ${type}`);
    await session.rows(`ALTER TABLE ${events} ADD COLUMNS (${listed.join(", ")})`);
  }
  const list = [...columns.map(({ name }) => name), ...Object.values(internal)].map(quoteIdentifier);
  return `INSERT INTO ${events} (${list.join(", ")}) ${query}`;
}

/** One MERGE: rows that are the same stay untouched, and rows of these keys that no longer exist are deleted. */
function replaceRows(
  target: string,
  { keys, targetColumns }: EventContent,
  { scdType }: AutoCdcFlow,
  { rows, touched }: { readonly rows: string; readonly touched: string },
): string {
  const identity = scdType === 1 ? keys : [...keys, startAt];
  const list = targetColumns.map(({ name }) => quoteIdentifier(name)).join(", ");
  const values = targetColumns.filter(({ name }) => !identity.includes(name));
  const gone = `SELECT ${targetColumns.map(({ name }) => `t.${quoteIdentifier(name)}`).join(", ")}, true AS __lakehelm_gone
FROM ${target} AS t LEFT SEMI JOIN touched AS k ON ${sameValues(keys, "k", "t")}
LEFT ANTI JOIN rows_now AS n ON ${sameValues(identity, "n", "t")}`;
  const updates = values.map(({ name }) => `t.${quoteIdentifier(name)} = s.${quoteIdentifier(name)}`);
  const differs = values
    .filter(({ type }) => !/MAP<|VARIANT/.test(type))
    .map(({ name }) => `NOT (t.${quoteIdentifier(name)} <=> s.${quoteIdentifier(name)})`);
  const isDifferent = differs.length < values.length ? "true" : differs.join(" OR ");
  return [
    `MERGE INTO ${target} AS t USING (`,
    `WITH touched AS (\n${touched}\n), rows_now AS (\n${rows}\n)`,
    `SELECT ${list}, false AS __lakehelm_gone FROM rows_now UNION ALL\n${gone}`,
    `) AS s ON ${sameValues(identity, "t", "s")}`,
    "WHEN MATCHED AND s.__lakehelm_gone THEN DELETE",
    ...(values.length > 0 ? [`WHEN MATCHED AND (${isDifferent}) THEN UPDATE SET ${updates.join(", ")}`] : []),
    `WHEN NOT MATCHED AND NOT s.__lakehelm_gone THEN INSERT (${list}) VALUES (${targetColumns.map(({ name }) => `s.${quoteIdentifier(name)}`).join(", ")})`,
  ].join("\n");
}
