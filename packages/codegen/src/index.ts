export { loadSqlParser } from "@lakehelm/sql";
export type { TableName } from "@lakehelm/sql/names";
export type { Place } from "./generation-context.ts";
export type { KnownTable } from "./metadata/table-metadata.ts";
export { type Generator, type Requests, respond } from "./response.ts";
