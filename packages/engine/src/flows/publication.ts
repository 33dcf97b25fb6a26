import type { DuckDBConnection } from "@duckdb/node-api";
import { dateOf, type FlowStep, planFlow, replacingRows, targetColumns, views } from "@lakehelm/flows";
import type { FlowRequest, FlowResult } from "../protocol/flow.ts";
import type { MergeActionCounts } from "../warehouse/merge.ts";
import { literal, quote, sqlName, type TableName } from "../warehouse/names.ts";
import { requireNoOwner } from "../warehouse/ownership.ts";
import { sameContent, sameName } from "../warehouse/relation.ts";
import type { RequestContext } from "../warehouse/request-context.ts";
import { fitted } from "../warehouse/store-assignment/assigned-value.ts";
import { hasTextLength } from "../warehouse/store-assignment/text-length.ts";
import { readColumns } from "../warehouse/table-columns.ts";
import type { TableChange, Warehouse } from "../warehouse/warehouse.ts";
import { createAuthorView } from "./author-view.ts";
import { writeFlowTags } from "./column-tags.ts";
import { isForRun, noRows, runStep, type StepContext, type StepCounts } from "./flow-step.ts";
import { macros, portableExpression } from "./portable-sql.ts";
import { prepareTarget, rebuildTarget } from "./target-table.ts";
import type { WarehouseFlow } from "./warehouse-flow.ts";

interface Publication extends StepCounts {
  /** Newly stored rows without a match. */
  readonly unmatched: number;
  readonly remarks: FlowResult["remarks"];
  readonly changed: readonly { readonly name: TableName; readonly change: TableChange }[];
}

/** Runs the steps of the flow's plan, within a transaction of the caller. */
export async function publish(
  warehouse: Warehouse,
  connection: DuckDBConnection,
  warehouseFlow: WarehouseFlow,
  { scope, businessDate, fullRefresh = false, discardHistory = false }: FlowRequest,
  log: RequestContext["log"],
  /** Inspects the rows of the run before any of them is written. */
  inspect?: (connection: DuckDBConnection) => Promise<void>,
): Promise<Publication> {
  const { flow, target, unmatched, rechecked, quality } = warehouseFlow;
  for (const name of [target, unmatched, rechecked, quality]) await requireNoOwner(connection, name);
  const viewContext = { warehouse, connection, scope, created: [unmatched] };
  const remarks: FlowResult["remarks"][number][] = [];
  let mayReadTarget = false;
  const context: StepContext = {
    connection,
    businessDate,
    async createAuthorView(...view) {
      const readsView = await createAuthorView(viewContext, ...view);
      mayReadTarget ||= readsView;
      return readsView;
    },
    remark: (level, text) => remarks.push({ level, text }),
  };
  for (const macro of macros) await connection.run(macro);
  const prepared = await prepareTarget(
    connection,
    warehouseFlow,
    { fullRefresh, discardHistory, isPartial: businessDate !== null },
    log,
  );
  if (businessDate !== null) {
    await connection.run(
      `CREATE OR REPLACE TEMP VIEW ${views.run} AS SELECT DATE ${literal(businessDate)} AS business_date`,
    );
  }
  const plan = planFlow(flow);
  const staged = await runSteps(context, plan.read);
  await inspect?.(connection);
  if (mayReadTarget) await keepRows(connection);
  const removed = prepared === "rebuild" ? await rebuildTarget(connection, warehouseFlow) : 0;
  const rows = await runSteps(context, plan.publish, (step) => isUnchanged(context, warehouseFlow, step));
  if (hasChanged(rows)) await requireTextLengths(connection, warehouseFlow);
  const storedUnmatched = await runSteps(context, plan.keep);
  await writeFlowTags(connection, warehouseFlow);
  await connection.run(`DROP TABLE IF EXISTS ${keptRows}`);
  return {
    ...rows,
    deleted: rows.deleted + removed,
    duplicates: staged.duplicates + rows.duplicates,
    remarks,
    unmatched: storedUnmatched.inserted,
    changed: [
      ...(prepared || hasChanged(rows)
        ? [{ name: target, change: changeOf(rows, prepared === "create" || prepared === "rebuild") }]
        : []),
      ...(hasChanged(storedUnmatched) ? [{ name: unmatched, change: changeOf(storedUnmatched) }] : []),
      // Every run that rechecks rows creates this table again.
      ...(hasChanged(staged) ? [{ name: rechecked, change: "recreated" as const }] : []),
    ],
  };
}

const keptRows = `"temp"."main"."kept_rows"`;

/**
 * Materializes the rows of the run before the target changes: a target that is built again is first emptied, and
 * DuckDB's MERGE sees its own rows in the second part of a UNION ALL.
 */
async function keepRows(connection: DuckDBConnection): Promise<void> {
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${keptRows} AS SELECT * FROM ${views.rows}`);
  await connection.run(`CREATE OR REPLACE TEMP VIEW ${views.rows} AS SELECT * FROM ${keptRows}`);
}

/**
 * DuckDB does not limit the length of texts: reading the columns with a declared length finds a text that is too long.
 */
async function requireTextLengths(
  connection: DuckDBConnection,
  { flow, target }: WarehouseFlow,
): Promise<void> {
  const read = targetColumns(flow)
    .filter(({ type }) => hasTextLength(type.sql))
    .map(({ name, type }) => `count(${fitted(quote(name), type.sql, name)})`);
  if (read.length > 0) await connection.run(`SELECT ${read.join(", ")} FROM ${sqlName(target)}`);
}

const changeOf = ({ updated, deleted }: MergeActionCounts, isCreated = false): TableChange =>
  isCreated ? "recreated" : updated + deleted > 0 ? "rewritten" : "added";

const hasChanged = ({ inserted, updated, deleted }: MergeActionCounts): boolean =>
  inserted + updated + deleted > 0;

async function runSteps(
  context: StepContext,
  steps: readonly FlowStep[],
  isUnchanged: (step: FlowStep) => Promise<boolean> = async () => false,
): Promise<StepCounts> {
  let sum = noRows;
  for (const step of steps) {
    if (!isForRun(step, context.businessDate) || (await isUnchanged(step))) continue;
    const { inserted, updated, deleted, duplicates } = (await runStep(context, step)) ?? noRows;
    sum = {
      inserted: sum.inserted + inserted,
      updated: sum.updated + updated,
      deleted: sum.deleted + deleted,
      duplicates: sum.duplicates + duplicates,
    };
  }
  return sum;
}

/** A replaced table that would get the same rows is left unchanged, so that its triggers do not fire. */
async function isUnchanged(
  { connection, businessDate }: StepContext,
  { flow, target }: WarehouseFlow,
  { kind }: FlowStep,
): Promise<boolean> {
  if (flow.publishing !== "replace" || kind !== "merge") return false;
  const columns = (await readColumns(connection, target)) ?? [];
  const compared = columns.filter(({ name }) =>
    targetColumns(flow).some((column) => sameName(column.name, name)),
  );
  const dated =
    flow.businessDate && businessDate !== null
      ? `${sqlName(target)} WHERE ${portableExpression(dateOf(flow.businessDate))} = DATE ${literal(businessDate)}`
      : sqlName(target);
  return sameContent(connection, dated, replacingRows(flow), compared);
}
