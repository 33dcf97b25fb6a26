import type { TransferRequest, TransferResult } from "../protocol/transfer.ts";
import { fullName, parseTableName, quote, sqlName } from "../warehouse/names.ts";
import { countRows, rowsChanged, sameContent } from "../warehouse/relation.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { streamId, writeCheckpoint } from "./checkpoints.ts";
import { type ComparisonCounts, changedRows, deletedKeys } from "./comparison.ts";
import { checkDeleteShare } from "./delete-share.ts";
import { readSource } from "./ingest-reading.ts";
import { type IngestRun, withIngestRun } from "./ingest-run.ts";
import { type IngestStage, positionOf, replacesRows, rowsInWindow, stageRows } from "./ingest-stage.ts";
import { keepValues } from "./kept-values.ts";
import { dropLeftOut } from "./left-out-columns.ts";
import { recordedChanges } from "./recorded-changes.ts";
import { addRejects, checkRejectShare, storeRejects } from "./rejects.ts";
import { warnOfRespelledKeys } from "./respelled-keys.ts";
import { removeRows } from "./row-removal.ts";
import { applySchemaChange, changesRows, isAltering } from "./schema-change.ts";
import { describedWatermark, nextWatermark, watermarkWarnings } from "./watermark.ts";
import { recordWrittenTable } from "./written-table.ts";

/** Reads a dataset into the warehouse. Rows, checkpoint and rejects are written in one transaction. */
export async function ingest(request: TransferRequest, context: RequestContext): Promise<TransferResult> {
  const { scope, dataset } = request;
  const table = parseTableName(dataset.target, scope);
  const warehouse = await context.warehouse(scope.environment);
  return withIngestRun(
    request,
    context,
    () => warehouse.createSchema(table),
    async (run) => {
      const { connection, checkpoint, schemaChange, settings } = run;
      const time = context.now();
      await dropLeftOut(connection, table, run.droppedColumns);
      await applySchemaChange(connection, table, run.columns, schemaChange, run.request);
      const { read, bytes, rejected, superseded, watermark, written } = await (isFirstLoad(run)
        ? loadDirectly(run, context)
        : loadStaged(run, context));
      context.crashPoint("written");
      const before = checkpoint?.value ?? null;
      const isNewCheckpoint = watermark !== before || checkpoint === undefined;
      if (isNewCheckpoint) {
        await writeCheckpoint(connection, table.catalog, streamId(dataset), {
          value: watermark,
          time,
          run: request.run,
        });
      }
      const total = written.insert + written.update + written.delete;
      const isAltered = isAltering(schemaChange) || run.droppedColumns.length > 0;
      if (total > 0 || isAltered) {
        const isRewritten = changesRows(schemaChange) || written.update + written.delete > 0;
        const change =
          schemaChange.create || settings.rebuilds ? "recreated" : isRewritten ? "rewritten" : "added";
        await warehouse.recordChange(connection, table, time, change);
      }
      await settings.record(connection);
      await recordWrittenTable(connection, table, run.request, run.rowsBefore);
      await run.files?.record(connection);
      context.crashPoint("checkpointed");
      return {
        read,
        inserted: written.insert,
        updated: written.update,
        deleted: written.delete,
        rejected,
        superseded,
        bytes,
        watermark_before: before,
        watermark_after: watermark,
        watermark_time: isNewCheckpoint ? time : (checkpoint?.time ?? null),
        watermark_column: describedWatermark(run.watermarkColumn),
        changed: total > 0 || isAltered ? [fullName(table)] : [],
        warnings: run.warnings,
        schema_changes: recordedChanges(run),
      };
    },
  );
}

/** The rows of a first load go straight into the table if they need neither casts nor deduplication. */
const isFirstLoad = ({ schemaChange, columns, keys, hasUniqueKeys, request, backfill }: IngestRun): boolean =>
  schemaChange.create &&
  !request.retryRejects &&
  !backfill &&
  columns.every(({ wire }) => wire === undefined) &&
  (keys.length === 0 || hasUniqueKeys || request.dataset.strategy !== "upsert");

interface LoadedRows {
  readonly read: number;
  readonly bytes: number;
  readonly rejected: number;
  readonly superseded: number;
  /** The greatest watermark of the rows. */
  readonly watermark: string | null;
  readonly written: Pick<ComparisonCounts, "insert" | "update" | "delete">;
}

