export type { Finding, Offered } from "./connectors/source/source.ts";
export type { WriteStrategy } from "./connectors/target/target.ts";
export { type Asking, createEngine, type Engine, type EngineOptions } from "./process/engine.ts";
export type { Column } from "./protocol/column.ts";
export { DataProblem, EngineLost, type Position } from "./protocol/problem.ts";
export type * from "./protocol/requests.ts";
export type { Reject } from "./transfer/intake.ts";
export { shownType } from "./warehouse/types.ts";
