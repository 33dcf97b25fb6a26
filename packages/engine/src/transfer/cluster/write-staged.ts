import { quoteIdentifier, sqlName, sqlString } from "@lakehelm/sql/names";
import { DataProblem } from "../../protocol/problem.ts";
import type { TableName } from "../../warehouse/names.ts";
import { checkDeleteShare } from "../delete-share.ts";
import { sinceOf } from "../ingest-reading.ts";
import type { IngestRun } from "../ingest-run.ts";
import { replacesRows } from "../ingest-stage.ts";
import type { SchemaChange } from "../schema-change.ts";
import type { ClusterSession } from "./cluster-session.ts";
import type { ClusterState } from "./cluster-state.ts";
import { sparkType } from "./cluster-types.ts";
import {
  additionOf,
  appendedByKey,
  appendedRows,
  changedRows,
  creationOf,
  deletedView,
  digestOf,
  goneRows,
  insertion,
  merging,
  rebuild,
  removalOf,
  replacement,
  rewriting,
  stagedView,
  truncation,
  type Written,
  wideningOf,
} from "./statements.ts";

export interface WrittenCounts {
  readonly insert: number;
  readonly update: number;
  readonly delete: number;
}

interface WritePlan {
  readonly statement: string;
  /** Whether the table gets another id. */
  readonly isNewTable?: boolean;
  /** The counts of written rows, from the metrics in the table's history. */
  counts(metrics: Readonly<Record<string, string>>): WrittenCounts;
}

/** Creates the table, or widens its columns and adds those that it lacks. Idempotent. */
export async function prepareTable(
  session: ClusterSession,
  table: TableName,
  { columns: existing }: Pick<ClusterState, "columns">,
  { columns, keys, schemaChange, keptColumns, droppedColumns }: IngestRun,
): Promise<Written> {
  if (droppedColumns.length > 0) for (const sql of removalOf(table, droppedColumns)) await session.rows(sql);
  if (schemaChange.create) for (const sql of creationOf(table, columns)) await session.rows(sql);
  else if (isRebuilt(schemaChange))
    return { table, columns, tableColumns: allNames(existing, schemaChange), keys, kept: keptColumns };
  else {
    for (const sql of wideningOf(table, schemaChange.retype)) await session.rows(sql);
    if (schemaChange.add.length > 0) await session.rows(additionOf(table, schemaChange.add));
  }
  const tableColumns = schemaChange.create
    ? columns.map(({ name }) => name)
    : allNames(existing, schemaChange).filter((name) => !droppedColumns.includes(name));
  return { table, columns, tableColumns, keys, kept: keptColumns };
}

/** A column gets a type that does not hold its values, so the table is written anew. */
const isRebuilt = ({ retype }: SchemaChange): boolean => retype.some(({ isWider }) => !isWider);

const allNames = (existing: ClusterState["columns"], { add }: SchemaChange): string[] =>
  [...(existing ?? []), ...add].map(({ name }) => name);

/** How the staged rows are written; undefined if that would change nothing. */
export async function writeStaged(
  session: ClusterSession,
  written: Written,
  run: IngestRun,
  {
    rows,
    isAdvanced,
    hasKeys,
  }: {
    readonly rows: number;
    /** Whether the watermark is greater than before, so that there are rows that the table does not have. */
    readonly isAdvanced: boolean;
    readonly hasKeys: boolean;
  },
): Promise<WritePlan | undefined> {
  const { strategy } = run.request.dataset;
  if (isRebuilt(run.schemaChange)) return rebuilding(session, written, run, rows);
  if (replacesRows(run)) return replacing(session, written, run, rows);
  if (run.schemaChange.create) {
    return rows === 0 ? undefined : { statement: insertion(written), counts: insertedOf };
  }
  if (strategy === "append") {
    if (rows === 0) return undefined;
    const watermark = run.backfill ? undefined : run.watermarkColumn?.name;
    const appended =
      run.overlap && watermark !== undefined && written.keys.length > 0
        ? appendedByKey(written, watermark)
        : appendedRows(written, watermark);
    if (!isAdvanced && (await countOf(session, `(${appended})`)) === 0) return undefined;
    return { statement: `INSERT INTO ${sqlName(written.table)} ${appended}`, counts: insertedOf };
  }
  const gone = hasKeys ? await countOf(session, goneRows(written)) : 0;
  if (gone > 0) {
    const existing = await countOf(session, sqlName(written.table));
    checkDeleteShare(run.request, { existing, deleted: gone });
  }
  if (rows === 0 && gone === 0) return undefined;
  // Runs that find nothing new make no commit: triggers follow the versions of tables.
  if (gone === 0 && !isAdvanced && (await countOf(session, changedRows(written))) === 0) return undefined;
  const isOfLateFiles = (run.files?.isKnown ?? false) && sinceOf(run) !== undefined;
  return {
    statement: merging(written, {
      gone: gone > 0 ? goneRows(written) : undefined,
      latest: isOfLateFiles ? run.watermarkColumn?.name : undefined,
    }),
    counts: mergedOf,
  };
}

const mergedOf: WritePlan["counts"] = ({
  numTargetRowsInserted,
  numTargetRowsUpdated,
  numTargetRowsDeleted,
}) => ({
  insert: Number(numTargetRowsInserted ?? 0),
  update: Number(numTargetRowsUpdated ?? 0),
  delete: Number(numTargetRowsDeleted ?? 0),
});

