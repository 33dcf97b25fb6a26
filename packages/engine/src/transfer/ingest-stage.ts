import { formatPosition } from "../connectors/source/log-position.ts";
import type { WarehouseColumn } from "../protocol/column.ts";
import { quote, sqlName } from "../warehouse/names.ts";
import { rowsChanged, sameName } from "../warehouse/relation.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { readColumns } from "../warehouse/table-columns.ts";
import { castColumn } from "./column-cast.ts";
import { type ComparisonCounts, compareRows } from "./comparison.ts";
import { keepsOrder, reachedOf, readSource } from "./ingest-reading.ts";
import type { IngestRun } from "./ingest-run.ts";
import { stageMovedRows } from "./moved-rows.ts";
import { addRejects, checkRejectShare } from "./rejects.ts";
import { inNewType } from "./schema-change.ts";
import { readSourceKeys } from "./source-keys.ts";
import {
  alwaysTheSame,
  castRows,
  createStage,
  latestByKey,
  stagedRows,
  stageStoredRejects,
  supersededSentence,
} from "./stage.ts";
import { nextWatermark, watermarkWarnings } from "./watermark.ts";

/** The rows of a run before any of them is written. */
export interface IngestStage {
  readonly read: number;
  readonly bytes: number;
  readonly rejected: number;
  /** Rows that another row of the run with the same key has superseded. */
  readonly superseded: number;
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
  const { connection, columns, keys, request, watermarkColumn } = run;
  const existing = run.schemaChange.create ? undefined : await existingRelation(run);
  const { sourceKeys, ...stage } = await readStage(run, context, { existing, allowsRejects });
  const counts = await compareRows(connection, {
    rows: stage.rows,
    existing,
    columns,
    added: run.schemaChange.add,
    keys,
    strategy: replacesRows(run) ? "replace" : request.dataset.strategy,
    watermark: watermarkColumn,
    // The rows of a window, and retried rejects that are appended, may be in the table with any watermark.
    since: appendsRejects(run) ? null : reachedOf(run),
    overlap: run.overlap,
    isOfNewFiles: run.files?.isKnown ?? false,
    isOfFiles: run.files !== undefined,
    sourceKeys,
  });
  return { ...stage, counts };
}

/** Rows of files that no run has read are new, even if stored rejects are retried. */
const appendsRejects = ({ request, files }: IngestRun): boolean =>
  request.retryRejects && request.dataset.strategy === "append" && !files?.isKnown;

/** The rows of a run before they are compared with those of the target. */
export interface ReadStage extends Omit<IngestStage, "counts"> {
  /** The relation with all keys of the source: rows of the target with other keys are deleted. Undefined: none are. */
  readonly sourceKeys: string | undefined;
}

