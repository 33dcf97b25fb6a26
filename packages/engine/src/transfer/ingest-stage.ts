import { formatPosition } from "../connectors/source/log-position.ts";
import type { ReadRequest, Since } from "../connectors/source/source.ts";
import { quote, sqlName } from "../warehouse/names.ts";
import { rowsChanged, sameName } from "../warehouse/relation.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { readColumns } from "../warehouse/table-columns.ts";
import { castColumn } from "./column-cast.ts";
import { type ComparisonCounts, compareRows } from "./comparison.ts";
import type { IngestRun } from "./ingest-run.ts";
import { addRejects, checkRejectShare } from "./rejects.ts";
import {
  castRows,
  createStage,
  latestByKey,
  rejectedKeys,
  rejectField,
  stagedRows,
  stageRejectedKeys,
  stageStoredRejects,
} from "./stage.ts";
import { createStagingSink } from "./staging-sink.ts";
import { nextWatermark, watermarkWarnings } from "./watermark.ts";

/** The rows of a run before any of them is written. */
export interface IngestStage {
  readonly read: number;
  readonly bytes: number;
  readonly rejected: number;
  readonly watermark: string | null;
  /** The relation that holds the rows of the run, one per key. */
  readonly rows: string;
  readonly counts: ComparisonCounts;
}

/** Reads, casts and compares the rows: everything of a run except writing. */
export async function stageRows(
  run: IngestRun,
  context: RequestContext,
  { allowsRejects = false } = {},
): Promise<IngestStage> {
  const { connection, table, columns, keys, request, watermarkColumn, checkpoint, schemaChange } = run;
  const { dataset } = request;
  const { backfill } = run;
  await createStage(connection, columns);
  const sink = await readSource(run, stagedRows, context);
  const outside = await removeOutside(run);
  context.crashPoint("read");
  await addRejects(connection, sink.rejects, keys);
  const retried = request.retryRejects
    ? await stageStoredRejects(connection, table.catalog, dataset.id, columns, keys)
    : 0;
  // Rejected rows advance the watermark too: they are stored, so they need not be read again.
  const before = checkpoint?.value ?? null;
  const watermark = backfill
    ? { value: before, endless: 0 }
    : await nextWatermark(connection, stagedRows, watermarkColumn, before);
  for (const text of await watermarkWarnings(connection, watermarkColumn, watermark, context.now()))
    run.warn(text);
  const typed = await castRows(connection, columns, keys);
  const read = sink.rows - outside + sink.rejected + retried;
  const rejected = sink.rejected + typed.rejected;
  if (!allowsRejects)
    await checkRejectShare(connection, table.catalog, dataset, { read, rejected }, run.typeChanges);
  const rows =
    dataset.strategy === "upsert"
      ? await latestByKey(connection, typed.relation, columns, keys, watermarkColumn)
      : typed.relation;
  const existing = schemaChange.create ? undefined : await existingRelation(run);
  const counts = await compareRows(connection, {
    rows,
    existing,
    columns,
    keys,
    strategy: replacesRows(run) ? "replace" : dataset.strategy,
    watermark: watermarkColumn,
    // The rows of a window may be known or not, wherever they are.
    since: backfill ? null : (sinceOf(run)?.value ?? null),
    isOfNewFiles: run.files?.isKnown ?? false,
    sourceKeys: dataset.deletes ? await sourceKeys(run, { rows, sink }, context) : undefined,
  });
  return {
    read,
    bytes: sink.bytes,
    rejected,
    watermark: positionOf(sink) ?? watermark.value,
    rows,
    counts,
  };
}

/** The position of the rows in the source's log, if the request asked for it. */
export const positionOf = ({ position }: { readonly position: bigint | undefined }): string | undefined =>
  position === undefined ? undefined : formatPosition(position);

/** Removes what is not in the window: sources filter by it roughly, or not at all. Returns how many rows. */
async function removeOutside({ connection, backfill, watermarkColumn }: IngestRun): Promise<number> {
  if (!backfill || !watermarkColumn) return 0;
  const isInside = backfill.contains(castColumn(watermarkColumn));
  return rowsChanged(connection, `DELETE FROM ${stagedRows} WHERE (${isInside}) IS NOT TRUE`);
}

/** Appended rows have no key: those of a window are replaced by what the source has now. */
export const replacesRows = ({ request: { dataset }, backfill }: IngestRun): boolean =>
  dataset.strategy === "replace" || (backfill !== undefined && dataset.strategy === "append");