async function loadDirectly(run: IngestRun, context: RequestContext): Promise<LoadedRows> {
  const { connection, table, keys, request, watermarkColumn, checkpoint } = run;
  const sink = await readSource(run, sqlName(table), context);
  context.crashPoint("read");
  await addRejects(connection, sink.rejects, keys);
  const { rejected } = sink;
  const name = sqlName(table);
  const watermark = await nextWatermark(connection, name, watermarkColumn, checkpoint?.value ?? null);
  for (const text of await watermarkWarnings(connection, watermarkColumn, watermark, context.now()))
    run.warn(text);
  const read = sink.rows + rejected;
  await checkRejectShare(connection, table.catalog, request.dataset, { read, rejected });
  await storeRejects(connection, table.catalog, rejectSource(request, context), undefined);
  context.crashPoint("staged");
  return {
    read,
    bytes: sink.bytes,
    rejected,
    superseded: 0,
    watermark: positionOf(sink) ?? watermark.value,
    written: { insert: sink.rows, update: 0, delete: 0 },
  };
}

async function loadStaged(run: IngestRun, context: RequestContext): Promise<LoadedRows> {
  const { connection, table, request, keys } = run;
  const stage = await stageRows(run, context);
  const isReplaced = replacesRows(run);
  if (!run.schemaChange.create && (request.dataset.deletes || isReplaced)) {
    const existing = await countRows(connection, isReplaced ? replacedRows(run) : sqlName(table));
    const deleted = isReplaced ? existing - (await countRows(connection, stage.rows)) : stage.counts.delete;
    checkDeleteShare(request, { existing, deleted });
  }
  context.crashPoint("staged");
  if (stage.counts.insert > 0) await warnOfRespelledKeys(run);
  const written = await writeRows(run, stage);
  await storeRejects(connection, table.catalog, rejectSource(request, context), {
    relation: stage.rows,
    keys,
    retried: request.retryRejects ? run.columns : undefined,
  });
  await sayWhatStays(run, stage, context);
  const { read, bytes, rejected, superseded, watermark } = stage;
  return { read, bytes, rejected, superseded, watermark, written };
}

/** If the key has changed, rows with the same new key count as one row. */
const replacedRows = (run: IngestRun): string =>
  run.settings.rebuilds
    ? `(SELECT DISTINCT ${run.keys.map(quote).join(", ")} FROM ${sqlName(run.table)})`
    : rowsInWindow(run);

/**
 * A run that has read all rows knows how many rows of the table the source does not have, including the old row of a
 * changed key.
 */
async function sayWhatStays(run: IngestRun, { rejected, counts }: IngestStage, { log }: RequestContext) {
  const { dataset, retryRejects } = run.request;
  const isWhole = dataset.strategy === "upsert" && run.watermarkColumn === undefined && !run.backfill;
  // A rejected row is in the source, too.
  if (!isWhole || dataset.deletes || retryRejects || rejected > 0) return;
  const inSource = counts.insert + counts.update + counts.unchanged;
  const left = (await countRows(run.connection, sqlName(run.table))) - inSource;
  if (left <= 0) return;
  log(
    "info",
    `${dataset.source} no longer has the keys of ${left} of the rows in ${dataset.target}: rows were deleted, or their keys were changed. They stay. Set "deletes" to remove them.`,
  );
}

async function writeRows(run: IngestRun, { rows, counts }: IngestStage): Promise<LoadedRows["written"]> {
  const { connection, table, columns, keys, request } = run;
  const { strategy } = request.dataset;
  if (replacesRows(run)) {
    const replaced = rowsInWindow(run);
    const isSame = await sameContent(connection, rows, replaced, columns);
    if (isSame) return { insert: 0, update: 0, delete: 0 };
    const insertRows = await keepValues(run, rows);
    const removed = await rowsChanged(connection, `DELETE FROM ${replaced}`);
    return { insert: await insertRows(), update: 0, delete: removed };
  }
  const insertRows = await keepValues(run, changedRows);
  // For 1 % of 2 million rows with text columns, DELETE and INSERT take 0.08 s, MERGE 1.1 to 1.9 s (docs/decisions/0018).
  const relations = [
    ...(strategy === "upsert" && counts.update > 0 ? [changedRows] : []),
    ...(counts.delete > 0 ? [deletedKeys] : []),
  ];
  const count = counts.update + counts.delete;
  await removeRows(connection, table, { relations, keys, count }, run.warehouse.memoryMb);
  await insertRows();
  return counts;
}

const rejectSource = ({ dataset, run }: TransferRequest, context: RequestContext) => ({
  id: dataset.id,
  run,
  time: context.now(),
});
