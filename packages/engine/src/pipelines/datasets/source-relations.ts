import type { DuckDBConnection } from "@duckdb/node-api";
import type { PipelineFlow } from "@lakehelm/sql/pipelines";
import { quote, sqlName } from "../../warehouse/names.ts";
import type { BoundDataset, BoundFlow } from "../code/bound-step.ts";
import { names, tablesIn, withStandIns } from "../code/table-substitution.ts";
import { duckName, named } from "../storage.ts";
import { type Slice, type Stream, sliceOf } from "../streams.ts";
import { mayStay } from "./expectations.ts";

/** What the texts of a pipeline are resolved with: its datasets, by the names that DuckDB would know them by. */
export interface Sources {
  readonly connection: DuckDBConnection;
  readonly pipeline: string;
  readonly datasets: ReadonlyMap<string, BoundDataset>;
  /** Says how far the step is: `staged`. */
  crashPoint(step: string): void;
}

/** What a flow reads of a stream. */
export interface ReadStream {
  readonly stream: Stream;
  readonly slice: Slice;
}

/** A SELECT over whole tables: private ones where they are kept, and views of the pipeline alone by their texts. */
export const resolved = (sources: Sources, sql: string): Promise<string> => standing(sources, sql, new Map());

/** The SELECT of a flow over what is new in its streams, and these. Streams within views that it streams are its own. */
export async function resolvedFlow(
  sources: Sources,
  bound: BoundDataset,
  { sql, definition }: BoundFlow,
): Promise<{ readonly sql: string; readonly read: readonly ReadStream[] }> {
  const read: ReadStream[] = [];
  const relations = new Map<string, string>();
  for (const stream of streamsIn(sources, bound, definition)) {
    const slice = await sliceOf(sources.connection, stream);
    read.push({ stream, slice });
    relations.set(duckName(stream.source), slice.relation);
  }
  return { sql: await standing(sources, sql, relations, new Set(definition.streams.map(duckName))), read };
}

/** What a flow reads as streams, each with the place of its checkpoint. */
export const streamsIn = (
  sources: Pick<Sources, "pipeline" | "datasets">,
  { dataset, storage }: BoundDataset,
  { name: flow, streams }: PipelineFlow,
): Stream[] =>
  streamedBy(sources, streams).map((source) => ({
    catalog: storage.catalog,
    pipeline: sources.pipeline,
    dataset: dataset.name,
    flow,
    source,
    storage: sources.datasets.get(duckName(source))?.storage ?? named(source),
  }));

/** The tables that are read in the end where views are streamed. */
function streamedBy(sources: Pick<Sources, "datasets">, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const of = sources.datasets.get(duckName(name));
    if (of?.dataset.kind !== "view") return [name];
    return of.dataset.flows.flatMap(({ streams }) => streamedBy(sources, streams));
  });
}

async function standing(
  sources: Sources,
  sql: string,
  slices: ReadonlyMap<string, string>,
  streamed: ReadonlySet<string> = new Set(),
): Promise<string> {
  const standIns = new Map<string, string>();
  const hidden = [...sources.datasets].flatMap(([name, { dataset }]) => (dataset.isPrivate ? [name] : []));
  if (!names(sql, [...hidden, ...streamed])) return sql;
  for (const table of new Set(await tablesIn(sources.connection, sql))) {
    const of = sources.datasets.get(table);
    const isStream = streamed.has(table);
    if (of?.dataset.kind === "view") {
      if (isStream || of.dataset.isPrivate) standIns.set(table, await viewOf(sources, of, slices, isStream));
    } else if (isStream) standIns.set(table, slices.get(table) ?? table);
    else if (of?.dataset.isPrivate) standIns.set(table, sqlName(of.storage));
  }
  return withStandIns(sources.connection, sql, standIns);
}

async function viewOf(
  sources: Sources,
  { dataset, flows, expectations }: BoundDataset,
  slices: ReadonlyMap<string, string>,
  isStream: boolean,
): Promise<string> {
  const [flow] = flows;
  const streamed = new Set(isStream ? flow?.definition.streams.map(duckName) : []);
  const inside = await standing(sources, flow?.sql ?? "", slices, streamed);
  return `(SELECT * FROM (${inside}) AS ${quote(dataset.table.table)} WHERE ${mayStay(expectations)})`;
}

/** What stands for datasets of the pipeline alone, in a statement that reads these. */
export async function privateStandIns(
  sources: Sources,
  reads: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const standIns = new Map<string, string>();
  for (const name of reads.map(duckName)) {
    const of = sources.datasets.get(name);
    if (!of?.dataset.isPrivate) continue;
    const isView = of.dataset.kind === "view";
    standIns.set(name, isView ? await viewOf(sources, of, new Map(), false) : sqlName(of.storage));
  }
  return standIns;
}
