import type { endpoints } from "@lakehelm/contract";
import type { Environments } from "../environments/environments.ts";
import { answerWith, type Handlers, listText } from "../http/handler.ts";
import type { Pipelines } from "./pipelines.ts";

type Routes = "createPipeline" | "listPipelines" | "getPipeline" | "updatePipeline" | "deletePipeline";

export function pipelineHandlers(
  pipelines: Pipelines,
  environments: Environments,
): Handlers<Pick<typeof endpoints, Routes>> {
  return {
    async createPipeline(call) {
      const place = await environments.actIn(call.header("x-environment-id"));
      return answerWith(await pipelines.create(call.body, place, call));
    },
    async listPipelines(call) {
      const scope = await environments.filter(call.header("x-environment-id"));
      const { skip, limit } = call.query;
      return { text: listText("pipelines", await pipelines.page(scope, skip, limit)) };
    },
    getPipeline: ({ params }) => pipelines.text(params.pipeline_id),
    updatePipeline: async (call) =>
      answerWith(await pipelines.update(call.params.pipeline_id, call.body, call)),
    async deletePipeline(call) {
      const { name } = await pipelines.remove(call.params.pipeline_id, call);
      return { body: { success: true, message: `Pipeline ${name} deleted.` } };
    },
  };
}
