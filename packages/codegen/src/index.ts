export type { KnownTable } from "./metadata/known.ts";
export type { TableName } from "./names.ts";
export type { Place } from "./place.ts";
export { type Generator, type Requests, respond } from "./respond.ts";
export { loadSql } from "./sql/load.ts";
