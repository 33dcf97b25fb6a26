import type { DuckDBConnection } from "@duckdb/node-api";
import type { PipelineFlow } from "@lakehelm/sql/pipelines";
import type { LogLevel } from "../../protocol/engine.ts";
import { quote, sqlName } from "../../warehouse/names.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import type { BoundDataset, BoundFlow } from "../code/bound-step.ts";
import { mayName, substituteTables, tablesIn } from "../code/table-substitution.ts";
import { duckdbName, splitName } from "../storage.ts";
import { type Stream, type StreamSlice, sliceOf } from "../streams.ts";
import { keepCondition } from "./expectations.ts";

/** What resolves the texts of a pipeline: its datasets, by DuckDB name. */
export interface DatasetSources {
  readonly warehouse: Warehouse;
  readonly connection: DuckDBConnection;
  readonly pipeline: string;
  readonly datasets: ReadonlyMap<string, BoundDataset>;
  /** Adds a line to the update's log. */
  log(level: LogLevel, text: string): void;
  /** A named step, such as `staged`, at which a test can kill the process. */
  crashPoint(step: string): void;
}

export interface ReadStream {
  readonly stream: Stream;
  readonly slice: StreamSlice;
}

/** A SELECT over whole tables. Private tables are replaced by their storage, and private views by their query. */
export const resolveTables = (sources: DatasetSources, sql: string): Promise<string> =>
  resolveText(sources, sql, new Map());

/** The SELECT of a flow over the new rows of its streams. A streamed view contributes the streams that it reads. */
export async function resolveFlow(
  sources: DatasetSources,
  bound: BoundDataset,
  { sql, definition }: BoundFlow,
): Promise<{ readonly sql: string; readonly read: readonly ReadStream[] }> {
  const read: ReadStream[] = [];
  const relations = new Map<string, string>();
  for (const stream of flowStreams(sources, bound, definition)) {
    const slice = await sliceOf(sources.warehouse, sources.connection, stream);
    read.push({ stream, slice });
    relations.set(duckdbName(stream.source), slice.relation);
  }
  return {
    sql: await resolveText(sources, sql, relations, new Set(definition.streams.map(duckdbName))),
    read,
  };
}

/** The streams of a flow, with the location of their checkpoints. */
export const flowStreams = (
  sources: Pick<DatasetSources, "pipeline" | "datasets">,
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

/** The tables that are read through streamed views. */
function streamedBy(sources: Pick<DatasetSources, "datasets">, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const bound = sources.datasets.get(duckdbName(name));
    if (bound?.dataset.kind !== "view") return [name];
    return bound.dataset.flows.flatMap(({ streams }) => streamedBy(sources, streams));
  });
}

async function resolveText(
  sources: DatasetSources,
  sql: string,
  slices: ReadonlyMap<string, string>,
  streamed: ReadonlySet<string> = new Set(),
): Promise<string> {
  const substitutes = new Map<string, string>();
  const hidden = [...sources.datasets].flatMap(([name, { dataset }]) => (dataset.isPrivate ? [name] : []));
  if (!mayName(sql, [...hidden, ...streamed])) return sql;
  for (const table of new Set(await tablesIn(sources.connection, sql))) {
    const bound = sources.datasets.get(table);
    const isStream = streamed.has(table);
    if (bound?.dataset.kind === "view") {
      if (isStream || bound.dataset.isPrivate)
        substitutes.set(table, await viewOf(sources, bound, slices, isStream));
    } else if (isStream) substitutes.set(table, slices.get(table) ?? table);
    else if (bound?.dataset.isPrivate) substitutes.set(table, sqlName(bound.storage));
  }
  return substituteTables(sources.connection, sql, substitutes);
}

async function viewOf(
  sources: DatasetSources,
  { dataset, flows, expectations }: BoundDataset,
  slices: ReadonlyMap<string, string>,
  isStream: boolean,
): Promise<string> {
  const [flow] = flows;
  const streamed = new Set(isStream ? flow?.definition.streams.map(duckdbName) : []);
  const select = await resolveText(sources, flow?.sql ?? "", slices, streamed);
  return `(SELECT * FROM (${select}) AS ${quote(dataset.table.table)} WHERE ${keepCondition(expectations)})`;
}

/** Replacements for the private datasets that a statement reads. */
export async function privateSubstitutes(
  sources: DatasetSources,
  reads: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const substitutes = new Map<string, string>();
  for (const name of reads.map(duckdbName)) {
    const bound = sources.datasets.get(name);
    if (!bound?.dataset.isPrivate) continue;
    const isView = bound.dataset.kind === "view";
    substitutes.set(name, isView ? await viewOf(sources, bound, new Map(), false) : sqlName(bound.storage));
  }
  return substitutes;
}
