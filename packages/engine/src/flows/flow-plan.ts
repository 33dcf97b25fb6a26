import type { DuckDBConnection } from "@duckdb/node-api";
import { type ConsumptionFlow, planFlow, views } from "@lakehelm/flows";
import { type ExpectedTables, expectedTables, withExpected } from "../pipelines/code/expected-tables.ts";
import type { WarehouseColumn } from "../protocol/column.ts";
import type { FlowFinding, FlowPlanRequest } from "../protocol/flow.ts";
import { DataProblem } from "../protocol/problem.ts";
import { databricksType } from "../protocol/types.ts";
import { knownColumnTypes } from "../warehouse/catalog/known-columns.ts";
import { sqlName } from "../warehouse/names.ts";
import { requireNoOwner } from "../warehouse/ownership.ts";
import { MissingTable } from "../warehouse/queries/query-access.ts";
import { columnDeclaration } from "../warehouse/store-assignment/text-length.ts";
import { readColumns } from "../warehouse/table-columns.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { createAuthorView } from "./author-view.ts";
import { flowProblem } from "./flow-problem.ts";
import { runStep, type StepContext } from "./flow-step.ts";
import { findTarget } from "./target-table.ts";
import { readWarehouseFlow, type WarehouseFlow } from "./warehouse-flow.ts";

/**
 * Why the warehouse could not run a flow. Binds its SELECTs as temporary views, and reads no rows. A table that does not
 * exist yet is no problem.
 */
export async function planFlowRun(warehouse: Warehouse, request: FlowPlanRequest): Promise<FlowFinding> {
  const connection = await warehouse.connect();
  try {
    const known = await knownColumnTypes(warehouse, connection);
    const later = expectedTables(request.expected ?? [], known);
    const flow = await readWarehouseFlow(request, withExpected(known, later, typesByName));
    await requireRunnable(warehouse, connection, flow, request, later);
    const hasCatalog = warehouse.catalogs.includes(flow.target.catalog);
    const { facts, before = null } = await findTarget(connection, flow, hasCatalog);
    return { problem: null, target: { facts, before } };
  } catch (error) {
    if (!(error instanceof DataProblem)) throw error;
    return { problem: error.message };
  } finally {
    connection.closeSync();
  }
}

const typesByName = (columns: readonly WarehouseColumn[]) =>
  Object.fromEntries(columns.map(({ name, type }) => [name, databricksType(type)]));

async function requireRunnable(
  warehouse: Warehouse,
  connection: DuckDBConnection,
  warehouseFlow: WarehouseFlow,
  { scope }: FlowPlanRequest,
  { tables }: ExpectedTables,
): Promise<void> {
  const { flow, target, unmatched, rechecked, quality } = warehouseFlow;
  if (warehouse.catalogs.includes(target.catalog))
    for (const name of [target, unmatched, rechecked, quality]) await requireNoOwner(connection, name);
  const standIns = new Map<string, string>();
  for (const [at, { name, columns }] of tables.entries()) {
    const standIn = `"temp"."main"."expected_${at}"`;
    await connection.run(`CREATE TEMP TABLE ${standIn} (${columns.map(columnDeclaration).join(", ")})`);
    standIns.set(sqlName(name), standIn);
  }
  const viewContext = { warehouse, connection, scope, created: tables.map(({ name }) => name), standIns };
  const context: StepContext = {
    connection,
    businessDate: null,
    createAuthorView: (...view) => createAuthorView(viewContext, ...view),
    remark: () => undefined,
  };
  const bound = boundViews(flow, (await readColumns(connection, unmatched)) !== undefined);
  for (const step of planFlow(flow).read) {
    if (step.kind !== "view" || !bound.has(step.view)) continue;
    await runStep(context, step).catch((error) => {
      if (!isMissingTable(error)) throw flowProblem(warehouseFlow, error, "cannot run");
    });
  }
}

/**
 * The SELECTs of the author, and the casts of their columns. Views that read the target or the unmatched rows are left
 * out, because a run first adds new columns to these tables.
 */
const boundViews = ({ recheck }: ConsumptionFlow, hasUnmatched: boolean): ReadonlySet<string> =>
  new Set([
    views.matched,
    views.unmatched,
    ...(recheck ? [] : [views.rows]),
    ...(recheck && !hasUnmatched ? [views.recheck] : []),
  ]);

/** The error may also come from a view of the plan that reads a missing table. */
const isMissingTable = (error: unknown): boolean =>
  error instanceof MissingTable ||
  (error instanceof Error &&
    (/^Catalog Error: Table with name .* does not exist/.test(error.message) || isMissingTable(error.cause)));
