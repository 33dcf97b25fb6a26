import type { ExistingRows } from "../connectors/target/target.ts";
import { type WarehouseColumn, wireType } from "../protocol/column.ts";
import { DataProblem } from "../protocol/problem.ts";
import { rejectsTable } from "../warehouse/internal-tables.ts";
import { literal, quote, sqlName } from "../warehouse/names.ts";
import { columnList, countRows, keyText, sameKey, sameName } from "../warehouse/relation.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { rowNumber, withRowNumbers } from "../warehouse/row-numbers.ts";
import { castColumn } from "./column-cast.ts";
import {
  type ComparisonCounts,
  changedRows,
  compareRows,
  deletedKeys,
  findDeletedKeys,
} from "./comparison.ts";
import { checkDeleteShare } from "./delete-share.ts";
import type { DeliveryRun } from "./delivery-run.ts";
import { rejectField } from "./rejects.ts";
import { selectUnsentRows } from "./sent-rows.ts";
import { alwaysTheSame, latestByKey, supersededSentence } from "./stage.ts";
import { createStagingSink } from "./staging-sink.ts";

/** The rows that a run delivers. All fields but `whole`, `counts` and `superseded` name relations. */
export interface DeliverySelection {
  /** The rows to write. */
  readonly relation: string;
  /** The rows that were considered. The next watermark is taken from them. */
  readonly candidates: string;
  readonly deletedKeys: string | undefined;
  /** Whether the target is still empty, or is to be replaced. */
  readonly whole: boolean;
  /** Known if the rows were compared with those of the target. */
  readonly counts: ComparisonCounts | undefined;
  /** Rows that were left out because another row has the same key. */
  readonly superseded: number;
}

export async function selectDeliveryRows(
  run: DeliveryRun,
  context: RequestContext,
  /** A preview warns of too many deletes; a run fails. */
  { warnsOfDeletes = false } = {},
): Promise<DeliverySelection> {
  const { connection, request, target, watermarkColumn } = run;
  const { strategy } = request.dataset;
  const checkDeletes = (counts: { readonly existing: number; readonly deleted: number }) =>
    checkDeleteShare(request, counts, warnsOfDeletes ? run.warn : undefined);
  const found = await selectCandidates(run);
  // The warehouse does not enforce unique keys; most targets do.
  const { relation: candidates, superseded } =
    strategy === "upsert"
      ? await latestByKey(connection, found, run.columns, run.keys, watermarkColumn, run.warehouse)
      : { relation: found, superseded: 0 };
  if (superseded > 0) run.warn(supersededSentence(request.dataset.source, run, superseded, alwaysTheSame));
  const all = { relation: candidates, candidates, deletedKeys: undefined, counts: undefined, superseded };
  if (target.isWriteOnly && request.dataset.deletes) {
    throw new DataProblem(
      `The rows of ${request.dataset.target} cannot be read back, so deleted rows cannot be found. Remove "deletes" from the dataset.`,
    );
  }
  if (strategy === "replace" || run.settings.rebuilds) return { ...all, whole: true };
  if (target.isWriteOnly) return { ...all, relation: await selectUnsentRows(run, candidates), whole: false };
  const existing = await target.existingRows();
  if (!existing) return { ...all, whole: true };
  // An upsert of a row that the target already has changes nothing, so these rows need not be read back.
  if (watermarkColumn && strategy === "upsert" && !target.rewritesAll) {
    if (!request.dataset.deletes) return { ...all, whole: false };
    const keys = await compareKeys(run, existing, checkDeletes, context);
    const relation = await withMovedRows(run, candidates, keys.existing);
    return { ...all, relation, deletedKeys: keys.deleted, whole: false };
  }
  const from = selectedFrom(run);
  const since = watermarkColumn && from !== null ? { column: watermarkColumn.name, value: from } : undefined;
  const readsAll = request.dataset.deletes || appendsRejects(run);
  const existingRows = await readExistingRows(run, existing, readsAll ? undefined : since, context);
  const compared = request.dataset.deletes ? await withMovedRows(run, candidates, existingRows) : candidates;
  const counts = await compareWithTarget(run, compared, existingRows);
  if (request.dataset.deletes) {
    const rows = await countRows(connection, "existing_typed");
    checkDeletes({ existing: rows, deleted: counts.delete });
  }
  return {
    relation: changedRows,
    candidates,
    deletedKeys: counts.delete > 0 ? deletedKeys : undefined,
    whole: false,
    counts,
    superseded,
  };
}

