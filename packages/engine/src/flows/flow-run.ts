import type { FlowRequest, FlowResult } from "../protocol/flow.ts";
import { DataProblem } from "../protocol/problem.ts";
import { knownColumnTypes } from "../warehouse/catalog/known-columns.ts";
import { fullName } from "../warehouse/names.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { inTransaction } from "../warehouse/transaction.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { flowProblem } from "./flow-problem.ts";
import { missingColumn, missingValues } from "./missing-values.ts";
import { publish } from "./publication.ts";
import { runQualityChecks, storeQualityResult } from "./quality-checks.ts";
import { readWarehouseFlow, type WarehouseFlow } from "./warehouse-flow.ts";

type FlowContext = Pick<RequestContext, "signal" | "crashPoint" | "now" | "log">;

/**
 * Runs a consumption flow. The statements that a generated notebook would run are executed in one transaction, which
 * changes the target, the unmatched rows and the versions of both. Then the target is checked.
 */
export async function runFlow(
  warehouse: Warehouse,
  run: FlowRequest,
  context: FlowContext,
): Promise<FlowResult> {
  const warehouseFlow = await readWarehouseFlow(run, await columnsOf(warehouse));
  requireDate(run, warehouseFlow);
  await warehouse.createSchema(warehouseFlow.target);
  try {
    const done = await publishAll(warehouse, warehouseFlow, run, context);
    const qualityResult = await runQualityChecks(warehouse, warehouseFlow, run.maxDrift, context.signal);
    await inTransaction(warehouse, context.signal, async (connection) => {
      const at = context.now();
      const isNew = await storeQualityResult(
        connection,
        warehouseFlow,
        qualityResult,
        at,
        done.changed.length > 0,
      );
      if (isNew) await warehouse.recordChange(connection, warehouseFlow.quality, at, "added");
    });
    return { ...done, failedChecks: qualityResult.failures };
  } catch (error) {
    if (context.signal.aborted) throw context.signal.reason;
    const column = missingColumn(error);
    if (column !== undefined) await explainMissing(warehouse, warehouseFlow, run, context, column);
    throw flowProblem(warehouseFlow, error);
  }
}

async function columnsOf(warehouse: Warehouse) {
  const connection = await warehouse.connect();
  try {
    return await knownColumnTypes(warehouse, connection);
  } finally {
    connection.closeSync();
  }
}

const publishAll = (
  warehouse: Warehouse,
  warehouseFlow: WarehouseFlow,
  run: FlowRequest,
  { signal, crashPoint, now, log }: FlowContext,
) =>
  inTransaction(warehouse, signal, async (connection) => {
    const { changed, ...counts } = await publish(warehouse, connection, warehouseFlow, run, log);
    const at = now();
    for (const { name, change } of changed) await warehouse.recordChange(connection, name, at, change);
    crashPoint("written");
    return { ...counts, changed: changed.map(({ name }) => fullName(name)) };
  });

/** Throws the error that says how many rows have no value. All its changes are rolled back. */
const explainMissing = (
  warehouse: Warehouse,
  warehouseFlow: WarehouseFlow,
  run: FlowRequest,
  { signal, log }: FlowContext,
  column: string,
) =>
  inTransaction(warehouse, signal, (connection) =>
    publish(warehouse, connection, warehouseFlow, run, log, async () => {
      throw await missingValues(warehouseFlow, column, connection);
    }),
  );

function requireDate({ businessDate }: FlowRequest, { flow }: WarehouseFlow): void {
  if (businessDate === null) return;
  if (!flow.businessDate) {
    throw new DataProblem(
      `The flow ${JSON.stringify(flow.name)} has no business_date_column, so it cannot be run for a date.`,
    );
  }
  const time = Date.parse(`${businessDate}T00:00:00Z`);
  if (!Number.isNaN(time) && new Date(time).toISOString() === `${businessDate}T00:00:00.000Z`) return;
  throw new DataProblem(`business_date: ${JSON.stringify(businessDate)} is not a date such as 2026-03-01.`);
}
