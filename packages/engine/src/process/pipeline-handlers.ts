import { removePipeline } from "../pipelines/pipeline-removal.ts";
import { planPipeline } from "../pipelines/plan.ts";
import { planScript, runScript } from "../pipelines/script.ts";
import { runUpdate } from "../pipelines/update.ts";
import type { RequestHandlers } from "./request-handlers.ts";

export const pipelineHandlers: Pick<
  RequestHandlers,
  "pipelinePlan" | "pipeline" | "removePipeline" | "script" | "scriptPlan"
> = {
  pipelinePlan: async (request, { warehouse, signal }) =>
    planPipeline(await warehouse(request.scope.environment), request, signal),
  pipeline: async (request, context) =>
    runUpdate(await context.warehouse(request.scope.environment), request, context),
  removePipeline: async ({ scope, pipeline }, { warehouse, signal }) =>
    removePipeline(await warehouse(scope.environment), pipeline, signal),
  script: async (request, context) =>
    runScript(await context.warehouse(request.scope.environment), request, context),
  scriptPlan: async (request, { warehouse, signal }) =>
    planScript(await warehouse(request.scope.environment), request, signal),
};
