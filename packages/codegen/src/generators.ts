/**
 * Generates artifacts and checks them. It loads the parsers of SQL and Python, so a server imports it in a worker
 * thread.
 */
export { loadSqlParser } from "@lakehelm/sql";
export { type GenerationRequests, type GeneratorName, generateResponse } from "./response.ts";
