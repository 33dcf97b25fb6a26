import type { DuckDBConnection } from "@duckdb/node-api";
import { defaultDrift, qualityChecks } from "@lakehelm/flows";
import { duckdbMessage } from "../warehouse/duckdb-message.ts";
import { literal, sqlName } from "../warehouse/names.ts";
import { countRows } from "../warehouse/relation.ts";
import { readColumns } from "../warehouse/table-columns.ts";
import { inTransaction } from "../warehouse/transaction.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { portable } from "./portable-sql.ts";
import type { WarehouseFlow } from "./warehouse-flow.ts";

/** The result of the checks after a run. */
export interface QualityResult {
  readonly rows: number;
  readonly failures: readonly string[];
}

/**
 * Each check runs in its own transaction after the rows are committed, so a check that cannot run, because its parent table
 * is missing, is reported and affects nothing else. Messages show no example rows, because they may contain personal data.
 */
export async function runQualityChecks(
  warehouse: Warehouse,
  { flow, target, quality }: WarehouseFlow,
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
      failures.push(`${name}: could not be checked. ${duckdbMessage(error)}`);
    }
  }
  return inTransaction(warehouse, signal, async (connection) => {
    const rows = await countRows(connection, sqlName(target));
    const hasEarlierResults = (await readColumns(connection, quality)) !== undefined;
    return {
      rows,
      failures: [...failures, ...(hasEarlierResults ? await drift(connection, sqlName(quality), rows) : [])],
    };
  });
}

/** Less than half of the rows of the last successful run, or more than twice as many. Small tables may change by 100 rows. */
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
    `row count: ${rows} rows, but the last successful run had ${last}. Expected ${Math.round(fewest)} to ${Math.round(most)}.`,
  ];
}

/** Stores the result, and returns whether it is new: a run that changed nothing and has the same result adds no row. */
export async function storeQualityResult(
  connection: DuckDBConnection,
  { quality }: WarehouseFlow,
  { rows, failures }: QualityResult,
  at: string,
  changed: boolean,
): Promise<boolean> {
  const name = sqlName(quality);
  await connection.run(
    `CREATE TABLE IF NOT EXISTS ${name} (run_at TIMESTAMPTZ NOT NULL, row_count BIGINT NOT NULL, passed BOOLEAN NOT NULL, failures VARCHAR)`,
  );
  const passed = failures.length === 0;
  const failureText = passed ? "NULL" : literal(failures.join("\n"));
  const same = [
    `run_at = (SELECT max(run_at) FROM ${name})`,
    `row_count = ${rows}`,
    `passed = ${passed}`,
    `failures IS NOT DISTINCT FROM ${failureText}`,
  ];
  if (!changed && (await countRows(connection, `${name} WHERE ${same.join(" AND ")}`)) > 0) return false;
  await connection.run(`INSERT INTO ${name} VALUES (${literal(at)}, ${rows}, ${passed}, ${failureText})`);
  return true;
}
