import type { endpoints } from "@lakehelm/contract";
import type { Handlers } from "../../web/http/handler.ts";
import { answerWith, listText } from "../../web/http/reply.ts";
import type { Environments } from "../environments/environments.ts";
import type { Flows } from "./flows.ts";

type Routes =
  | "createFlow"
  | "listFlows"
  | "getFlow"
  | "updateFlow"
  | "deleteFlow"
  | "pauseFlow"
  | "resumeFlow";

export function flowHandlers(
  flows: Flows,
  environments: Environments,
): Handlers<Pick<typeof endpoints, Routes>> {
  return {
    async createFlow(call) {
      const env = await environments.actIn(call.header("x-environment-id"));
      return answerWith(await flows.create(call.body, env, call));
    },
    async listFlows(call) {
      const scope = await environments.filter(call);
      return { text: listText("flows", await flows.page(scope, call.query)) };
    },
    getFlow: ({ params }) => flows.text(params.flow_id),
    updateFlow: async (call) => answerWith(await flows.update(call.params.flow_id, call.body, call)),
    async deleteFlow(call) {
      const { name, definition } = await flows.remove(call.params.flow_id, call);
      return {
        body: { success: true, message: `Flow ${name} deleted. The table ${definition.target_name} stays.` },
      };
    },
    pauseFlow: async (call) => answerWith(await flows.pause(call.params.flow_id, call.body ?? {}, call)),
    resumeFlow: async (call) => answerWith(await flows.resume(call.params.flow_id, call)),
  };
}
