import type { EndpointResponse, endpoints } from "@lakehelm/contract";
import { LimitExceeded } from "@lakehelm/engine";
import { Problem } from "../../core/errors.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import { requestWarehouse, warehouseScope } from "../../runtime/platforms/warehouse.ts";

/** Long enough for a count over a large table, and short enough for an interactive caller. */
const patienceMs = 30_000;

/** #18: problems of the query are part of the response, not an error. */
export async function validateQuery(
  env: EnvironmentContext,
  sql: string,
  signal: AbortSignal,
): Promise<EndpointResponse<typeof endpoints.validateQuery>> {
  try {
    const scope = warehouseScope(env);
    const query = {
      scope,
      sql,
      dialect: "databricks",
      skip: 0,
      limit: 1,
      timeoutMs: patienceMs,
      format: "count",
    } as const;
    const { value = 0, columns } = await requestWarehouse(env, "query", query, signal);
    const message = `The query is valid; it has ${columns.length} column${columns.length === 1 ? "" : "s"}.`;
    return { success: true, result: value, message, error: null };
  } catch (error) {
    const isAboutQuery = error instanceof Problem && error.kind === "conflict";
    if (!isAboutQuery || error.cause instanceof LimitExceeded) throw error;
    return { success: false, result: 0, message: null, error: error.message };
  }
}
