import {
  type ConsumptionFlowInput,
  droppedColumnsRule,
  type PlanFinding,
  type PlanKind,
  type PlanReference,
} from "@lakehelm/contract";
import { droppedByFlow } from "@lakehelm/contract/changes";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import { fullTableName, requestWarehouse, warehouseScope } from "../../runtime/platforms/warehouse.ts";
import { type ResourceGraph, readersOf } from "./graph.ts";
import { nodeOf, type TableScope } from "./lineage.ts";
import type { PlanSurroundings } from "./plan-surroundings.ts";
import type { PlannedStep } from "./planner.ts";

const maxFlows = 50;
const maxReaders = 200;
const maxShown = 10;

/** Warnings about flows whose next run drops columns that something still reads when the plan is done. */
export async function droppedColumnFindings(
  steps: readonly PlannedStep[],
  around: () => Pick<PlanSurroundings, "graph">,
  scope: TableScope,
  open: () => Promise<EnvironmentContext>,
): Promise<PlanFinding[]> {
  const dropping = steps.flatMap(({ step, live, desired }) => {
    if (step.kind !== "flow" || step.action === "none" || !live || !desired) return [];
    const [before, after] = [live.masked, desired.masked] as unknown as ConsumptionFlowInput[];
    if (!before || !after) return [];
    const table = fullTableName(after.target_name, scope);
    if (fullTableName(before.target_name, scope) !== table) return [];
    const columns = droppedByFlow(before, after);
    return columns.length > 0 ? [{ step, table, columns }] : [];
  });
  if (dropping.length === 0) return [];
  const { graph } = around();
  const findings: PlanFinding[] = [];
  for (const { step, table, columns } of dropping.slice(0, maxFlows)) {
    const readers = [
      ...directReaders(graph, table, columns).map(readerText),
      ...(await brokenViews(open, table, columns)).map((view) => `view ${view}`),
    ];
    if (readers.length === 0) continue;
    const more = readers.length > maxShown ? `, and ${readers.length - maxShown} more` : "";
    const message = `It no longer writes ${columns.join(", ")} of ${table}, and its next run drops that with all values, but something still reads it: ${readers.slice(0, maxShown).join(", ")}${more}. Change what reads it in the same plan, or keep the column.`;
    const { position, kind, name } = step;
    findings.push({ policy: droppedColumnsRule, level: "warn", position, kind, name, message });
  }
  return findings;
}

const directReaders = (graph: ResourceGraph, table: string, columns: readonly string[]) =>
  readersOf(graph, table, columns, maxReaders).filter(({ kind, name }) =>
    graph.lineage(nodeOf(kind as PlanKind, name)).paths.some(({ reads }) => reads.includes(table)),
  );

const readerText = ({ kind, name, columns }: PlanReference): string =>
  `${kind} ${name} (${columns === null ? "all columns, or it is not known which" : columns.join(", ")})`;

/** Names of the views of the warehouse that could no longer be read. None if the warehouse cannot tell. */
async function brokenViews(
  open: () => Promise<EnvironmentContext>,
  table: string,
  columns: readonly string[],
): Promise<readonly string[]> {
  const changes = columns.map((column) => ({ change: "drop" as const, column }));
  try {
    const env = await open();
    const request = { scope: warehouseScope(env), table, changes };
    const found = await requestWarehouse(env, "alterTable", request, new AbortController().signal);
    return found.brokenViews.map(({ name }) => name);
  } catch {
    // The table or a column is not there yet, or the platform makes one change at a time.
    return [];
  }
}
