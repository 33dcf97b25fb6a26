import type { DuckDBConnection } from "@duckdb/node-api";
import { shownRow } from "../connectors/source/refused-text.ts";
import type { WarehouseColumn } from "../protocol/column.ts";
import type { Preview, Reject, TransferRequest } from "../protocol/transfer.ts";
import { sqlName } from "../warehouse/names.ts";
import { countRows, rowText, sameKey } from "../warehouse/relation.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { parseRow } from "../warehouse/row-json.ts";
import { type ComparisonCounts, changedRows, deletedKeys } from "./comparison.ts";
import { checkDeleteShare } from "./delete-share.ts";
import { compareWithTarget, readExistingRows, selectDeliveryRows } from "./delivery-rows.ts";
import { type DeliveryRun, wholeTable, withDeliveryRun } from "./delivery-run.ts";
import { type IngestRun, withIngestRun } from "./ingest-run.ts";
import { stageRows } from "./ingest-stage.ts";
import { rehearse } from "./rehearsal.ts";
import { pendingRejects } from "./rejects.ts";
import { rowIdOf } from "./row-ids.ts";
import { describeSchemaChange } from "./schema-change.ts";

const sampleRows = 5;

/** Thrown to roll back the transaction of a preview. */
class PreviewRollback extends Error {
  readonly preview: Preview;
  constructor(preview: Preview) {
    super("preview");
    this.preview = preview;
  }
}

/** Shows what the next run would do: it runs every step up to the first write, and rolls back. */
export async function preview(
  request: TransferRequest,
  context: RequestContext,
  source = wholeTable,
): Promise<Preview> {
  try {
    return request.direction === "in"
      ? await withIngestRun(
          request,
          context,
          async () => {},
          async (run) => {
            throw new PreviewRollback(await previewIngest(run, context));
          },
        )
      : await withDeliveryRun(request, context, source, async (run) => {
          throw new PreviewRollback(await previewDelivery(run, context));
        });
  } catch (error) {
    if (error instanceof PreviewRollback) return error.preview;
    throw error;
  }
}

async function previewIngest(run: IngestRun, context: RequestContext): Promise<Preview> {
  const { connection, columns, keys, table, request, schemaChange } = run;
  // A run with too many rejects fails; a preview shows them.
  const stage = await stageRows(run, context, { allowsRejects: true });
  const existingRows = schemaChange.create ? 0 : await countRows(connection, sqlName(table));
  const counts =
    request.dataset.strategy === "replace"
      ? { insert: stage.counts.insert, update: 0, delete: existingRows, unchanged: 0 }
      : stage.counts;
  const existing = schemaChange.create ? undefined : sqlName(table);
  const lost =
    request.dataset.strategy === "replace" ? existingRows - stage.counts.insert : stage.counts.delete;
  checkDeleteShare(request, { existing: existingRows, deleted: lost }, run.warn);
  return {
    ...counts,
    rejected: stage.rejected,
    rejects: await firstRejects(connection),
    samples: await samplesOf(connection, columns, keys, counts, existing),
    schema: describeSchemaChange(table, schemaChange),
    warnings: run.warnings,
  };
}

async function previewDelivery(run: DeliveryRun, context: RequestContext): Promise<Preview> {
  const { connection, columns, keys, target, request } = run;
  const selected = await selectDeliveryRows(run, context, { warnsOfDeletes: true });
  const found = selected.whole || target.isWriteOnly ? undefined : await target.existingRows();
  const existing = found && (await readExistingRows(run, found, undefined, context));
  const counts = selected.counts ?? (await compareWithTarget(run, selected.relation, existing));
  const samples = await samplesOf(connection, columns, keys, counts, existing);
  const refused = await rehearse(run, selected, context);
  if (typeof refused === "string")
    run.warn(`Rows that ${request.dataset.target} would refuse are not counted, because ${refused}.`);
  const rejects = typeof refused === "string" ? [] : refused;
  return {
    ...counts,
    rejected: rejects.length,
    rejects: rejects.slice(0, sampleRows).map(({ reason, row }) => ({ reason, row: shownRow(row) })),
    samples,
    schema:
      selected.whole && request.dataset.strategy !== "replace" ? [`create ${request.dataset.target}`] : [],
    warnings: run.warnings,
  };
}

async function samplesOf(
  connection: DuckDBConnection,
  columns: readonly WarehouseColumn[],
  keys: readonly string[],
  counts: ComparisonCounts,
  existing: string | undefined,
): Promise<Preview["samples"]> {
  const sampleRowsOf = async (action: string, relation: string, selected: readonly WarehouseColumn[]) => {
    const found = await connection.runAndReadAll(
      `SELECT ${rowText(selected, "c.")} FROM ${relation} LIMIT ${sampleRows}`,
    );
    return found.getRowsJson().map(([row]) => ({ action, row: parseRow(String(row)) }));
  };
  const exists =
    existing && keys.length > 0
      ? `EXISTS (SELECT 1 FROM ${existing} p WHERE ${sameKey(keys, "p", "c")})`
      : "false";
  const key = columns.filter(({ name }) => keys.includes(name));
  // Found by row id, because a join of whole rows may need more memory than there is.
  const byRowId = (await rowIdOf(connection, changedRows)) !== undefined;
  const changedWhere = (condition: string) =>
    !byRowId
      ? `${changedRows} c WHERE ${condition}`
      : `${changedRows} c WHERE c.rowid IN (SELECT c.rowid FROM ${changedRows} c WHERE ${condition} LIMIT ${sampleRows})`;
  return [
    ...(counts.insert > 0 ? await sampleRowsOf("insert", changedWhere(`NOT ${exists}`), columns) : []),
    ...(counts.update > 0 ? await sampleRowsOf("update", changedWhere(exists), columns) : []),
    ...(counts.delete > 0 && key.length > 0 ? await sampleRowsOf("delete", `${deletedKeys} c`, key) : []),
  ];
}

async function firstRejects(connection: DuckDBConnection): Promise<Reject[]> {
  const found = await connection.runAndReadAll(
    `SELECT reason, "row" FROM ${pendingRejects} LIMIT ${sampleRows}`,
  );
  return found.getRowsJson().map(([reason, row]) => ({
    reason: String(reason),
    row: shownRow(parseRow(String(row))),
  }));
}
