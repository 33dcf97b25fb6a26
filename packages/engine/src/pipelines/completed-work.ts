import type { DuckDBConnection } from "@duckdb/node-api";
import { completedWorkTable } from "../warehouse/internal-tables.ts";
import { literal } from "../warehouse/names.ts";

/** What is done once: a part of an update of a pipeline, or a script. */
export interface WorkKey {
  /** Whose marks replace each other; empty: those of scripts, which time removes. */
  readonly owner: string;
  readonly mark: string;
  readonly part: string;
}

/** What was answered when it was done; undefined: it was not. */
export async function readCompleted(
  connection: DuckDBConnection,
  catalog: string,
  { owner, mark, part }: WorkKey,
): Promise<unknown> {
  const found = await connection.runAndReadAll(
    `SELECT answer FROM ${completedWorkTable(catalog)} WHERE owner = ${literal(owner)} AND mark = ${literal(mark)} AND part = ${literal(part)}`,
  );
  const [row] = found.getRowsJson();
  return row && JSON.parse(String(row[0]));
}

/** A run that is asked again is so within minutes: two days are plenty. */
const keptDays = 2;

/** In the transaction that does it. An update's mark takes the place of that of the update before. */
export async function writeCompleted(
  connection: DuckDBConnection,
  catalog: string,
  { owner, mark, part }: WorkKey,
  answer: unknown,
  at: string,
): Promise<void> {
  const old =
    owner === ""
      ? `done_at < ${literal(at)}::TIMESTAMPTZ - INTERVAL ${keptDays} DAY`
      : `part = ${literal(part)}`;
  await connection.run(
    `DELETE FROM ${completedWorkTable(catalog)} WHERE owner = ${literal(owner)} AND ${old}`,
  );
  const values = [owner, mark, part, JSON.stringify(answer), at].map(literal);
  await connection.run(`INSERT INTO ${completedWorkTable(catalog)} VALUES (${values.join(", ")})`);
}
