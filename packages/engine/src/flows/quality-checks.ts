import type { DuckDBConnection } from "@duckdb/node-api";
import { defaultDrift, qualityChecks } from "@lakehelm/flows";
import { duckdbMessage } from "../warehouse/duckdb-message.ts";
import { literal, sqlName } from "../warehouse/names.ts";
import { countRows } from "../warehouse/relation.ts";
import { readColumns } from "../warehouse/table-columns.ts";
import { inTransaction } from "../warehouse/transaction.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import type { FlowTables } from "./flow-tables.ts";
import { portable } from "./portable-sql.ts";

/** What the checks found in the table as a run has left it. */
export interface QualityResult {
  readonly rows: number;
  readonly failures: readonly string[];
}

/**
 * Each check has a transaction of its own, after that of the rows: one that cannot be made, because a parent table is not
 * there, says so and spoils nothing. No example rows are told: they may be personal data.
 */
export async function runQualityChecks(
  warehouse: Warehouse,
  { flow, target, quality }: FlowTables,
  signal: AbortSignal,
): Promise<QualityResult> {
  const failures: string[] = [];
  for (const { name, sql, failure } of qualityChecks(flow)) {
    try {
      const found = await inTransaction(warehouse, signal, (connection) =>
        countRows(connection, `(${portable(sql)})`),
      );
      if (found > 0) failures.push(`${name}: ${found} ${failure}.`);
    } catch (error) {
      signal.throwIfAborted();
      failures.push(`${name}: it could not be checked. ${duckdbMessage(error)}`);
    }
  }
  return inTransaction(warehouse, signal, async (connection) => {
    const rows = await countRows(connection, sqlName(target));
    const judged = (await readColumns(connection, quality)) !== undefined;
    return {
      rows,
      failures: [...failures, ...(judged ? await drift(connection, sqlName(quality), rows) : [])],
    };
  });
}

/** Less than half of the rows of the last good run, or more than twice as many. A small table doubles easily. */
async function drift(connection: DuckDBConnection, quality: string, rows: number): Promise<string[]> {
  const found = await connection.runAndReadAll(
    `SELECT row_count FROM ${quality} WHERE passed ORDER BY run_at DESC LIMIT 1`,
  );
  const [row] = found.getRowsJson();
  if (!row) return [];
  const [last, allowed] = [Number(row[0]), Number(defaultDrift)];
  const [fewest, most] = [last * (1 - allowed), last / (1 - allowed)];
  if (Math.abs(rows - last) <= 100 || (rows >= fewest && rows <= most)) return [];
  return [
    `row count: there are ${rows} rows after ${last}, where ${Math.round(fewest)} to ${Math.round(most)} are usual.`,
  ];
}

/** Keeps what was found, and answers whether it was new: a run that changed nothing and finds the same adds no row. */
export async function storeQualityResult(
  connection: DuckDBConnection,
  { quality }: FlowTables,
  { rows, failures }: QualityResult,
  at: string,
  changed: boolean,
): Promise<boolean> {
  const name = sqlName(quality);
  await connection.run(
    `CREATE TABLE IF NOT EXISTS ${name} (run_at TIMESTAMPTZ NOT NULL, row_count BIGINT NOT NULL, passed BOOLEAN NOT NULL, failures VARCHAR)`,
  );
  const passed = failures.length === 0;
  const told = passed ? "NULL" : literal(failures.join("\n"));
  const same = [
    `run_at = (SELECT max(run_at) FROM ${name})`,
    `row_count = ${rows}`,
    `passed = ${passed}`,
    `failures IS NOT DISTINCT FROM ${told}`,
  ];
  if (!changed && (await countRows(connection, `${name} WHERE ${same.join(" AND ")}`)) > 0) return false;
  await connection.run(`INSERT INTO ${name} VALUES (${literal(at)}, ${rows}, ${passed}, ${told})`);
  return true;
}
