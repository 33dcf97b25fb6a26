import { setTimeout as pause } from "node:timers/promises";
import type { Plan } from "@lakehelm/contract";
import type { Client } from "@lakehelm/contract/client";

/** Applies a plan and waits until it has ended. */
export async function appliedPlan(client: Client, plan_id: string): Promise<Plan> {
  await client.applyPlan({ params: { plan_id } });
  return endedPlan(client, plan_id);
}

/** Waits until a plan is no longer being applied. */
export async function endedPlan(client: Client, plan_id: string): Promise<Plan> {
  for (;;) {
    const plan = await client.getPlan({ params: { plan_id } });
    if (plan.status !== "applying") return plan;
    await pause(10);
  }
}
