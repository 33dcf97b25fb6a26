import { isNoTable } from "@lakehelm/spark-connect";
import type { WorkSession } from "./work-session.ts";

/** A commit of a Delta table. */
export interface Commit {
  readonly version: number;
  readonly at: string;
  readonly operation: string;
  /** The commit replaced existing rows. */
  readonly isOverwrite: boolean;
  readonly metrics: Readonly<Record<string, string>>;
  /** What the writer said about the commit. */
  readonly mark: string | null;
}

export interface RowCounts {
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
}

export const noRows: RowCounts = { inserted: 0, updated: 0, deleted: 0 };

/** Columns of DESCRIBE HISTORY, by their position. */
const columns = {
  version: 0,
  timestamp: 1,
  operation: 4,
  parameters: 5,
  metrics: 12,
  userMetadata: 13,
} as const;
/**
 * How many commits are searched for that of an earlier attempt: attempts follow within minutes. Beyond these commits,
 * Delta's transaction ids prevent a second one.
 */
const newest = 200;

/** The newest commits of a table, the newest first; none if there is no such table. */
export async function historyOf(
  session: Pick<WorkSession, "rows">,
  table: string,
  limit = newest,
): Promise<Commit[]> {
  try {
    const rows = await session.rows(`DESCRIBE HISTORY ${quoted(table)} LIMIT ${limit}`);
    return rows.map((row) => ({
      version: Number(row[columns.version]),
      at: String(row[columns.timestamp]),
      operation: String(row[columns.operation]),
      isOverwrite: /overwrite/i.test(
        String((row[columns.parameters] as Record<string, unknown>)?.mode ?? ""),
      ),
      metrics: (row[columns.metrics] ?? {}) as Record<string, string>,
      mark: typeof row[columns.userMetadata] === "string" ? String(row[columns.userMetadata]) : null,
    }));
  } catch (error) {
    if (isNoTable(error)) return [];
    throw error;
  }
}

/** Delta's parser does not accept words such as `history` as names here. */
const quoted = (table: string): string =>
  table.includes("`")
    ? table
    : table
        .split(".")
        .map((part) => `\`${part}\``)
        .join(".");

/** What a commit did to rows. Delta does not count the rows that an overwrite replaces. */
export function countsOf({ metrics }: Pick<Commit, "metrics">): RowCounts {
  const first = (...names: readonly string[]): number =>
    Number(names.map((name) => metrics[name]).find((value) => value !== undefined) ?? 0);
  return {
    inserted: "numTargetRowsInserted" in metrics ? first("numTargetRowsInserted") : insertedBy(metrics),
    updated: first("numTargetRowsUpdated", "numUpdatedRows"),
    deleted: first("numTargetRowsDeleted", "numDeletedRows"),
  };
}

/** UPDATE and DELETE count the rows that they copied as output. */
const insertedBy = (metrics: Commit["metrics"]): number =>
  "numUpdatedRows" in metrics || "numDeletedRows" in metrics || "numCopiedRows" in metrics
    ? 0
    : Number(metrics.numOutputRows ?? 0);
