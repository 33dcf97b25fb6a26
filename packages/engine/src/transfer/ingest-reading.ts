import type { ReadRequest, Since } from "../connectors/source/source.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import type { IngestRun } from "./ingest-run.ts";
import type { SinkTable, StoreRows } from "./sink-table.ts";
import { createStagingSink } from "./staging-sink.ts";
import { warnOfUnmatchedWatermark } from "./unmatched-watermark.ts";

/** The watermark that the rows of the run are compared with; null: nothing is known of any row. */
export const reachedOf = ({ request, watermarkColumn, checkpoint, backfill }: IngestRun): string | null =>
  request.dataset.strategy === "replace" || backfill || !watermarkColumn ? null : (checkpoint?.value ?? null);

/** Whether two rows of the run may have the same key, so that their order matters: the last row wins. */
export const keepsOrder = ({ request, keys, schemaChange, hasUniqueKeys, source }: IngestRun): boolean =>
  request.dataset.strategy === "upsert" &&
  source.hasRowOrder?.(request.dataset.source) !== false &&
  keys.length > 0 &&
  !(schemaChange.create && hasUniqueKeys && !request.retryRejects);

/** The part of the source that the run reads; undefined: all of it. */
export function sinceOf(run: IngestRun): Since | undefined {
  const { watermarkColumn, backfill, overlap } = run;
  if (!watermarkColumn) return undefined;
  const column = watermarkColumn.name;
  if (backfill) return { column, value: backfill.from, before: backfill.to };
  const reached = reachedOf(run);
  const from = reached !== null && overlap && !overlap.isCollated ? overlap.from : reached;
  return from === null ? undefined : { column, value: from };
}

/** Reads the rows from the watermark on, or all rows. */
export async function readSource(
  run: IngestRun,
  table: string,
  context: RequestContext,
  store?: StoreRows | undefined,
) {
  const { columns, request } = run;
  const since = sinceOf(run);
  context.log("info", `reading ${request.dataset.source}${since ? rangeOf(since, reachedOf(run)) : ""}.`);
  const sink = await readRows(
    run,
    { table, columns, since, arrivals: run.files, store, keepsOrder: keepsOrder(run) },
    context,
  );
  await warnOfUnmatchedWatermark(run, since, sink.rows + sink.rejected);
  return sink;
}

function rangeOf({ value, before }: Since, reached: string | null): string {
  if (before !== undefined) return ` from ${value} up to ${before}. The watermark stays as it is`;
  return value === reached
    ? ` from the watermark ${value}`
    : ` from ${value}, which is the watermark ${reached} less watermark_lag`;
}

/** Reads rows into a table within the run's transaction. */
export async function readRows(
  { connection, warehouse, source, request, shape }: IngestRun,
  {
    table,
    store,
    keepsOrder,
    ...what
  }: Pick<ReadRequest, "columns" | "since" | "arrivals" | "keys"> &
    Pick<SinkTable, "table" | "store" | "keepsOrder">,
  context: RequestContext,
) {
  const sink = createStagingSink({
    warehouse,
    connection,
    ...{ table, store, keepsOrder },
    columns: what.columns,
    signal: context.signal,
    onProgress: (values) => context.progress(values),
  });
  try {
    await source.read({
      dataset: request.dataset.source,
      ...what,
      columns: what.columns.map((column) => column.kept?.source ?? column),
      into: sink,
      signal: context.signal,
      withPosition: request.withPosition,
    });
    return sink;
  } finally {
    shape.largeColumn ??= sink.largeColumn;
  }
}
