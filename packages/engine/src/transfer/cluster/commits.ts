import { createHash } from "node:crypto";
import { DataProblem } from "../../protocol/problem.ts";
import { afterConflict } from "../../warehouse/transaction.ts";
import type { ClusterSession } from "./cluster-session.ts";

/** What a commit of a dataset says about itself, in the history of its table. */
export interface CommitMark {
  /** A hash of the stream. */
  readonly stream: string;
  /** Unique among the commits of a stream: a second commit with the same number changes nothing. */
  readonly number: number;
  readonly attempt: string;
  readonly run: string;
  readonly watermark: string | null;
  readonly time: string;
  /** The version of the table up to which the run has judged what others did. */
  readonly seen: number;
}

export interface FoundCommit extends CommitMark {
  readonly version: number;
  /**
   * The version up to which changes by others were reported: less than the version of the commit if others changed rows
   * while the run read its source.
   */
  readonly told: number;
  readonly metrics: Readonly<Record<string, string>>;
}

/** A commit of others. */
interface OtherCommit {
  readonly version: number;
  readonly operation: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly metrics: Readonly<Record<string, string>>;
}

/** Whether a commit of others has removed rows that the table had. */
export function removesRows({ operation, parameters, metrics }: OtherCommit): boolean {
  if (operation === "DELETE") return metrics.numDeletedRows !== "0";
  if (operation === "MERGE") return Number(metrics.numTargetRowsDeleted ?? 0) > 0;
  return /TRUNCATE|REPLACE TABLE|RESTORE/.test(operation) || parameters.mode === "Overwrite";
}

/** Whether a commit has replaced all rows of a table. */
const replacesAllRows = (operation: string, { mode, predicate }: Readonly<Record<string, string>>): boolean =>
  /REPLACE TABLE|RESTORE/.test(operation) || (mode === "Overwrite" && (predicate ?? "[]") === "[]");

/** The version of a Delta table, and whether a commit after another version has replaced all of its rows. */
export async function findReplacement(
  session: ClusterSession,
  table: string,
  after: number | undefined,
): Promise<{ readonly version: number; readonly isReplaced: boolean }> {
  const history = (limit: number) => session.rows(`DESCRIBE HISTORY ${table} LIMIT ${limit}`);
  const newest = await history(1);
  const version = Number(newest[0]?.[columns.version] ?? -1);
  const count = after === undefined ? 0 : Math.min(version - after, mostVersions);
  const found = count <= 1 ? newest.slice(0, count) : await history(count);
  const isReplaced = found.some((row) =>
    replacesAllRows(
      String(row[columns.operation]),
      (row[columns.parameters] ?? {}) as Record<string, string>,
    ),
  );
  return { version, isReplaced };
}

/** Whether a commit of others has changed rows that the table had. */
export const changesRows = ({ operation, metrics }: OtherCommit): boolean =>
  operation === "UPDATE" || (operation === "MERGE" && Number(metrics.numTargetRowsUpdated ?? 0) > 0);

export const streamHash = (stream: string): string =>
  createHash("sha256").update(stream).digest("hex").slice(0, 32);

/** Delta keeps 30 days of history by default. A table with more commits than this since our last one is not searched further. */
const mostVersions = 10_000;

/** The last commit of a stream after a version of its table; undefined if there is none in the table's history. */
export async function findCommit(
  session: ClusterSession,
  table: string,
  stream: string,
  after: number,
): Promise<{
  readonly version: number;
  readonly commit: FoundCommit | undefined;
  /** The commits that no dataset has made and that the run did not know of, the newest first. */
  readonly others: readonly OtherCommit[];
}> {
  const history = async (limit: number) =>
    (await session.rows(`DESCRIBE HISTORY ${table} LIMIT ${limit}`)).map(commitOf);
  const [newest] = await history(1);
  const version = newest?.version ?? -1;
  if (!newest || version <= after) return { version, commit: undefined, others: [] };
  const all = version === after + 1 ? [newest] : await history(Math.min(version - after, mostVersions));
  const commit = all.find(
    (one): one is Exclude<typeof one, OtherCommit> => "stream" in one && one.stream === stream,
  );
  const seen = commit?.seen ?? after;
  const others = all.flatMap((one) => ("operation" in one && one.version > seen ? [one] : []));
  if (!commit) return { version, commit, others };
  const isUntold = others.some(
    (one) => one.version < commit.version && (removesRows(one) || changesRows(one)),
  );
  return { version, commit: { ...commit, told: isUntold ? seen : commit.version }, others };
}

/** The columns of DESCRIBE HISTORY. */
const columns = { version: 0, operation: 4, parameters: 5, metrics: 12, metadata: 13 };

function commitOf(row: readonly unknown[]): Omit<FoundCommit, "told"> | OtherCommit {
  const version = Number(row[columns.version]);
  const mark = markIn(row[columns.metadata], version);
  const metrics = (row[columns.metrics] ?? {}) as Readonly<Record<string, string>>;
  const parameters = (row[columns.parameters] ?? {}) as Readonly<Record<string, string>>;
  return mark
    ? { ...mark, version, metrics }
    : { version, operation: String(row[columns.operation]), parameters, metrics };
}

/** Other programs can write any text into this field. */
function markIn(text: unknown, version: number): CommitMark | undefined {
  if (typeof text !== "string" || !text.startsWith('{"lakehelm":')) return undefined;
  try {
    const { lakehelm } = JSON.parse(text) as { readonly lakehelm: Partial<CommitMark> };
    // Earlier releases did not write `seen`.
    const { stream, number, attempt, run, watermark, time, seen = version } = lakehelm;
    const isMark =
      [stream, attempt, run, time].every((one) => typeof one === "string") &&
      [number, seen].every(Number.isSafeInteger);
    return isMark && (watermark === null || typeof watermark === "string")
      ? ({ ...lakehelm, seen } as CommitMark)
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Runs a statement that writes to the table, once: the commit has the stream and the number as Delta's transaction id,
 * so a second commit with the same number is not made. The history tells which attempt made the commit.
 */
export async function commitOnce(
  session: ClusterSession,
  table: string,
  statement: string,
  mark: CommitMark,
): Promise<FoundCommit> {
  await session.configure({
    "spark.databricks.delta.write.txnAppId": `lakehelm-${mark.stream}`,
    "spark.databricks.delta.write.txnVersion": String(mark.number),
    "spark.databricks.delta.commitInfo.userMetadata": JSON.stringify({ lakehelm: mark }),
  });
  await session.rows(statement);
  const { commit } = await findCommit(session, table, mark.stream, mark.seen);
  if (commit?.attempt === mark.attempt) return commit;
  throw new DataProblem(
    `Another run of the connector wrote to the table at the same time. ${afterConflict}`,
    { retryable: true },
  );
}
