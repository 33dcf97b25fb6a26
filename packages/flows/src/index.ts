/** A consumption flow as data, for whoever runs it: the request read, its steps and its checks. */
export { loadSqlParser } from "@lakehelm/sql";
export {
  type Column,
  type Flow,
  isHistory,
  keyOf,
  type Query,
  qualityTable,
  recheckedTable,
  unmatchedTable,
  views,
} from "./flow.ts";
export { type Plan, planConsumption } from "./plan.ts";
export { dateOf } from "./publish/business-date.ts";
export { age } from "./publish/ranking.ts";
export { countRows, createQuality, lastPassed, qualityChecks, usualDrift } from "./quality.ts";
export { readFlow } from "./request/flow-reader.ts";
export type { Step } from "./step.ts";
export { addedNames, tableColumns } from "./target-columns.ts";
export {
  addColumn,
  addConstraint,
  constraints,
  createSchema,
  createTable,
  knownConstraints,
  tagStatements,
} from "./target-ddl.ts";
