import type { ReadRequest, Since } from "../connectors/source/source.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import type { IngestRun } from "./ingest-run.ts";
import { createStagingSink } from "./staging-sink.ts";

/** The part of the source that the run reads; undefined: all of it. */
export function sinceOf({ request, watermarkColumn, checkpoint, backfill }: IngestRun): Since | undefined {
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

/** Reads the rows from the watermark on, or all rows. */
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

/** Reads rows into a table within the run's transaction. */
export async function readRows(
  { connection, warehouse, source, request, shape }: IngestRun,
  {
    table,
    ...what
  }: Pick<ReadRequest, "columns" | "since" | "arrivals" | "keys"> & { readonly table: string },
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
