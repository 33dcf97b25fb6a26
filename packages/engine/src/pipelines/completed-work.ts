import type { DuckDBConnection } from "@duckdb/node-api";
import { completedWorkTable } from "../warehouse/internal-tables.ts";
import { literal } from "../warehouse/names.ts";

/** Identifies work that runs once: a step of a pipeline update, or a script. */
export interface WorkKey {
  /** A newer record of the same owner and step replaces an older one. Scripts have no owner; their records expire. */
  readonly owner: string;
  readonly idempotencyKey: string;
  readonly step: string;
}

/** The stored result; undefined if the work has not been completed. */
export async function readCompleted(
  connection: DuckDBConnection,
  catalog: string,
  { owner, idempotencyKey, step }: WorkKey,
): Promise<unknown> {
  const found = await connection.runAndReadAll(
    `SELECT answer FROM ${completedWorkTable(catalog)} WHERE owner = ${literal(owner)} AND mark = ${literal(idempotencyKey)} AND part = ${literal(step)}`,
  );
  const [row] = found.getRowsJson();
  return row && JSON.parse(String(row[0]));
}

/** A request is retried within minutes, so two days are plenty. */
const retentionDays = 2;

/** Call it in the transaction that does the work. A record replaces that of the previous update. */
export async function writeCompleted(
  connection: DuckDBConnection,
  catalog: string,
  { owner, idempotencyKey, step }: WorkKey,
  result: unknown,
  at: string,
): Promise<void> {
  const old =
    owner === ""
      ? `done_at < ${literal(at)}::TIMESTAMPTZ - INTERVAL ${retentionDays} DAY`
      : `part = ${literal(step)}`;
  await connection.run(
    `DELETE FROM ${completedWorkTable(catalog)} WHERE owner = ${literal(owner)} AND ${old}`,
  );
  const values = [owner, idempotencyKey, step, JSON.stringify(result), at].map(literal);
  await connection.run(`INSERT INTO ${completedWorkTable(catalog)} VALUES (${values.join(", ")})`);
}
