/** A consumption flow as data, for whoever runs it: the request read, its steps and its checks. */
export { loadSql } from "../sql/load.ts";
export {
  type Column,
  type Flow,
  qualityTable,
  recheckedTable,
  unmatchedTable,
  views,
} from "./flow.ts";
export { planConsumption } from "./plan.ts";
export { dateOf } from "./publish/business-date.ts";
export { qualityChecks, usualDrift } from "./quality.ts";
export { readFlow } from "./request/read-flow.ts";
export type { Step } from "./steps.ts";
export { tableColumns } from "./table-columns.ts";
