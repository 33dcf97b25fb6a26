import type { DuckDBConnection } from "@duckdb/node-api";
import type { WarehouseColumn } from "../protocol/column.ts";
import { DataProblem } from "../protocol/problem.ts";
import type { Dataset, Reject, StoredReject, TransferRequest } from "../protocol/transfer.ts";
import { rejectsTable } from "../warehouse/internal-tables.ts";
import { literal } from "../warehouse/names.ts";
import { countRows, keyText, rowText } from "../warehouse/relation.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";

/** Temporary table with the rejects of a run, until it is known whether the run succeeds. */
export const pendingRejects = "rejected_now";

export async function createPendingRejects(connection: DuckDBConnection): Promise<void> {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${pendingRejects} (key VARCHAR, reason VARCHAR, "row" VARCHAR)`,
  );
}

/** Rejects the rows of a relation for which the condition holds. */
export async function rejectWhere(
  connection: DuckDBConnection,
  relation: string,
  columns: readonly WarehouseColumn[],
  keys: readonly string[],
  condition: string,
  reason: string,
): Promise<number> {
  const inserted = await connection.run(
    `INSERT INTO ${pendingRejects} SELECT ${keyText(keys)}, ${reason}, ${rowText(columns)} FROM ${relation} WHERE ${condition}`,
  );
  return inserted.rowsChanged;
}

export async function addRejects(
  connection: DuckDBConnection,
  rejects: readonly Reject[],
  keys: readonly string[],
): Promise<void> {
  for (let at = 0; at < rejects.length; at += 500) {
    const values = rejects.slice(at, at + 500).map(({ reason, row }) => {
      const key = keys.length === 0 ? null : JSON.stringify(keys.map((name) => textOf(row[name])));
      return `(${key === null ? "NULL" : literal(key)}, ${literal(reason)}, ${literal(JSON.stringify(row, jsonValue))})`;
    });
    await connection.run(`INSERT INTO ${pendingRejects} VALUES ${values.join(", ")}`);
  }
}

const textOf = (value: unknown): string | null =>
  value === null || value === undefined
    ? null
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);

const jsonValue = (_: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value);

/**
 * Fails a run with too many rejects, because then the source or the configuration is wrong. Rejects that are already stored do not
 * count, because they come back with every run until they are fixed. A single reject is never too many unless the limit is
 * 0: in a run of two rows it would be half.
 */
export async function checkRejectShare(
  connection: DuckDBConnection,
  catalog: string,
  { id, maxRejectShare }: Pick<Dataset, "id" | "maxRejectShare">,
  /** Rows read, and rows rejected. Only the first rejects are in `pendingRejects`. */
  { read, rejected }: { readonly read: number; readonly rejected: number },
): Promise<void> {
  const allowed = maxRejectShare === 0 ? 0 : Math.max(1, read * maxRejectShare);
  if (rejected <= allowed) return;
  const known = `SELECT "row" FROM ${rejectsTable(catalog)} WHERE stream = ${literal(id)}`;
  const newRejects = rejected - (await countRows(connection, `${pendingRejects} WHERE "row" IN (${known})`));
  if (newRejects <= allowed) return;
  const found = await connection.runAndReadAll(
    `SELECT reason, count(*) AS n FROM ${pendingRejects} GROUP BY reason ORDER BY n DESC, reason LIMIT 3`,
  );
  const reasons = found.getRowsJson().map(([reason, n]) => `${reason} (${n})`);
  throw new DataProblem(
    `${newRejects} of ${read} rows were rejected, more than the ${percent(maxRejectShare)} that max_reject_share allows. Nothing was written. Most frequent reasons: ${reasons.join("; ")}`,
  );
}

const percent = (share: number): string => `${Math.round(share * 10_000) / 100} %`;

/** Stores the rejects of this run, and deletes older rejects whose rows were accepted or rejected again. */
export async function storeRejects(
  connection: DuckDBConnection,
  catalog: string,
  stream: { readonly id: string; readonly run: string; readonly time: string },
  accepted: { readonly relation: string; readonly keys: readonly string[] } | undefined,
): Promise<void> {
  const rejects = rejectsTable(catalog);
  const isOfStream = `stream = ${literal(stream.id)}`;
  await connection.run(
    `DELETE FROM ${rejects} WHERE ${isOfStream} AND (key IN (SELECT key FROM ${pendingRejects}) OR (key IS NULL AND "row" IN (SELECT "row" FROM ${pendingRejects})))`,
  );
  if (accepted && accepted.keys.length > 0) {
    await connection.run(
      `DELETE FROM ${rejects} WHERE ${isOfStream} AND key IN (SELECT ${keyText(accepted.keys)} FROM ${accepted.relation})`,
    );
  }
  await connection.run(
    `INSERT INTO ${rejects} (stream, key, reason, "row", run, rejected_at) SELECT ${literal(stream.id)}, key, reason, "row", ${literal(stream.run)}, ${literal(stream.time)} FROM ${pendingRejects}`,
  );
}

/** Deletes rejects whose rows this attempt delivered, also those of an earlier attempt of the same run. */
export async function deleteAcceptedRejects(
  connection: DuckDBConnection,
  catalog: string,
  { dataset }: Pick<TransferRequest, "dataset">,
  /** The start of this attempt. */
  startedAt: string,
  accepted: { readonly relation: string; readonly keys: readonly string[] },
): Promise<void> {
  const rejects = rejectsTable(catalog);
  const earlier = `stream = ${literal(dataset.id)} AND rejected_at < ${literal(startedAt)}`;
  const isAccepted =
    accepted.keys.length > 0
      ? `key IN (SELECT ${keyText(accepted.keys)} FROM ${accepted.relation})`
      : "false";
  await connection.run(`DELETE FROM ${rejects} WHERE ${earlier} AND ${isAccepted}`);
}

export async function listRejects(
  warehouse: Warehouse,
  streams: readonly string[],
  { skip, limit }: { skip: number; limit: number },
): Promise<{ rejects: StoredReject[]; total: number }> {
  if (streams.length === 0 || warehouse.catalogs.length === 0) return { rejects: [], total: 0 };
  const all = warehouse.catalogs
    .map((catalog) => `SELECT * FROM ${rejectsTable(catalog)}`)
    .join(" UNION ALL ");
  const from = `FROM (${all}) WHERE stream IN (${streams.map(literal).join(", ")})`;
  const connection = await warehouse.connect();
  try {
    const rows = await connection.runAndReadAll(
      `SELECT id::VARCHAR, stream, reason, "row", run, rejected_at ${from} ORDER BY id LIMIT ${limit} OFFSET ${skip}`,
    );
    const total = Number((await connection.runAndReadAll(`SELECT count(*) ${from}`)).getRowsJson()[0]?.[0]);
    const rejects = rows.getRowsJson().map(([id, dataset, reason, row, run, time]) => ({
      id: String(id),
      dataset: String(dataset),
      reason: String(reason),
      row: JSON.parse(String(row)) as Record<string, unknown>,
      run: String(run),
      time: String(time),
    }));
    return { rejects, total };
  } finally {
    connection.closeSync();
  }
}
