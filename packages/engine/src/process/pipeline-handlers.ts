import { freeTables } from "../pipelines/pipeline-removal.ts";
import { plannedPipeline } from "../pipelines/plan.ts";
import { plannedScript, runScript } from "../pipelines/script.ts";
import { runUpdate } from "../pipelines/update.ts";
import type { RequestHandlers } from "../warehouse/request-context.ts";

/** What pipelines and scripts ask of the warehouse. */
export const pipelineHandlers: Pick<
  RequestHandlers,
  "pipelinePlan" | "pipeline" | "removePipeline" | "script" | "scriptPlan"
> = {
  pipelinePlan: async (code, { warehouse, signal }) =>
    plannedPipeline(await warehouse(code.scope.environment), code, signal),
  pipeline: async (update, handling) =>
    runUpdate(await handling.warehouse(update.scope.environment), update, handling),
  removePipeline: async ({ scope, pipeline }, { warehouse, signal }) =>
    freeTables(await warehouse(scope.environment), pipeline, signal),
  script: async (script, handling) =>
    runScript(await handling.warehouse(script.scope.environment), script, handling),
  scriptPlan: async (script, { warehouse, signal }) =>
    plannedScript(await warehouse(script.scope.environment), script, signal),
};
