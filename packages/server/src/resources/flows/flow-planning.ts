import { setTimeout as pause } from "node:timers/promises";
import type { ConsumptionFlowInput } from "@lakehelm/contract";
import type { ExpectedTable, FlowFinding } from "@lakehelm/engine";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import { fullTableName, warehouseScope } from "../../runtime/platforms/warehouse.ts";
import { columnsOfFlow } from "./flow-columns.ts";

/** What the platform's own warehouse says about a flow that it is to run. */
interface PlannedFlow {
  /** Why it cannot run it; null: it can, or does not say. */
  readonly refusal: string | null;
  /** What it knows of the table that the flow writes. */
  readonly target?: FlowFinding["target"];
  /** The same, if it takes longer than a caller should wait. */
  readonly later?: Promise<string | null>;
}

export type PlanFlow = (
  definition: ConsumptionFlowInput,
  env: EnvironmentContext,
  /** The flows that write what this one reads. */
  sources: () => Promise<readonly ConsumptionFlowInput[]>,
) => Promise<PlannedFlow>;

/** The engine needs a second to start, and milliseconds after that. */
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
      // A flow before it may have changed since its last run: then the table does not have its columns yet.
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
