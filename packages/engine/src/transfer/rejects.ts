import type { DuckDBConnection } from "@duckdb/node-api";
import type { Reject } from "../connectors/source/row-sink.ts";
import type { WarehouseColumn } from "../protocol/column.ts";
import { DataProblem } from "../protocol/problem.ts";
import type { Dataset, StoredReject, TransferRequest } from "../protocol/requests.ts";
import { rejectsOf } from "../warehouse/internal-tables.ts";
import { literal } from "../warehouse/names.ts";
import { count, keyText, rowText } from "../warehouse/relation.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";

/** Where the rejects of a run are gathered before it is known whether the run goes through. */
export const gathered = "rejected_now";

export async function openRejects(connection: DuckDBConnection): Promise<void> {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${gathered} (key VARCHAR, reason VARCHAR, "row" VARCHAR)`,
  );
}

/** Rows of a relation for which the condition holds. */
export async function rejectWhere(
  connection: DuckDBConnection,
  relation: string,
  columns: readonly WarehouseColumn[],
  keys: readonly string[],
  condition: string,
  reason: string,
): Promise<number> {
  const done = await connection.run(
    `INSERT INTO ${gathered} SELECT ${keyText(keys)}, ${reason}, ${rowText(columns)} FROM ${relation} WHERE ${condition}`,
  );
  return done.rowsChanged;
}

export async function rejectRows(
  connection: DuckDBConnection,
  rejects: readonly Reject[],
  keys: readonly string[],
): Promise<void> {
  for (let at = 0; at < rejects.length; at += 500) {
    const values = rejects.slice(at, at + 500).map(({ reason, row }) => {
      const key = keys.length === 0 ? null : JSON.stringify(keys.map((name) => textOf(row[name])));
      return `(${key === null ? "NULL" : literal(key)}, ${literal(reason)}, ${literal(JSON.stringify(row, plain))})`;
    });
    await connection.run(`INSERT INTO ${gathered} VALUES ${values.join(", ")}`);
  }
}

const textOf = (value: unknown): string | null =>
  value === null || value === undefined
    ? null
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);

const plain = (_: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value);

/**
 * A run with too many bad rows is stopped: something is wrong with the source, or with what is expected of it. Those that are
 * known already do not count: they come again with every run until somebody mends them. One bad row alone is never too many,
 * unless none is allowed: of the two rows of a small run it would be half.
 */
export async function refuseTooMany(
  connection: DuckDBConnection,
  catalog: string,
  { id, maxRejectShare }: Pick<Dataset, "id" | "maxRejectShare">,
  /** How many rows were read, and how many of them were rejected; not all of those are gathered. */
  { read, rejected }: { readonly read: number; readonly rejected: number },
): Promise<void> {
  const allowed = maxRejectShare === 0 ? 0 : Math.max(1, read * maxRejectShare);
  if (rejected <= allowed) return;
  const known = `SELECT "row" FROM ${rejectsOf(catalog)} WHERE stream = ${literal(id)}`;
  const fresh = rejected - (await count(connection, `${gathered} WHERE "row" IN (${known})`));
  if (fresh <= allowed) return;
  const found = await connection.runAndReadAll(
    `SELECT reason, count(*) AS n FROM ${gathered} GROUP BY reason ORDER BY n DESC, reason LIMIT 3`,
  );
  const reasons = found.getRowsJson().map(([reason, n]) => `${reason} (${n})`);
  throw new DataProblem(
    `${fresh} of ${read} rows were rejected, more than the ${percent(maxRejectShare)} that max_reject_share allows; nothing was written. Most often: ${reasons.join("; ")}`,
  );
}

const percent = (share: number): string => `${Math.round(share * 10_000) / 100} %`;

/** What is rejected now is kept; what was rejected before and has come again is not kept any longer. */
export async function keepRejects(
  connection: DuckDBConnection,
  catalog: string,
  stream: { readonly id: string; readonly run: string; readonly time: string },
  accepted: { readonly relation: string; readonly keys: readonly string[] } | undefined,
): Promise<void> {
  const rejects = rejectsOf(catalog);
  const ours = `stream = ${literal(stream.id)}`;
  await connection.run(
    `DELETE FROM ${rejects} WHERE ${ours} AND (key IN (SELECT key FROM ${gathered}) OR (key IS NULL AND "row" IN (SELECT "row" FROM ${gathered})))`,
  );
  if (accepted && accepted.keys.length > 0) {
    await connection.run(
      `DELETE FROM ${rejects} WHERE ${ours} AND key IN (SELECT ${keyText(accepted.keys)} FROM ${accepted.relation})`,
    );
  }
  await connection.run(
    `INSERT INTO ${rejects} (stream, key, reason, "row", run, rejected_at) SELECT ${literal(stream.id)}, key, reason, "row", ${literal(stream.run)}, ${literal(stream.time)} FROM ${gathered}`,
  );
}

/** What was rejected before, also by a killed attempt of the same run, and has gone through in this one. */
export async function forgetRejects(
  connection: DuckDBConnection,
  catalog: string,
  { dataset }: Pick<TransferRequest, "dataset">,
  /** When this attempt began. */
  begun: string,
  accepted: { readonly relation: string; readonly keys: readonly string[] },
): Promise<void> {
  const rejects = rejectsOf(catalog);
  const earlier = `stream = ${literal(dataset.id)} AND rejected_at < ${literal(begun)}`;
  const anew =
    accepted.keys.length > 0
      ? `key IN (SELECT ${keyText(accepted.keys)} FROM ${accepted.relation})`
      : "false";
  await connection.run(`DELETE FROM ${rejects} WHERE ${earlier} AND ${anew}`);
}

export async function listRejects(
  warehouse: Warehouse,
  streams: readonly string[],
  { skip, limit }: { skip: number; limit: number },
): Promise<{ rejects: StoredReject[]; total: number }> {
  if (streams.length === 0 || warehouse.catalogs.length === 0) return { rejects: [], total: 0 };
  const all = warehouse.catalogs.map((catalog) => `SELECT * FROM ${rejectsOf(catalog)}`).join(" UNION ALL ");
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
