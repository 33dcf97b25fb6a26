import type { Handlers } from "../handling.ts";

const notYet = async (): Promise<never> => {
  throw new Error("Pipelines are not there yet.");
};

/** What pipelines and scripts ask of the warehouse. */
export const pipelineHandlers: Pick<Handlers, "pipelinePlan" | "pipeline" | "script" | "scriptPlan"> = {
  pipelinePlan: notYet,
  pipeline: notYet,
  script: notYet,
  scriptPlan: notYet,
};
