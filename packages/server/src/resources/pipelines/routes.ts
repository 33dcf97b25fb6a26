import type { endpoints, PipelineResponse } from "@lakehelm/contract";
import { type Stored, textOf } from "../../core/store/collection.ts";
import type { HandlerResult, Handlers } from "../../web/http/handler.ts";
import { listText } from "../../web/http/reply.ts";
import type { Environments } from "../environments/environments.ts";
import type { PipelineDocument } from "./document.ts";
import type { PipelineStatus } from "./pipeline-status.ts";
import type { Pipelines } from "./pipelines.ts";

type Routes = "createPipeline" | "listPipelines" | "getPipeline" | "updatePipeline" | "deletePipeline";

export function pipelineHandlers(
  pipelines: Pipelines,
  environments: Environments,
  status: PipelineStatus,
): Handlers<Pick<typeof endpoints, Routes>> {
  async function answerWith({
    doc,
    version,
  }: Pick<Stored<PipelineDocument>, "doc" | "version">): Promise<HandlerResult<PipelineResponse>> {
    return { text: await status.of(textOf(doc)), version };
  }
  return {
    async createPipeline(call) {
      const env = await environments.actIn(call.header("x-environment-id"));
      return answerWith(await pipelines.create(call.body, env, call));
    },
    async listPipelines(call) {
      const scope = await environments.filter(call);
      const { items, ...page } = await pipelines.page(scope, call.query);
      return { text: listText("pipelines", { ...page, joined: (await status.ofAll(items)).join(",") }) };
    },
    async getPipeline({ params }) {
      const { text, version } = await pipelines.text(params.pipeline_id);
      return { text: await status.of(text), version, isComputed: true };
    },
    updatePipeline: async (call) =>
      answerWith(await pipelines.update(call.params.pipeline_id, call.body, call)),
    async deletePipeline(call) {
      const { name } = await pipelines.remove(call.params.pipeline_id, call);
      return { body: { success: true, message: `Pipeline ${name} deleted.` } };
    },
  };
}
