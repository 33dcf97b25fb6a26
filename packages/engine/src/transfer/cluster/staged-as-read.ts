import { quote } from "../../warehouse/names.ts";
import { countRows } from "../../warehouse/relation.ts";
import type { RequestContext } from "../../warehouse/request-context.ts";
import { readSource } from "../ingest-reading.ts";
import type { IngestRun } from "../ingest-run.ts";
import { positionOf, type ReadStage, withoutJsonCast } from "../ingest-stage.ts";
import { addRejects, checkRejectShare } from "../rejects.ts";
import type { StoreRows } from "../sink-table.ts";
import { createStage, stagedRows } from "../stage.ts";
import { nextWatermark, watermarkWarnings } from "../watermark.ts";
import type { StagedFiles } from "./staged-files.ts";
import { isNewColumn } from "./statements.ts";

/** The rows of a run, in files that the cluster sees. */
export interface StagedRead {
  readonly stage: ReadStage;
  readonly rows: number;
  /** The address by which the cluster finds the folder with the Parquet files. */
  readonly address: string;
}

/** SQL: rows with the types of the table, and whether they are new. `values` are SQL, in the order of the run's columns. */
export function stagedSelect(
  { columns }: Pick<IngestRun, "columns">,
  values: readonly string[],
  relation: string,
  isNew: string,
): string {
  const typed = columns.map(({ name, type }, at) => `CAST(${values[at]} AS ${type}) AS ${quote(name)}`);
  return `SELECT ${typed.join(", ")}, ${isNew} AS ${quote(isNewColumn)} FROM ${relation}`;
}

/** A run that writes all rows stages them as they are read, if none has to be cast, compared with others, or looked up. */
export const isStagedAsRead = ({
  request,
  backfill,
  columns,
  keys,
  hasUniqueKeys,
  ...run
}: IngestRun): boolean =>
  (run.schemaChange.create || request.dataset.strategy === "replace") &&
  !request.retryRejects &&
  !request.dataset.deletes &&
  !backfill &&
  columns.map(withoutJsonCast).every(({ wire }) => wire === undefined) &&
  (keys.length === 0 || hasUniqueKeys);

/**
 * Writes the rows to Parquet while they are read, so that the engine holds only a few batches of them. Each statement
 * writes a part, and a slow source causes several parts. Returns undefined if a row has no key, because this row must
 * be rejected.
 */
export async function stageAsRead(
  run: IngestRun,
  context: RequestContext,
  files: StagedFiles,
): Promise<StagedRead | undefined> {
  const { connection, table, columns, keys, request, watermarkColumn, checkpoint } = run;
  let [parts, rows] = [0, 0];
  const isNew = String(run.schemaChange.create);
  const store: StoreRows = async (values, relation) => {
    const select = stagedSelect(run, values, relation, isNew);
    const written = await files.writePart(connection, "rows", parts++, select);
    rows += written;
    return written;
  };
  await createStage(connection, columns);
  const sink = await readSource(run, stagedRows, context, store);
  if (parts === 0)
    await store(
      columns.map(() => "NULL"),
      "range(0)",
    );
  context.crashPoint("read");
  const staged = files.relationOf("rows");
  const hasNoKey = keys.map((key) => `${quote(key)} IS NULL`).join(" OR ");
  if (keys.length > 0 && (await countRows(connection, `${staged} WHERE ${hasNoKey}`)) > 0) {
    await files.discard("rows");
    return undefined;
  }
  await addRejects(connection, sink.rejects, keys);
  const watermark = await nextWatermark(connection, staged, watermarkColumn, checkpoint?.value ?? null);
  for (const text of await watermarkWarnings(connection, watermarkColumn, watermark, context.now()))
    run.warn(text);
  const { rejected, bytes } = sink;
  const read = sink.rows + rejected;
  await checkRejectShare(connection, table.catalog, request.dataset, { read, rejected }, run.typeChanges);
  const position = positionOf(sink) ?? watermark.value;
  const stage = {
    read,
    bytes,
    rejected,
    superseded: 0,
    watermark: position,
    rows: staged,
    sourceKeys: undefined,
  };
  return { stage, rows, address: await files.share("rows") };
}
