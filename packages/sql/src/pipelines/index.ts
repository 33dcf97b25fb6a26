/** Reads the SQL of pipelines and tasks, and orders the steps to run. */

export type { NameDefaults } from "../names/table-name.ts";
export { type DataPath, type DataPaths, dataPathsOf } from "./data-paths.ts";
export { planPipeline } from "./pipeline-planner.ts";
export type {
  AutoCdcFlow,
  DatasetColumn,
  DeclaredColumn,
  Expectation,
  FileLocation,
  PipelineDataset,
  PipelineFlow,
  PipelinePlan,
  PipelineProblem,
  PipelineSource,
  PlainMeaning,
  PlainStatement,
  PlanRules,
  ScriptAnalysis,
  ScriptStatement,
  SourceSegment,
} from "./plan.ts";
export { readScript } from "./script-reader.ts";
export { locateInFile } from "./source-text.ts";
