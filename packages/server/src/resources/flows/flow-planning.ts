import { setTimeout as pause } from "node:timers/promises";
import type { ConsumptionFlowInput } from "@lakehelm/contract";
import type { ExpectedTable, FlowFinding } from "@lakehelm/engine";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import { fullTableName, warehouseScope } from "../../runtime/platforms/warehouse.ts";
import { columnsOfFlow } from "./flow-columns.ts";

/** The answer of the platform's own warehouse to a flow that it is asked to plan. */
interface PlannedFlow {
  /** Why the warehouse cannot run the flow; null: it can, or has not answered. */
  readonly refusal: string | null;
  /** What the warehouse knows about the table that the flow writes. */
  readonly target?: FlowFinding["target"];
  /** The refusal, if the answer takes longer than a caller should wait. */
  readonly later?: Promise<string | null>;
}

export type PlanFlow = (
  definition: ConsumptionFlowInput,
  env: EnvironmentContext,
  /** The flows that write the tables that this flow reads. */
  sources: () => Promise<readonly ConsumptionFlowInput[]>,
) => Promise<PlannedFlow>;

/** The engine needs a second to start, and then milliseconds for each plan. */
const waitMs = 3_000;

async function expectedOf(
  flows: readonly ConsumptionFlowInput[],
  env: EnvironmentContext,
): Promise<ExpectedTable[]> {
  const tables = flows.map(async (flow) => {
    const columns = (await columnsOfFlow(flow, undefined, env)) ?? null;
    return { name: fullTableName(flow.target_name, warehouseScope(env)), columns };
  });
  return Promise.all(tables);
}

const nothing: FlowFinding = { problem: null };

/** Plans a flow in the engine. Without an answer a flow is not refused: its runs show what is wrong. */
export const planInWarehouse: PlanFlow = async (definition, env, sources) => {
  const plan = env.platform.warehouse?.flowPlan;
  if (!plan) return { refusal: null };
  const { signal } = new AbortController();
  const scope = warehouseScope(env);
  const asked = async (expected: readonly ExpectedTable[]) =>
    plan({ scope, flow: definition, expected }, { signal });
  const found = asked([])
    .then(async (first) => {
      if (first.problem === null || !env.platform.expectsTables) return first;
      // A flow that writes a source may have changed since its last run: its table does not have the new columns yet.
      const expected = await expectedOf(await sources(), env);
      return expected.length > 0 ? asked(expected) : first;
    })
    .catch(() => nothing);
  const later = found.then(({ problem }) => problem);
  const timer = new AbortController();
  const timeout = pause(waitMs, undefined, { signal: timer.signal }).catch(() => undefined);
  const first = await Promise.race([found, timeout]);
  timer.abort();
  return first === undefined ? { refusal: null, later } : { refusal: first.problem, target: first.target };
};
