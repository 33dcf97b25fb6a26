export type { NameDefaults } from "../names.ts";
export type {
  AutoCdc,
  DatasetColumn,
  DeclaredColumn,
  Expectation,
  Feeding,
  PipelineDataset,
  PipelinePlan,
  PipelineProblem,
  PipelineSource,
  PlainMeaning,
  PlainStatement,
  PlanRules,
  ScriptReading,
  ScriptStatement,
  SourcePlace,
  TextPiece,
} from "./plan.ts";
export { planPipeline } from "./plan-pipeline.ts";
export { readScript } from "./read-script.ts";
export { splitAtSemicolons } from "./split.ts";
export { placeIn } from "./written.ts";
