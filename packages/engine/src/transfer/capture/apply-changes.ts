import { connectorRefreshCommand } from "@lakehelm/contract/changes";
import { counted, verbFor } from "@lakehelm/contract/text";
import type { TransferResult } from "../../protocol/transfer.ts";
import { rejectsTable } from "../../warehouse/internal-tables.ts";
import { fullName, literal, quote, sqlName } from "../../warehouse/names.ts";
import {
  columnList,
  countRows,
  keyText,
  rowsChanged,
  sameKey,
  sameRow,
  scalar,
} from "../../warehouse/relation.ts";
import type { RequestContext } from "../../warehouse/request-context.ts";
import { deleteNumberedRows, rowNumber, withRowNumbers } from "../../warehouse/row-numbers.ts";
import { streamId, writeCheckpoint } from "../checkpoints.ts";
import type { IngestRun } from "../ingest-run.ts";
import { keepValues } from "../kept-values.ts";
import { dropLeftOut } from "../left-out-columns.ts";
import { recordedChanges } from "../recorded-changes.ts";
import { checkRejectShare, storeRejects } from "../rejects.ts";
import { applySchemaChange, changesRows, isAltering } from "../schema-change.ts";
import { castRows, stageStoredRejects } from "../stage.ts";
import { recordWrittenTable } from "../written-table.ts";
import { deletedByLog, foldChanges } from "./change-fold.ts";

/** Applies the staged changes of a dataset. Rows, position and rejects are written in one transaction. */
export async function applyChanges(
  run: IngestRun,
  { index, position, bytes }: { readonly index: number; readonly position: string; readonly bytes: number },
  context: RequestContext,
): Promise<TransferResult> {
  const { connection, warehouse, request, table, columns, keys, schemaChange, settings, checkpoint } = run;
  const { dataset } = request;
  const time = context.now();
  await dropLeftOut(connection, table, run.droppedColumns);
  await applySchemaChange(connection, table, columns, schemaChange, request);
  const folded = await foldChanges(run, index);
  await forgetDeletedRejects(run, folded.isTruncated);
  const retried = request.retryRejects
    ? await stageStoredRejects(connection, table.catalog, dataset.id, columns, keys)
    : 0;
  const typed = await castRows(connection, columns, keys);
  const read = folded.read + retried;
  const rejected = folded.rejected + typed.rejected;
  await checkRejectShare(connection, table.catalog, dataset, { read, rejected }, run.typeChanges);
  context.crashPoint("staged");
  const written = await (keys.length > 0 ? writeByKey : writeByRow)(run, typed.relation, folded.isTruncated);
  await storeRejects(
    connection,
    table.catalog,
    { id: dataset.id, run: request.run, time },
    { relation: typed.relation, keys },
  );
  context.crashPoint("written");
  await writeCheckpoint(connection, table.catalog, streamId(dataset), {
    value: position,
    time,
    run: request.run,
  });
  const total = written.inserted + written.updated + written.deleted;
  const isAltered = isAltering(schemaChange) || run.droppedColumns.length > 0;
  if (total > 0 || isAltered) {
    const isRewritten = changesRows(schemaChange) || written.updated + written.deleted > 0;
    await warehouse.recordChange(connection, table, time, isRewritten ? "rewritten" : "added");
  }
  await settings.record(connection);
  await recordWrittenTable(connection, table, request, run.rowsBefore);
  context.crashPoint("checkpointed");
  return {
    read,
    ...written,
    rejected,
    bytes,
    watermark_before: checkpoint?.value ?? null,
    watermark_after: position,
    watermark_time: time,
    watermark_column: null,
    changed: total > 0 || isAltered ? [fullName(table)] : [],
    warnings: run.warnings,
    schema_changes: recordedChanges(run),
  };
}

type WrittenRows = Pick<TransferResult, "inserted" | "updated" | "deleted">;

/** A row that was deleted in the source is no longer a reject. */
export async function forgetDeletedRejects(
  { connection, table, keys, request }: IngestRun,
  isTruncated: boolean,
): Promise<void> {
  const ofDataset = `DELETE FROM ${rejectsTable(table.catalog)} WHERE stream = ${literal(request.dataset.id)}`;
  if (isTruncated) await connection.run(ofDataset);
  else if (keys.length > 0)
    await connection.run(`${ofDataset} AND key IN (SELECT ${keyText(keys)} FROM ${deletedByLog})`);
}

async function writeByKey(run: IngestRun, rows: string, isTruncated: boolean): Promise<WrittenRows> {
  const { connection, table, keys } = run;
  const name = sqlName(table);
  const removed = isTruncated ? await rowsChanged(connection, `DELETE FROM ${name}`) : 0;
  const insertRows = await keepValues(run, rows);
  const deleted = await rowsChanged(
    connection,
    `DELETE FROM ${name} t USING ${deletedByLog} d WHERE ${sameKey(keys, "t", "d")}`,
  );
  const updated = await rowsChanged(
    connection,
    `DELETE FROM ${name} t USING ${rows} c WHERE ${sameKey(keys, "t", "c")}`,
  );
  return { inserted: (await insertRows()) - updated, updated, deleted: removed + deleted };
}

/** Deletes as many of several equal rows as the source has deleted. */
async function deleteByRow({ connection, columns }: IngestRun, name: string): Promise<number> {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE removed_numbers AS SELECT id FROM (
       SELECT t.${rowNumber} AS id, d._lakehelm_count AS wanted, row_number() OVER (PARTITION BY ${columnList(columns, "t.")}) AS place
       FROM ${await withRowNumbers(connection, name)} t JOIN ${deletedByLog} d ON ${sameRow(columns, "t", "d")}) WHERE place <= wanted`,
  );
  return deleteNumberedRows(connection, name, "SELECT id FROM removed_numbers");
}

/** A deleted row that was not found is still in the table with other values, unless it is a reject. */
async function warnOfMissedRows(
  { connection, table, request, warn }: IngestRun,
  deleted: number,
): Promise<void> {
  const { connector, dataset } = request;
  const rejects = `${rejectsTable(table.catalog)} WHERE stream = ${literal(dataset.id)}`;
  const missed = Number(
    await scalar(
      connection,
      `SELECT coalesce(sum(_lakehelm_count), 0)::BIGINT - ${deleted} - (SELECT count(*) FROM ${rejects}) FROM ${deletedByLog}`,
    ),
  );
  if (missed > 0)
    warn(
      `${counted(missed, "row")} that ${dataset.source} has deleted or changed ${verbFor(missed, "was", "were")} not found in ${dataset.target} by the values, and may still be there. To read all rows again: ${connectorRefreshCommand(connector, dataset.target)}`,
    );
}

async function writeByRow(run: IngestRun, rows: string, isTruncated: boolean): Promise<WrittenRows> {
  const { connection, table, columns } = run;
  const name = sqlName(table);
  const removed = isTruncated ? await rowsChanged(connection, `DELETE FROM ${name}`) : 0;
  const deleted = (await countRows(connection, deletedByLog)) === 0 ? 0 : await deleteByRow(run, name);
  await warnOfMissedRows(run, deleted);
  const list = columns.map(({ name: column }) => quote(column)).join(", ");
  const inserted = await rowsChanged(connection, `INSERT INTO ${name} (${list}) SELECT ${list} FROM ${rows}`);
  return { inserted, updated: 0, deleted: removed + deleted };
}
