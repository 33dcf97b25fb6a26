import type { RowNumbers } from "@lakehelm/engine/update";
import type { Commit } from "../work/history.ts";
import type { UpdateSources } from "./sources.ts";

/** How far flows have read: by flow and source, the version of the source. A flow that runs once has the source "". */
export type Positions = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** What a commit of an update says about itself. It is in the commit, so it is true exactly if the rows are there. */
export interface UpdateMark {
  readonly update: string;
  /** The table, or a flow into it. */
  readonly step: string;
  readonly numbers: RowNumbers;
  readonly positions?: Positions;
  /** AUTO CDC: the version of the table of events whose rows are applied. */
  readonly events?: number;
}

const prefix = "lakehelm pipeline ";
/** A streaming table has its positions in its newest commit of an update. Others rarely commit to that table. */
const newest = 1_000;

const textOf = (pipeline: string, mark: UpdateMark): string =>
  `${prefix}${JSON.stringify({ pipeline, ...mark })}`;

function readMark(pipeline: string, { mark }: Commit): UpdateMark | undefined {
  if (!mark?.startsWith(prefix)) return undefined;
  const found = JSON.parse(mark.slice(prefix.length)) as UpdateMark & { readonly pipeline: string };
  return found.pipeline === pipeline ? found : undefined;
}

/** The marks of a pipeline in the history of a table, the newest first. */
export async function marksOf(
  { history, pipeline }: Pick<UpdateSources, "history" | "pipeline">,
  table: string,
): Promise<UpdateMark[]> {
  const commits = await history.of(table, newest);
  return commits.flatMap((commit) => readMark(pipeline, commit) ?? []);
}

/** Writes a table once for a step of an update. */
export async function writeMarked(
  sources: UpdateSources,
  table: string,
  sql: string,
  mark: UpdateMark,
): Promise<void> {
  const { session, history, pipeline } = sources;
  const key = `${mark.update}/${mark.step}`;
  const settings = {
    "spark.databricks.delta.write.txnAppId": key,
    "spark.databricks.delta.write.txnVersion": "1",
    "spark.databricks.delta.commitInfo.userMetadata": textOf(pipeline, mark),
  };
  await session.once(key, sql, settings, async () => {
    const isWritten = isDone(await marksOf(sources, table), mark);
    history.forget(table);
    return isWritten;
  });
}

export const isDone = (
  marks: readonly UpdateMark[],
  { update, step }: Pick<UpdateMark, "update" | "step">,
): boolean => marks.some((one) => one.update === update && one.step === step);
