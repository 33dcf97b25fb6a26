/** A consumption flow as data: the validated request, its steps and its quality checks. */
export { loadSqlParser } from "@lakehelm/sql";
export {
  type ConsumptionFlow,
  type FlowColumn,
  type FlowQuery,
  type FlowTrigger,
  isHistory,
  type KnownColumns,
  keyOf,
  qualityTable,
  recheckedTable,
  unmatchedTable,
  views,
} from "./flow.ts";
export { type FlowPlan, planFlow } from "./plan.ts";
export { dateOf } from "./publish/business-date.ts";
export { ageColumn } from "./publish/ranking.ts";
export { replacingRows } from "./publish/replace.ts";
export {
  countRows,
  createQuality,
  defaultDrift,
  driftFailures,
  type FailedCheck,
  lastPassed,
  qualityChecks,
} from "./quality.ts";
export {
  dropColumns,
  dropRebuilt,
  rebuiltFlow,
  rebuiltTable,
  replaceTarget,
  setShape,
  shapeProperty,
} from "./rebuild.ts";
export { readFlow } from "./request/flow-reader.ts";
export { type FlowStep, guardSentence } from "./step.ts";
export { addedNames, targetColumns } from "./target-columns.ts";
export {
  addColumn,
  addConstraint,
  constraints,
  createSchema,
  createTable,
  existingConstraints,
  tagStatements,
} from "./target-ddl.ts";
export { metadataRecord, metadataStatements, recordProperty, setRecord } from "./target-metadata.ts";
