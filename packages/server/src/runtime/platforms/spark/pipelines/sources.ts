import { pipelineRefreshAdvice } from "@lakehelm/contract/changes";
import { DataProblem, requireUnreservedColumns } from "@lakehelm/engine";
import { quoteIdentifier, sqlName, type TableName } from "@lakehelm/sql/names";
import type { PipelineDataset } from "@lakehelm/sql/pipelines";
import { derivedId } from "../work/derived-id.ts";
import type { Commit } from "../work/history.ts";
import type { WorkSession } from "../work/work-session.ts";
import { tableNameOf } from "./plan.ts";
import { type Replacement, replaceTables, requireQuery, type SelectFlow } from "./query-text.ts";
import type { UpdateHistory } from "./update-history.ts";

/** The tables and views of an update, by their names. */
export interface UpdateSources {
  readonly session: WorkSession;
  readonly history: UpdateHistory;
  readonly pipeline: string;
  readonly update: string;
  readonly datasets: ReadonlyMap<string, PipelineDataset>;
  /** Adds a line to the update's log. */
  log(text: string): void;
}

/**
 * The table with the rows of a dataset. A private dataset is stored under another name, which readers of the catalog do
 * not mistake for theirs.
 */
export function storageOf(pipeline: string, { table, isPrivate }: PipelineDataset, kind = ""): TableName {
  if (!isPrivate && kind === "") return table;
  const owner = derivedId(pipeline).slice(0, 8);
  return { ...table, table: `lakehelm_${kind === "" ? "private" : kind}_${owner}_${table.table}` };
}

const storedName = ({ pipeline, datasets }: UpdateSources, name: string): string => {
  const dataset = datasets.get(name);
  return sqlName(dataset ? storageOf(pipeline, dataset) : tableNameOf(name));
};

/** A table at its current version, so that all statements of a step read the same rows. */
async function pinned(sources: UpdateSources, name: string): Promise<string> {
  const stored = storedName(sources, name);
  const [last] = await sources.history.of(stored, 1);
  return last ? `${stored} VERSION AS OF ${last.version}` : stored;
}

/** The rows of a table that were added after a version, and the version up to which. */
export interface Slice {
  readonly name: string;
  readonly from: number | undefined;
  readonly to: number;
}

/** The text of a query with fixed versions of all tables, views replaced by their queries, and streams by their new rows. */
export async function resolvedQuery(
  sources: UpdateSources,
  flow: SelectFlow,
  slices: ReadonlyMap<string, Slice> = new Map(),
  depth = 0,
): Promise<string> {
  if (depth > 50) throw new DataProblem("Views are nested too deeply.");
  return replaceTables(flow, async (name): Promise<Replacement> => {
    const dataset = sources.datasets.get(name);
    if (dataset?.kind === "view") {
      return { query: await resolvedQuery(sources, requireQuery(dataset.flows[0]), slices, depth + 1) };
    }
    const slice = flow.streams.includes(name) ? slices.get(name) : undefined;
    if (slice) return { query: await sliceQuery(sources, slice) };
    return { table: await pinned(sources, name), isRenamed: dataset?.isPrivate === true };
  });
}

/** The tables that a flow reads as streams: behind views, those that the views read. */
export function streamedTables(
  { datasets }: Pick<UpdateSources, "datasets">,
  streams: readonly string[],
): string[] {
  return streams.flatMap((name) => {
    const dataset = datasets.get(name);
    if (dataset?.kind !== "view") return [name];
    const inner = dataset.flows.flatMap((flow) => flow.streams);
    if (inner.length === 0)
      throw new DataProblem(`${name} cannot be read as a stream: it is a view without STREAM.`);
    return streamedTables({ datasets }, inner);
  });
}

