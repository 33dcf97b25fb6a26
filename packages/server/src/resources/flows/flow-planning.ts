import { setTimeout as pause } from "node:timers/promises";
import type { ConsumptionFlowInput } from "@lakehelm/contract";
import type { FlowFinding } from "@lakehelm/engine";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import { warehouseScope } from "../../runtime/platforms/warehouse.ts";

/** What the platform's own warehouse says about a flow that it is to run. */
interface PlannedFlow {
  /** Why it cannot run it; null: it can, or does not say. */
  readonly refusal: string | null;
  /** What it knows of the table that the flow writes. */
  readonly target?: FlowFinding["target"];
  /** The same, if it takes longer than a caller should wait. */
  readonly later?: Promise<string | null>;
}

export type PlanFlow = (definition: ConsumptionFlowInput, env: EnvironmentContext) => Promise<PlannedFlow>;

/** The engine needs a second to start, and milliseconds after that. */
const waitMs = 3_000;

const nothing: FlowFinding = { problem: null };

/** Plans a flow in the engine. Without an answer a flow is not refused: its runs show what is wrong. */
export const planInWarehouse: PlanFlow = async (definition, env) => {
  const plan = env.platform.warehouse?.flowPlan;
  if (!plan) return { refusal: null };
  const { signal } = new AbortController();
  const found = plan({ scope: warehouseScope(env), flow: definition }, { signal }).catch(() => nothing);
  const later = found.then(({ problem }) => problem);
  const timer = new AbortController();
  const timeout = pause(waitMs, undefined, { signal: timer.signal }).catch(() => undefined);
  const first = await Promise.race([found, timeout]);
  timer.abort();
  return first === undefined ? { refusal: null, later } : { refusal: first.problem, target: first.target };
};