/** Reads only the keys of the target's rows. Returns the relations with these keys and with the keys to delete. */
async function compareKeys(
  run: DeliveryRun,
  existing: ExistingRows,
  checkDeletes: (counts: { readonly existing: number; readonly deleted: number }) => void,
  context: RequestContext,
): Promise<{ readonly existing: string; readonly deleted: string | undefined }> {
  const { connection, keys, source } = run;
  const columns = run.columns.filter(({ name }) => keys.includes(name));
  const found = await readExistingRows({ ...run, columns }, existing, undefined, context);
  const deleted = await findDeletedKeys(connection, columns, keys, found, await source.keys(run));
  checkDeletes({ existing: await countRows(connection, found), deleted });
  return { existing: found, deleted: deleted > 0 ? deletedKeys : undefined };
}

/**
 * The candidates, and the rows that the target lacks although the watermark is beyond them: their keys were changed without a newer
 * watermark. Rows that the target has rejected are not among them.
 */
async function withMovedRows(run: DeliveryRun, candidates: string, existing: string): Promise<string> {
  const { connection, table, columns, keys, checkpoint, watermarkColumn, backfill, request } = run;
  if (backfill || !watermarkColumn || !checkpoint?.value) return candidates;
  const rejected = `SELECT key FROM ${rejectsTable(table.catalog)} WHERE stream = ${literal(request.dataset.id)} AND key IS NOT NULL`;
  const isMissing = `NOT EXISTS (SELECT 1 FROM ${existing} p WHERE ${sameKey(keys, "p", "r")}) AND NOT EXISTS (SELECT 1 FROM ${candidates} c WHERE ${sameKey(keys, "c", "r")})`;
  const hasKey = keys.map((key) => `${quote(key)} IS NOT NULL`).join(" AND ");
  const all = "outgoing_all";
  const key = keys.map(quote).join(", ");
  // The keys alone are compared: a join of whole rows may need more memory than there is.
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${movedKeys} AS SELECT DISTINCT ${key} FROM ${await run.source.keys(run)} r WHERE ${hasKey} AND ${isMissing} AND ${keyText(keys)} NOT IN (${rejected})`,
  );
  if ((await countRows(connection, movedKeys)) === 0) return candidates;
  const moved = await run.source.rowsWithKeys(run, movedKeys);
  const tuple = (names: string) => (keys.length === 1 ? names : `row(${names})`);
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${all} AS SELECT ${columnList(columns)} FROM ${candidates} UNION ALL SELECT ${columnList(columns)} FROM ${moved} WHERE ${tuple(key)} IN (SELECT ${tuple(key)} FROM ${movedKeys})`,
  );
  return (await latestByKey(connection, all, columns, keys, watermarkColumn, run.warehouse)).relation;
}

const movedKeys = "moved_keys";

/** Retried rejects are below the watermark: whether the target has them is known only from its rows. */
const appendsRejects = ({ request }: DeliveryRun): boolean =>
  request.retryRejects && request.dataset.strategy === "append";

export const compareWithTarget = async (
  run: DeliveryRun,
  rows: string,
  existing: string | undefined,
): Promise<ComparisonCounts> => {
  const { connection, request, source, columns, keys, watermarkColumn, checkpoint, overlap } = run;
  return compareRows(connection, {
    rows,
    existing,
    columns,
    keys,
    strategy: request.dataset.strategy,
    watermark: watermarkColumn,
    since: watermarkColumn && !appendsRejects(run) ? (checkpoint?.value ?? null) : null,
    overlap,
    isOfNewFiles: false,
    sourceKeys: request.dataset.deletes ? await source.keys(run) : undefined,
  });
};