/** Reads and casts the rows. */
export async function readStage(
  run: IngestRun,
  context: RequestContext,
  {
    existing,
    allowsRejects,
    keepsJson = false,
  }: {
    /** The rows of the target; undefined if there are none, or if they are elsewhere. */
    readonly existing: string | undefined;
    readonly allowsRejects: boolean;
    /** JSON that the target has as text is left as it is: the caller casts it when it copies the rows. */
    readonly keepsJson?: boolean;
  },
): Promise<ReadStage> {
  const { connection, table, columns, keys, request, watermarkColumn, checkpoint } = run;
  const { dataset } = request;
  const { backfill } = run;
  const order = { keepsOrder: keepsOrder(run) };
  await createStage(connection, columns, order);
  const sink = await readSource(run, stagedRows, context);
  const outside = await removeOutside(run);
  context.crashPoint("read");
  await addRejects(connection, sink.rejects, keys);
  const retried = request.retryRejects
    ? await stageStoredRejects(connection, table.catalog, dataset.id, columns, keys, order)
    : 0;
  // Rejected rows advance the watermark too: they are stored, so they need not be read again.
  const before = checkpoint?.value ?? null;
  const watermark = backfill
    ? { value: before, endless: 0 }
    : await nextWatermark(connection, stagedRows, watermarkColumn, before);
  for (const text of await watermarkWarnings(connection, watermarkColumn, watermark, context.now()))
    run.warn(text);
  const allKeys = dataset.deletes ? await readSourceKeys(run, sink, context) : undefined;
  // Read after the next watermark is known: these rows are read later, so one of them may be beyond rows that no run
  // has read.
  const moved =
    existing !== undefined && allKeys && !backfill && !run.settings.rebuilds
      ? await stageMovedRows(run, existing, allKeys, context)
      : { rows: 0, bytes: 0, rejected: 0 };
  const staged = keepsJson ? columns.map(withoutJsonCast) : columns;
  const typed = await castRows(connection, staged, keys, order);
  const read = sink.rows - outside + sink.rejected + retried + moved.rows + moved.rejected;
  const rejected = sink.rejected + moved.rejected + typed.rejected;
  if (!allowsRejects)
    await checkRejectShare(connection, table.catalog, dataset, { read, rejected }, run.typeChanges);
  // The source guarantees unique keys, and no other rows were added, as in a first load of the embedded platform.
  const isUnique = run.schemaChange.create && run.hasUniqueKeys && retried + moved.rows === 0;
  const { relation: rows, superseded } =
    dataset.strategy === "upsert" && !isUnique
      ? await latestByKey(connection, typed.relation, columns, keys, watermarkColumn, {
          memoryMb: run.warehouse.memoryMb,
          ...order,
        })
      : { relation: typed.relation, superseded: 0 };
  if (superseded > 0) {
    const isOrdered = run.source.hasRowOrder?.(dataset.source) !== false;
    const lastOne = isOrdered ? run.source.rowOrder : alwaysTheSame;
    const sentence = supersededSentence(dataset.source, run, superseded, lastOne);
    // Later files and pages repeat rows, which is no reason to warn. But a table whose key is not unique is a mistake.
    if (isOrdered) context.log("info", sentence);
    else run.warn(sentence);
  }
  return {
    read,
    bytes: sink.bytes + moved.bytes,
    rejected,
    superseded,
    watermark: positionOf(sink) ?? watermark.value,
    rows,
    sourceKeys: allKeys?.isComplete ? allKeys.relation(rows) : undefined,
  };
}

export function withoutJsonCast(column: WarehouseColumn): WarehouseColumn {
  const { wire, ...rest } = column;
  return wire === "JSON" && column.type === "VARCHAR" ? { ...rest, type: wire } : column;
}

/** The position of the rows in the source's log, if the request asked for it. */
export const positionOf = ({ position }: { readonly position: bigint | undefined }): string | undefined =>
  position === undefined ? undefined : formatPosition(position);

/**
 * Removes rows outside of the window: sources filter by the window roughly, or not at all. Returns the number of rows.
 */
async function removeOutside({ connection, backfill, watermarkColumn }: IngestRun): Promise<number> {
  if (!backfill || !watermarkColumn) return 0;
  const isInside = backfill.contains(castColumn(watermarkColumn));
  return rowsChanged(connection, `DELETE FROM ${stagedRows} WHERE (${isInside}) IS NOT TRUE`);
}

/** Whether all rows are replaced. Appended rows have no key: those of a window are replaced by what the source has now. */
export const replacesRows = ({
  request: { dataset },
  backfill,
  schemaChange,
  settings,
}: IngestRun): boolean =>
  dataset.strategy === "replace" ||
  settings.rebuilds ||
  (backfill !== undefined && dataset.strategy === "append") ||
  // A column has lost values that do not fit its new type.
  schemaChange.retype.some(({ isWider }) => !isWider);

/** SQL: the rows of the table that a backfill of appended rows replaces. */
export const rowsInWindow = ({ table, backfill, watermarkColumn }: IngestRun): string =>
  backfill && watermarkColumn
    ? `${sqlName(table)} WHERE ${backfill.contains(quote(watermarkColumn.name))}`
    : sqlName(table);

/**
 * The table as it will be after the run's schema change, also for a preview. A column that is still to be added is NULL
 * in every row.
 */
async function existingRelation({ connection, table, columns, schemaChange }: IngestRun): Promise<string> {
  const existing = (await readColumns(connection, table)) ?? [];
  const missing = columns.filter((column) => !existing.some((one) => sameName(one.name, column.name)));
  const retyped = schemaChange.retype.filter(({ name, from }) =>
    existing.some((one) => one.name === name && one.type === from),
  );
  if (missing.length + retyped.length === 0) return sqlName(table);
  const values = retyped.map((column) => `${inNewType(column)} AS ${quote(column.name)}`);
  const replaced = values.length === 0 ? "*" : `* REPLACE (${values.join(", ")})`;
  const nulls = missing.map((column) => `CAST(NULL AS ${column.type}) AS ${quote(column.name)}`);
  return `(SELECT ${[replaced, ...nulls].join(", ")} FROM ${sqlName(table)})`;
}
