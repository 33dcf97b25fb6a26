import type { DuckDBConnection } from "@duckdb/node-api";
import { countedSentence } from "@lakehelm/contract/text";
import { driftFailures, type FailedCheck, qualityChecks } from "@lakehelm/flows";
import { literal, sqlName, withCatalogNames } from "../warehouse/names.ts";
import { countRows } from "../warehouse/relation.ts";
import { rowlessMessage } from "../warehouse/rowless-message.ts";
import { readColumns } from "../warehouse/table-columns.ts";
import { inTransaction } from "../warehouse/transaction.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { portable } from "./portable-sql.ts";
import type { WarehouseFlow } from "./warehouse-flow.ts";

/** The result of the checks after a run. */
export interface QualityResult {
  readonly rows: number;
  readonly failures: readonly FailedCheck[];
}

/**
 * Each check runs in its own transaction after the rows are committed, so a check that cannot run, because its parent table
 * is missing, is reported and affects nothing else. Messages show no example rows, because they may contain personal data.
 */
export async function runQualityChecks(
  warehouse: Warehouse,
  warehouseFlow: WarehouseFlow,
  maxDrift: number | null,
  signal: AbortSignal,
): Promise<QualityResult> {
  const { flow, target, quality } = warehouseFlow;
  const failures: FailedCheck[] = [];
  const fail = (text: string, severity: FailedCheck["severity"], query?: string) =>
    failures.push({
      text: withCatalogNames(text),
      severity,
      ...(query && { query: withCatalogNames(query) }),
    });
  for (const { name, sql, failure, severity } of qualityChecks(flow)) {
    try {
      const found = await inTransaction(warehouse, signal, (connection) =>
        countRows(connection, `(${portable(sql)})`),
      );
      if (found > 0) fail(`${name}: ${countedSentence(found, failure)}.`, severity, sql);
    } catch (error) {
      signal.throwIfAborted();
      fail(`${name}: could not be checked. ${rowlessMessage(error)}`, severity);
    }
  }
  return inTransaction(warehouse, signal, async (connection) => {
    const rows = await countRows(connection, sqlName(target));
    const hasEarlierResults = (await readColumns(connection, quality)) !== undefined;
    return {
      rows,
      failures: [
        ...failures,
        ...(hasEarlierResults ? await drift(connection, warehouseFlow, rows, maxDrift) : []),
      ],
    };
  });
}

/** Compares the number of rows with the last run whose checks passed. */
async function drift(
  connection: DuckDBConnection,
  { flow, quality }: WarehouseFlow,
  rows: number,
  allowed: number | null,
): Promise<FailedCheck[]> {
  const found = await connection.runAndReadAll(
    `SELECT row_count FROM ${sqlName(quality)} WHERE passed ORDER BY run_at DESC LIMIT 1`,
  );
  const [row] = found.getRowsJson();
  return row ? driftFailures(flow, rows, Number(row[0]), allowed) : [];
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
  const failureText = passed ? "NULL" : literal(failures.map(({ text }) => text).join("\n"));
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
