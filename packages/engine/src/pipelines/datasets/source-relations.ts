import type { DuckDBConnection } from "@duckdb/node-api";
import type { PipelineFlow } from "@lakehelm/sql/pipelines";
import { quote, sqlName } from "../../warehouse/names.ts";
import type { BoundDataset, BoundFlow } from "../code/bound-step.ts";
import { mayName, substituteTables, tablesIn } from "../code/table-substitution.ts";
import { duckdbName, splitName } from "../storage.ts";
import { type Stream, type StreamSlice, sliceOf } from "../streams.ts";
import { keepCondition } from "./expectations.ts";

/** What the texts of a pipeline are resolved with: its datasets, by the names that DuckDB would know them by. */
export interface SourceContext2 {
  readonly connection: DuckDBConnection;
  readonly pipeline: string;
  readonly datasets: ReadonlyMap<string, BoundDataset>;
  /** Says how far the step is: `staged`. */
  crashPoint(step: string): void;
}

/** What a flow reads of a stream. */
export interface ReadStream {
  readonly stream: Stream;
  readonly slice: StreamSlice;
}

/** A SELECT over whole tables: private ones where they are kept, and views of the pipeline alone by their texts. */
export const resolveTables = (sources: SourceContext2, sql: string): Promise<string> =>
  resolveText(sources, sql, new Map());

/** The SELECT of a flow over what is new in its streams, and these. Streams within views that it streams are its own. */
export async function resolveFlow(
  sources: SourceContext2,
  bound: BoundDataset,
  { sql, definition }: BoundFlow,
): Promise<{ readonly sql: string; readonly read: readonly ReadStream[] }> {
  const read: ReadStream[] = [];
  const relations = new Map<string, string>();
  for (const stream of flowStreams(sources, bound, definition)) {
    const slice = await sliceOf(sources.connection, stream);
    read.push({ stream, slice });
    relations.set(duckdbName(stream.source), slice.relation);
  }
  return {
    sql: await resolveText(sources, sql, relations, new Set(definition.streams.map(duckdbName))),
    read,
  };
}

/** What a flow reads as streams, each with the place of its checkpoint. */
export const flowStreams = (
  sources: Pick<SourceContext2, "pipeline" | "datasets">,
  { dataset, storage }: BoundDataset,
  { name: flow, streams }: PipelineFlow,
): Stream[] =>
  streamedBy(sources, streams).map((source) => ({
    catalog: storage.catalog,
    pipeline: sources.pipeline,
    dataset: dataset.name,
    flow,
    source,
    storage: sources.datasets.get(duckdbName(source))?.storage ?? splitName(source),
  }));

/** The tables that are read in the end where views are streamed. */
function streamedBy(sources: Pick<SourceContext2, "datasets">, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const of = sources.datasets.get(duckdbName(name));
    if (of?.dataset.kind !== "view") return [name];
    return of.dataset.flows.flatMap(({ streams }) => streamedBy(sources, streams));
  });
}

async function resolveText(
  sources: SourceContext2,
  sql: string,
  slices: ReadonlyMap<string, string>,
  streamed: ReadonlySet<string> = new Set(),
): Promise<string> {
  const standIns = new Map<string, string>();
  const hidden = [...sources.datasets].flatMap(([name, { dataset }]) => (dataset.isPrivate ? [name] : []));
  if (!mayName(sql, [...hidden, ...streamed])) return sql;
  for (const table of new Set(await tablesIn(sources.connection, sql))) {
    const of = sources.datasets.get(table);
    const isStream = streamed.has(table);
    if (of?.dataset.kind === "view") {
      if (isStream || of.dataset.isPrivate) standIns.set(table, await viewOf(sources, of, slices, isStream));
    } else if (isStream) standIns.set(table, slices.get(table) ?? table);
    else if (of?.dataset.isPrivate) standIns.set(table, sqlName(of.storage));
  }
  return substituteTables(sources.connection, sql, standIns);
}

async function viewOf(
  sources: SourceContext2,
  { dataset, flows, expectations }: BoundDataset,
  slices: ReadonlyMap<string, string>,
  isStream: boolean,
): Promise<string> {
  const [flow] = flows;
  const streamed = new Set(isStream ? flow?.definition.streams.map(duckdbName) : []);
  const inside = await resolveText(sources, flow?.sql ?? "", slices, streamed);
  return `(SELECT * FROM (${inside}) AS ${quote(dataset.table.table)} WHERE ${keepCondition(expectations)})`;
}

/** What stands for datasets of the pipeline alone, in a statement that reads these. */
export async function privateSubstitutes(
  sources: SourceContext2,
  reads: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const standIns = new Map<string, string>();
  for (const name of reads.map(duckdbName)) {
    const of = sources.datasets.get(name);
    if (!of?.dataset.isPrivate) continue;
    const isView = of.dataset.kind === "view";
    standIns.set(name, isView ? await viewOf(sources, of, new Map(), false) : sqlName(of.storage));
  }
  return standIns;
}