/** The new rows of a stream: those of files that were added. Throws if rows that were already read have been changed. */
export async function sliceOf(
  sources: UpdateSources,
  dataset: string,
  name: string,
  from: number | undefined,
): Promise<Slice> {
  const stored = storedName(sources, name);
  const [last] = await sources.history.of(stored, 1);
  if (!last) throw new DataProblem(`${name} cannot be read as a stream: it is no Delta table.`);
  if (from === undefined || last.version === from) return { name, from, to: last.version };
  const isReplaced = last.version < from;
  const commits = isReplaced ? [] : await sources.history.of(stored, last.version - from);
  if (isReplaced || commits.length < last.version - from || commits.some(rewrites)) {
    throw new DataProblem(
      `Rows of ${name} were changed or removed since ${dataset} last read it as a stream, but a stream can only add rows. ${pipelineRefreshAdvice(sources.pipeline, dataset)}`,
    );
  }
  return { name, from, to: last.version };
}

const removedFiles = ({ metrics }: Commit): number =>
  Number(metrics.numRemovedFiles ?? metrics.numTargetFilesRemoved ?? 0) +
  Number(metrics.numDeletedRows ?? metrics.numTargetRowsDeleted ?? 0) +
  Number(metrics.numUpdatedRows ?? metrics.numTargetRowsUpdated ?? 0);

const isOptimize = ({ operation }: Commit): boolean => operation === "OPTIMIZE";

const rewrites = (commit: Commit): boolean =>
  !isOptimize(commit) &&
  (removedFiles(commit) > 0 || commit.isOverwrite || /REPLACE|RESTORE|TRUNCATE/.test(commit.operation));

async function sliceQuery(sources: UpdateSources, { name, from, to }: Slice): Promise<string> {
  const stored = storedName(sources, name);
  requireUnreservedColumns((await sources.session.tableColumns(stored)) ?? [], name);
  return sliceQueryOf(sources, stored, from, to);
}

/**
 * The rows of files that were added between two versions. OPTIMIZE writes files anew without new rows: before and after it files
 * are compared separately.
 */
export async function sliceQueryOf(
  { session, history }: UpdateSources,
  stored: string,
  from: number | undefined,
  to: number,
): Promise<string> {
  const columns = (await session.tableColumns(stored)) ?? [];
  const list = columns.map((column) => quoteIdentifier(column.name)).join(", ");
  if (from === undefined) return `SELECT ${list} FROM ${stored} VERSION AS OF ${to}`;
  if (from >= to) return `SELECT ${list} FROM ${stored} VERSION AS OF ${to} WHERE false`;
  const optimized = (await history.of(stored, to - from))
    .filter((commit) => isOptimize(commit) && commit.version > from && commit.version <= to)
    .map(({ version }) => version)
    .toSorted((one, other) => one - other);
  const parts: string[] = [];
  const hasMetadata = columns.some(({ name }) => /^_+metadata$/i.test(name));
  const fileAt = async (version: number) =>
    hasMetadata
      ? fileColumn(await session.columns(`SELECT * FROM ${stored} VERSION AS OF ${version}`))
      : fileColumn([]);
  let start = from;
  for (const end of [...optimized, to + 1]) {
    if (end - 1 > start) {
      parts.push(
        `SELECT ${list} FROM (SELECT *, ${await fileAt(end - 1)} AS __lakehelm_file FROM ${stored} VERSION AS OF ${end - 1}) AS new_rows
LEFT ANTI JOIN (SELECT DISTINCT ${await fileAt(start)} AS __lakehelm_file FROM ${stored} VERSION AS OF ${start}) AS old_files
ON new_rows.__lakehelm_file = old_files.__lakehelm_file`,
      );
    }
    start = end;
  }
  return parts.length === 0
    ? `SELECT ${list} FROM ${stored} VERSION AS OF ${to} WHERE false`
    : parts.join("\nUNION ALL\n");
}

/** SQL: the file of a row. Spark puts underscores before its hidden column until a table has no column of that name. */
function fileColumn(columns: readonly { readonly name: string }[]): string {
  let hidden = "_metadata";
  while (columns.some(({ name }) => name.toLowerCase() === hidden)) hidden = `_${hidden}`;
  return `${hidden}.file_path`;
}