/** SQL: the rows of the table that a backfill of appended rows replaces. */
export const rowsInWindow = ({ table, backfill, watermarkColumn }: IngestRun): string =>
  backfill && watermarkColumn
    ? `${sqlName(table)} WHERE ${backfill.contains(quote(watermarkColumn.name))}`
    : sqlName(table);

type ReadRows = Pick<ReturnType<typeof createStagingSink>, "rejected" | "rejects">;

/**
 * All keys of the source, those of rejected rows included: those of the run, if it has read the whole source, otherwise they are
 * read now. Undefined if the keys of some rows could not be read: then no row is known to be gone.
 */
async function sourceKeys(
  run: IngestRun,
  read: { readonly rows: string; readonly sink: ReadRows },
  context: RequestContext,
): Promise<string | undefined> {
  const { connection, keys, request } = run;
  const columns = run.columns.filter(({ name }) => keys.includes(name));
  const all = keys.map(quote).join(", ");
  let stage = stagedRows;
  let sink = read.sink;
  let accepted = "";
  if (sinceOf(run)) {
    stage = "incoming_keys";
    // A row that was deleted after it was read is deleted by the next run.
    accepted = ` UNION ALL SELECT ${all} FROM ${read.rows}`;
    await createStage(connection, columns, stage);
    context.log("info", `reading all keys of ${request.dataset.source} to find deleted rows.`);
    sink = await readRows(run, { table: stage, columns, since: undefined }, context);
  }
  const withKeys = sink.rejects.filter(({ row }) => keys.every((key) => Object.hasOwn(row, key)));
  const unread = sink.rejected - withKeys.length;
  if (unread > 0) {
    run.warn(
      `${unread} rejected ${unread === 1 ? "row" : "rows"} of ${request.dataset.source} could not be read, not even the key. Rows that are gone from the source are deleted when all of its rows can be read.`,
    );
    return undefined;
  }
  await stageRejectedKeys(connection, withKeys, keys);
  const staged = columns.map((column) => `${castColumn(column)} AS ${quote(column.name)}`);
  const rejected = columns.map(
    (column) => `TRY_CAST(${rejectField(column)} AS ${column.type}) AS ${quote(column.name)}`,
  );
  return `(SELECT ${all} FROM (SELECT ${staged.join(", ")} FROM ${stage})${accepted} UNION ALL SELECT ${all} FROM (SELECT ${rejected.join(", ")} FROM ${rejectedKeys}))`;
}

/** The table with all columns of the run. A column that is still to be added is NULL in every row. */
async function existingRelation({ connection, table, columns }: IngestRun): Promise<string> {
  const existing = (await readColumns(connection, table)) ?? [];
  const missing = columns.filter((column) => !existing.some((one) => sameName(one.name, column.name)));
  if (missing.length === 0) return sqlName(table);
  const nulls = missing.map((column) => `CAST(NULL AS ${column.type}) AS ${quote(column.name)}`);
  return `(SELECT *, ${nulls.join(", ")} FROM ${sqlName(table)})`;
}

function sinceOf({ request, watermarkColumn, checkpoint, backfill }: IngestRun): Since | undefined {
  if (backfill && watermarkColumn) {
    return { column: watermarkColumn.name, value: backfill.from, before: backfill.to };
  }
  return request.dataset.strategy === "replace" ||
    !watermarkColumn ||
    !checkpoint ||
    checkpoint.value === null
    ? undefined
    : { column: watermarkColumn.name, value: checkpoint.value };
}

/** Reads the rows from the watermark on, or all rows, into a table within the run's transaction. */
export async function readSource(run: IngestRun, table: string, context: RequestContext) {
  const { columns, request } = run;
  const since = sinceOf(run);
  context.log("info", `reading ${request.dataset.source}${since ? rangeOf(since) : ""}.`);
  return readRows(run, { table, columns, since, arrivals: run.files }, context);
}

const rangeOf = ({ value, before }: Since): string =>
  before === undefined
    ? ` from the watermark ${value}`
    : ` from ${value} up to ${before}. The watermark stays as it is`;

async function readRows(
  { connection, warehouse, source, request, shape }: IngestRun,
  { table, ...what }: Pick<ReadRequest, "columns" | "since" | "arrivals"> & { readonly table: string },
  context: RequestContext,
) {
  const sink = createStagingSink({
    warehouse,
    connection,
    table,
    columns: what.columns,
    signal: context.signal,
    onProgress: (values) => context.progress(values),
  });
  try {
    await source.read({
      dataset: request.dataset.source,
      ...what,
      into: sink,
      signal: context.signal,
      withPosition: request.withPosition,
    });
    return sink;
  } finally {
    shape.largeColumn ??= sink.largeColumn;
  }
}
