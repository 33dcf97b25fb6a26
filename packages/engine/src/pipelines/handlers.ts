import type { Handlers } from "../process/handler.ts";
import { freeTables } from "./gone.ts";
import { plannedPipeline } from "./plan.ts";
import { plannedScript, runScript } from "./script.ts";
import { runUpdate } from "./update.ts";

/** What pipelines and scripts ask of the warehouse. */
export const pipelineHandlers: Pick<
  Handlers,
  "pipelinePlan" | "pipeline" | "pipelineGone" | "script" | "scriptPlan"
> = {
  pipelinePlan: async (code, { warehouse, signal }) =>
    plannedPipeline(await warehouse(code.where.environment), code, signal),
  pipeline: async (update, handling) =>
    runUpdate(await handling.warehouse(update.where.environment), update, handling),
  pipelineGone: async ({ where, pipeline }, { warehouse, signal }) =>
    freeTables(await warehouse(where.environment), pipeline, signal),
  script: async (script, handling) =>
    runScript(await handling.warehouse(script.where.environment), script, handling),
  scriptPlan: async (script, { warehouse, signal }) =>
    plannedScript(await warehouse(script.where.environment), script, signal),
};