/** The value of the watermark column from which rows are selected; null: all. */
const selectedFrom = ({ watermarkColumn, checkpoint, overlap }: DeliveryRun): string | null =>
  watermarkColumn && checkpoint?.value ? (overlap ? overlap.from : checkpoint.value) : null;

/**
 * The value from which a run without a window selects rows, in addition to rows without a value; null: it selects all
 * rows.
 */
export const candidatesFrom = (run: DeliveryRun): string | null =>
  run.request.dataset.strategy === "replace" ? null : selectedFrom(run);

/** The rows that may have to be written: all, or those from the watermark on, and stored rejects if they are retried. */
async function selectCandidates(run: DeliveryRun): Promise<string> {
  const { warehouse, connection, request, table, columns, keys, watermarkColumn, target } = run;
  const { dataset } = request;
  const since = candidatesFrom(run);
  const numbered = await withRowNumbers(connection, sqlName(table));
  const rows = `(SELECT * FROM ${numbered} WHERE ${rowNumber} <= ${await warehouse.lastRow(connection, table)})`;
  if (run.backfill && watermarkColumn) {
    const isInside = run.backfill.contains(quote(watermarkColumn.name));
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE outgoing AS SELECT ${columnList(columns)} FROM ${rows} WHERE ${isInside}`,
    );
    return "outgoing";
  }
  if (since === null || !watermarkColumn) return rows;
  const rejects = `SELECT * FROM ${rejectsTable(table.catalog)} WHERE stream = ${literal(dataset.id)}`;
  const byKey =
    request.retryRejects && keys.length > 0 ? ` OR ${keyText(keys)} IN (SELECT key FROM (${rejects}))` : "";
  // A rejected row above the watermark is selected anyway. A write-only target does not get this row again: it counts
  // as sent.
  const isBelow = target.isWriteOnly
    ? ""
    : ` WHERE TRY_CAST(${rejectField(watermarkColumn)} AS ${watermarkColumn.type}) < CAST(${literal(since)} AS ${watermarkColumn.type})`;
  const byRow =
    request.retryRejects && keys.length === 0
      ? ` UNION ALL SELECT ${columns.map((column) => `TRY_CAST(${rejectField(column)} AS ${column.type})`).join(", ")} FROM (${rejects})${isBelow}`
      : "";
  const column = quote(watermarkColumn.name);
  // Materialized, because the filtered rows of a large table are read in many small pieces and must not change meanwhile.
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE outgoing AS SELECT ${columnList(columns)} FROM ${rows} WHERE ${column} >= CAST(${literal(since)} AS ${watermarkColumn.type}) OR ${column} IS NULL${byKey}${byRow}`,
  );
  return "outgoing";
}

/** Reads the target's rows back in the warehouse's types. A value that is missing or cannot be cast counts as different. */
export async function readExistingRows(
  { connection, warehouse, columns }: DeliveryRun,
  { source, dataset }: ExistingRows,
  since: { readonly column: string; readonly value: string } | undefined,
  context: RequestContext,
): Promise<string> {
  try {
    const description = await source.describe(dataset);
    const pairs = columns.map((column) => ({
      column,
      existing: description.columns.find((one) => sameName(one.name, column.name)),
    }));
    const selected = pairs.flatMap(({ existing }) => existing ?? []);
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE existing_raw (${selected.map((one) => `${quote(one.name)} ${wireType(one)}`).join(", ")})`,
    );
    const into = createStagingSink({
      warehouse,
      connection,
      table: "existing_raw",
      columns: selected,
      signal: context.signal,
      onProgress: () => {},
    });
    await source.read({ dataset, columns: selected, since, into, signal: context.signal });
    const cells = pairs.map(
      ({ column, existing }) => `${castCell(column, existing)} AS ${quote(column.name)}`,
    );
    await connection.run(
      `CREATE OR REPLACE TEMP VIEW existing_typed AS SELECT ${cells.join(", ")} FROM existing_raw`,
    );
    return "existing_typed";
  } finally {
    await source.close();
  }
}

const castCell = (column: WarehouseColumn, existing: WarehouseColumn | undefined): string =>
  existing ? `TRY_CAST(${castColumn(existing)} AS ${column.type})` : `CAST(NULL AS ${column.type})`;
