import { createHash } from "node:crypto";
import { DataProblem } from "../../protocol/problem.ts";
import type { ClusterSession } from "./cluster-session.ts";

/** What a commit of a dataset says about itself, in the history of its table. */
export interface CommitMark {
  /** A hash of the stream. */
  readonly stream: string;
  /** Of the commits of a stream, one has each number: a second one changes nothing. */
  readonly number: number;
  readonly attempt: string;
  readonly run: string;
  readonly watermark: string | null;
  readonly time: string;
}

export interface FoundCommit extends CommitMark {
  readonly version: number;
  readonly metrics: Readonly<Record<string, string>>;
}

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
): Promise<{ readonly version: number; readonly commit: FoundCommit | undefined }> {
  const history = async (limit: number) =>
    (await session.rows(`DESCRIBE HISTORY ${table} LIMIT ${limit}`)).map(commitOf);
  const [newest] = await history(1);
  const version = newest?.version ?? -1;
  if (version <= after) return { version, commit: undefined };
  const isOfStream = (one: ReturnType<typeof commitOf>): one is FoundCommit =>
    "stream" in one && one.stream === stream;
  if (newest && isOfStream(newest)) return { version, commit: newest };
  const all = await history(Math.min(version - after, mostVersions));
  return { version, commit: all.find(isOfStream) };
}

/** The columns of DESCRIBE HISTORY. */
const columns = { version: 0, metrics: 12, metadata: 13 };

function commitOf(row: readonly unknown[]): FoundCommit | { readonly version: number } {
  const version = Number(row[columns.version]);
  const mark = markIn(row[columns.metadata]);
  const metrics = (row[columns.metrics] ?? {}) as Readonly<Record<string, string>>;
  return mark ? { ...mark, version, metrics } : { version };
}

/** Others write there, too: anything can be in it. */
function markIn(text: unknown): CommitMark | undefined {
  if (typeof text !== "string" || !text.startsWith('{"lakehelm":')) return undefined;
  try {
    const { lakehelm } = JSON.parse(text) as { readonly lakehelm: Partial<CommitMark> };
    const { stream, number, attempt, run, watermark, time } = lakehelm;
    const isMark =
      [stream, attempt, run, time].every((one) => typeof one === "string") && Number.isSafeInteger(number);
    return isMark && (watermark === null || typeof watermark === "string")
      ? (lakehelm as CommitMark)
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Runs a statement that writes to the table, once: the commit has the stream and the number as Delta's transaction id, so a
 * second commit with the same number is not made. Whose commit it was is in the history.
 */
export async function commitOnce(
  session: ClusterSession,
  table: string,
  statement: string,
  mark: CommitMark,
  after: number,
): Promise<FoundCommit> {
  await session.configure({
    "spark.databricks.delta.write.txnAppId": `lakehelm-${mark.stream}`,
    "spark.databricks.delta.write.txnVersion": String(mark.number),
    "spark.databricks.delta.commitInfo.userMetadata": JSON.stringify({ lakehelm: mark }),
  });
  await session.rows(statement);
  const { commit } = await findCommit(session, table, mark.stream, after);
  if (commit?.attempt === mark.attempt) return commit;
  throw new DataProblem("Another run of the connector wrote to the table at the same time.", {
    retryable: true,
  });
}