const insertedOf: WritePlan["counts"] = ({ numOutputRows }) => ({
  insert: Number(numOutputRows ?? 0),
  update: 0,
  delete: 0,
});

/** How changes from a log are written; undefined if there are none. */
export async function writeChanges(
  session: ClusterSession,
  written: Written,
  {
    rows,
    hasDeleted,
    isTruncated,
  }: { readonly rows: number; readonly hasDeleted: boolean; readonly isTruncated: boolean },
): Promise<WritePlan | undefined> {
  const isRewritten = isTruncated || (hasDeleted && written.keys.length === 0);
  if (isRewritten) {
    const existing = await countOf(session, sqlName(written.table));
    if (existing === 0 && rows === 0) return undefined;
    return {
      statement: isTruncated ? truncation(written) : rewriting(written),
      counts: ({ numOutputRows }) => ({
        insert: rows,
        update: 0,
        delete: existing + rows - Number(numOutputRows ?? 0),
      }),
    };
  }
  if (rows === 0 && !hasDeleted) return undefined;
  return written.keys.length === 0
    ? { statement: insertion(written), counts: insertedOf }
    : {
        statement: merging(written, { gone: hasDeleted ? `${deletedView} t` : undefined }),
        counts: mergedOf,
      };
}

/** Replaces all rows, or those in the window of a run. Rows that are the same are not written again. */
async function replacing(
  session: ClusterSession,
  written: Written,
  run: IngestRun,
  rows: number,
): Promise<WritePlan | undefined> {
  const { table, columns, kept, keys } = written;
  const { dataset } = run.request;
  const condition = windowOf(run);
  const replaced = `${sqlName(table)}${condition === undefined ? "" : ` WHERE ${condition}`}`;
  const existing = run.schemaChange.create ? 0 : await countOf(session, replaced);
  if (!run.schemaChange.create) {
    // If the key has changed, rows with the same new key count as one row.
    const distinct = run.settings.rebuilds
      ? await countOf(session, `(SELECT DISTINCT ${keys.map(quoteIdentifier).join(", ")} FROM ${replaced})`)
      : existing;
    checkDeleteShare(run.request, { existing: distinct, deleted: distinct - rows });
  }
  if (existing === 0 && rows === 0) return undefined;
  if (existing === rows) {
    const [[staged], [stored]] = [
      await session.rows(digestOf(columns, stagedView)),
      await session.rows(digestOf(columns, replaced)),
    ];
    if (JSON.stringify(staged) === JSON.stringify(stored)) return undefined;
  }
  if (kept.length > 0 && keys.length === 0) {
    const hasValues = kept.map((name) => `${quoteIdentifier(name)} IS NOT NULL`).join(" OR ");
    if ((await countOf(session, `${sqlName(table)} WHERE ${hasValues}`)) > 0) {
      throw new DataProblem(
        `${dataset.target} has values in columns that ${dataset.source} does not have: ${kept.map((name) => JSON.stringify(name)).join(", ")}. Without primary keys they cannot be kept. Add primary_keys, or set on_missing_column to "null".`,
      );
    }
  }
  return {
    statement: replacement({ ...written, kept: keys.length === 0 ? [] : kept }, condition),
    counts: () => ({ insert: rows, update: 0, delete: existing }),
  };
}

/** Writes the table anew, with the columns of the source: all rows were read. */
async function rebuilding(
  session: ClusterSession,
  written: Written,
  { request, schemaChange, columns }: IngestRun,
  rows: number,
): Promise<WritePlan> {
  const name = sqlName(written.table);
  const existing = await countOf(session, name);
  checkDeleteShare(request, { existing, deleted: existing - rows });
  const [detail = []] = await session.rows(`DESCRIBE DETAIL ${name}`);
  const stored = (await session.columnsOf(name)) ?? [];
  const types = new Map(stored.map((column) => [column.name.toLowerCase(), column.type]));
  for (const column of columns) types.set(column.name.toLowerCase(), sparkType(column));
  for (const { name: widened, to, isWider } of schemaChange.retype) {
    if (isWider) types.set(widened.toLowerCase(), sparkType({ type: to }));
  }
  return {
    statement: rebuild(written, types, (detail[detailProperties] ?? {}) as Readonly<Record<string, string>>),
    isNewTable: true,
    counts: () => ({ insert: rows, update: 0, delete: existing }),
  };
}

/** The place of the properties in the result of DESCRIBE DETAIL. */
const detailProperties = 11;

/** SQL: the rows that a backfill of appended rows replaces; undefined: all. Those above the watermark are read by the next run. */
function windowOf({ backfill, watermarkColumn, checkpoint, request }: IngestRun): string | undefined {
  if (!backfill || !watermarkColumn) return undefined;
  if (watermarkColumn.isNumericText) {
    throw new DataProblem(
      `The watermark of ${request.dataset.source} is a number that is stored as text. On Spark a window of it cannot be replaced.`,
    );
  }
  const name = quoteIdentifier(watermarkColumn.name);
  const value = (text: string) => `CAST(${sqlString(text)} AS ${sparkType(watermarkColumn)})`;
  return [
    `${name} >= ${value(backfill.from)}`,
    `${name} < ${value(backfill.to)}`,
    ...(checkpoint?.value == null ? [] : [`${name} <= ${value(checkpoint.value)}`]),
  ].join(" AND ");
}

async function countOf(session: ClusterSession, relation: string): Promise<number> {
  const [row] = await session.rows(`SELECT count(*) FROM ${relation}`);
  return Number(row?.[0]);
}
