import type { endpoints } from "@lakehelm/contract";
import type { Handlers } from "../../web/http/handler.ts";
import { listText } from "../../web/http/reply.ts";
import type { Environments } from "../environments/environments.ts";
import type { Plans } from "./plans.ts";

type Routes = "createPlan" | "listPlans" | "getPlan" | "applyPlan" | "approvePlan";

export function planHandlers(
  plans: Plans,
  environments: Environments,
): Handlers<Pick<typeof endpoints, Routes>> {
  return {
    createPlan: (call) => plans.create(call.body, call.query.unchanged, call),
    async listPlans(call) {
      const scope = await environments.filter(call);
      return { text: listText("plans", await plans.page(scope, call.query)) };
    },
    getPlan: async ({ params, query }) => ({ text: await plans.text(params.plan_id, query.unchanged) }),
    applyPlan: async (call) => ({ body: await plans.apply(call.params.plan_id, call) }),
    approvePlan: async (call) => ({ body: await plans.approve(call.params.plan_id, call) }),
  };
}
