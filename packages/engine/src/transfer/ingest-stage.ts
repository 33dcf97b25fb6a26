import { quote, sqlName } from "../warehouse/names.ts";
import { same } from "../warehouse/relation.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { type Compared, compare, nextMark } from "./comparison.ts";
import type { Arrival } from "./ingest-run.ts";
import { refuseTooMany, rejectRows } from "./rejects.ts";
import { columnsOf } from "./schema-change.ts";
import { makeRaw, offerRejects, oneForEachKey, raw, typeRows } from "./stage.ts";
import { createIntake } from "./staging-sink.ts";

/** The rows of a run, before any of them is written. */
export interface Staged {
  readonly read: number;
  readonly bytes: number;
  readonly rejected: number;
  readonly mark: string | null;
  /** The rows of the run, one for each key. */
  readonly rows: string;
  readonly compared: Compared;
}

/** Reads, types and compares: everything of a run but writing. */
export async function stage(arrival: Arrival, handling: RequestContext): Promise<Staged> {
  const { connection, name, columns, keys, movement, watermark, mark, shape } = arrival;
  const { dataset } = movement;
  await makeRaw(connection, columns);
  const intake = await readInto(arrival, raw, handling);
  handling.crashPoint("read");
  await rejectRows(connection, intake.rejects, keys);
  const again = movement.retryRejects
    ? await offerRejects(connection, name.catalog, dataset.id, columns, keys)
    : 0;
  // Also past rows that are rejected: they are kept, and need not be read again.
  const after = await nextMark(connection, raw, watermark, mark?.value ?? null);
  const typed = await typeRows(connection, columns, keys);
  const read = intake.rows + intake.rejected + again;
  const rejected = intake.rejected + typed.rejected;
  await refuseTooMany(connection, name.catalog, dataset, { read, rejected });
  const rows =
    dataset.strategy === "upsert"
      ? await oneForEachKey(connection, typed.relation, columns, keys, watermark?.name)
      : typed.relation;
  const present = shape.create ? undefined : await presentOf(arrival);
  const compared = await compare(connection, {
    rows,
    present,
    columns,
    keys,
    strategy: dataset.strategy,
    watermark: watermark?.name,
    since: sinceOf(arrival)?.value ?? null,
    deletes: dataset.deletes,
  });
  return { read, bytes: intake.bytes, rejected, mark: after, rows, compared };
}

/** The table as far as these columns go; a column that is still to be added is NULL in all its rows. */
async function presentOf({ connection, name, columns }: Arrival): Promise<string> {
  const there = (await columnsOf(connection, name)) ?? [];
  const missing = columns.filter((column) => !there.some((one) => same(one.name, column.name)));
  if (missing.length === 0) return sqlName(name);
  const nulls = missing.map((column) => `CAST(NULL AS ${column.type}) AS ${quote(column.name)}`);
  return `(SELECT *, ${nulls.join(", ")} FROM ${sqlName(name)})`;
}

const sinceOf = ({ movement, watermark, mark }: Arrival) =>
  movement.dataset.strategy === "replace" || !watermark || !mark || mark.value === null
    ? undefined
    : { column: watermark.name, value: mark.value };

/** The rows from the mark on, or all, into a table of the run's transaction. */
export async function readInto(arrival: Arrival, table: string, handling: RequestContext) {
  const { connection, warehouse, source, columns, movement } = arrival;
  const since = sinceOf(arrival);
  handling.log("info", `reads ${movement.dataset.source}${since ? ` from ${since.value} on` : ""}.`);
  const intake = createIntake({
    warehouse,
    connection,
    table,
    columns,
    signal: handling.signal,
    onProgress: (values) => handling.progress(values),
  });
  await source.read({
    dataset: movement.dataset.source,
    columns,
    since,
    into: intake,
    signal: handling.signal,
  });
  return intake;
}
