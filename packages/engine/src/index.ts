export type { Reject } from "./connectors/source/row-sink.ts";
export type {
  ConnectionFinding as Finding,
  DatasetDescription as Offered,
} from "./connectors/source/source.ts";
export type { WriteStrategy } from "./connectors/target/target.ts";
export {
  createEngine,
  type Engine,
  type EngineOptions,
  type RequestOptions as Asking,
} from "./process/engine.ts";
export type { WarehouseColumn as Column } from "./protocol/column.ts";
export { DataProblem, EngineLost, type Position } from "./protocol/problem.ts";
export type * from "./protocol/requests.ts";
export { shownType } from "./protocol/types.ts";
