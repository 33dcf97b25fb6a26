import { counted } from "@lakehelm/contract/text";
import type { ChangeSet, Checkpoint } from "../connectors/target/target.ts";
import { nothingMoved, type TransferRequest, type TransferResult } from "../protocol/transfer.ts";
import { countRows } from "../warehouse/relation.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { inTransaction } from "../warehouse/transaction.ts";
import { createChangeSet } from "./change-set.ts";
import { connectionRedaction } from "./connection-redaction.ts";
import { selectDeliveryRows } from "./delivery-rows.ts";
import { type DeliveryRun, wholeTable, withDeliveryRun } from "./delivery-run.ts";
import {
  addRejects,
  checkRejectShare,
  createPendingRejects,
  deleteAcceptedRejects,
  storeRejects,
} from "./rejects.ts";
import { beginSend, recordSentRows, rowKey } from "./sent-rows.ts";
import { describedWatermark, nextWatermark } from "./watermark.ts";

/**
 * Writes rows of the warehouse to a target. A warehouse transaction that changes nothing keeps the rows stable. The
 * target writes the rows and the checkpoint in its own transaction; what it commits is final, even if this process
 * crashes.
 */
export async function deliver(
  request: TransferRequest,
  context: RequestContext,
  source = wholeTable,
): Promise<TransferResult> {
  return withDeliveryRun(request, context, source, async (run) => {
    const { connection, warehouse, target, checkpoint, watermarkColumn, columns, keys } = run;
    const time = context.now();
    const selected = await selectDeliveryRows(run, context);
    const rows = await countRows(connection, selected.relation);
    const before = checkpoint?.value ?? null;
    const { value: after } = run.backfill
      ? { value: before }
      : await nextWatermark(connection, selected.candidates, watermarkColumn, before);
    context.crashPoint("read");
    context.log("info", `${counted(rows, "row")} to write${rangeOf(run)}.`);
    const deleteRejects = () =>
      deleteAcceptedRejects(connection, run.table.catalog, request, time, {
        relation: selected.relation,
        keys,
        retried: request.retryRejects ? columns : undefined,
      });
    if (checkpoint && rows === 0 && !selected.deletedKeys && after === before) {
      await run.settings.record(connection);
      if (request.retryRejects) await deleteRejects();
      return { ...noChange(checkpoint, run), superseded: selected.superseded };
    }

    // The share of rejects counts the rows that were considered, not only those that differ from the target: two bad
    // rows of 180 are few, even if the target already has all the others.
    const considered =
      selected.candidates === selected.relation ? rows : await countRows(connection, selected.candidates);
    const rejects = rejectStore(run, context, Math.max(rows, considered));
    const changes = createChangeSet({
      warehouse,
      connection,
      run: request.run,
      columns,
      keys,
      relation: selected.relation,
      deletedKeys: selected.deletedKeys,
      rows,
      whole: selected.whole,
      reject: rejects.add,
      ...(target.isWriteOnly && { sendId: await beginSend(run, `${request.run} ${time}`), rowKey }),
    });
    try {
      const next: Checkpoint = { value: after, time, run: request.run };
      run.checkpoints.useTransaction(connection, () => recordSentRows(run, after));
      const written = await target.write(changes, next, (name) => context.crashPoint(name), context.signal);
      // A new snapshot: rejects were stored on another connection.
      await warehouse.commit(connection);
      await connection.run("BEGIN");
      await run.settings.record(connection);
      await deleteRejects();
      return {
        read: rows,
        inserted: written.inserted,
        updated: written.updated,
        deleted: written.deleted,
        rejected: rejects.count,
        superseded: selected.superseded,
        bytes: written.bytes,
        watermark_before: before,
        watermark_after: after,
        watermark_time: time,
        watermark_column: describedWatermark(watermarkColumn),
        changed: [],
        warnings: run.warnings,
      };
    } finally {
      await changes.clear();
    }
  });
}

function rangeOf({ backfill, checkpoint, overlap }: DeliveryRun): string {
  if (backfill) return ` from ${backfill.from} up to ${backfill.to}. The watermark stays as it is`;
  if (!checkpoint?.value) return "";
  return ` from the watermark ${checkpoint.value}${overlap ? " less watermark_lag" : ""}`;
}

const noChange = (
  { value, time }: Checkpoint,
  { warnings, watermarkColumn }: Pick<DeliveryRun, "warnings" | "watermarkColumn">,
): TransferResult => ({
  ...nothingMoved,
  watermark_before: value,
  watermark_after: value,
  watermark_time: time,
  watermark_column: describedWatermark(watermarkColumn),
  warnings,
});

/** Stores rejects on a separate connection before the target commits, so that none is lost. */
function rejectStore(
  { request, warehouse, table, keys }: DeliveryRun,
  context: RequestContext,
  rows: number,
) {
  // Callers can query the stored rejects, and the other system chooses the text of a reason.
  const redaction = connectionRedaction(request.connection);
  const store = {
    count: 0,
    add: (async (rejects) => {
      if (rejects.length === 0) return;
      store.count += rejects.length;
      await inTransaction(warehouse, context.signal, async (connection) => {
        await createPendingRejects(connection);
        const hidden = rejects.map(({ reason, cause, row }) => ({
          reason: redaction.text(reason),
          cause: cause && redaction.text(cause),
          row,
        }));
        await addRejects(connection, hidden, keys);
        const counts = { read: rows, rejected: store.count };
        await checkRejectShare(connection, table.catalog, request.dataset, counts);
        const source = { id: request.dataset.id, run: request.run, time: context.now() };
        await storeRejects(connection, table.catalog, source, undefined);
      });
    }) satisfies ChangeSet["reject"] as ChangeSet["reject"],
  };
  return store;
}
