export type {
  AutoCdc,
  Expectation,
  Feeding,
  PipelineDataset,
  PipelinePlan,
  PipelineProblem,
  PipelineSource,
  PlainStatement,
  PlanRules,
} from "./plan.ts";
