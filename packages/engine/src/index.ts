export type { Column } from "./column.ts";
export { type Asking, createEngine, type Engine, type EngineOptions } from "./engine.ts";
export type { Reject } from "./moving/intake.ts";
export { DataProblem, EngineLost, type Position } from "./problem.ts";
export type * from "./requests.ts";
export type { Finding, Offered } from "./sources/source.ts";
export type { WriteStrategy } from "./targets/target.ts";
export { shownType } from "./warehouse/types.ts";
