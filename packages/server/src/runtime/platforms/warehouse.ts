import { DataProblem, EngineLost, type EngineRequests, type WarehouseScope } from "@lakehelm/engine";
import { readTableName } from "@lakehelm/sql/names";
import { conflict, unavailable } from "../../core/errors.ts";
import type { EnvironmentContext } from "./environment-context.ts";
import { generationContextOf } from "./generation-context.ts";
import type { WarehouseRequest } from "./platform.ts";

/** Which warehouse an environment's is, and what completes short names there. */
export function warehouseScope({ environment }: Pick<EnvironmentContext, "environment">): WarehouseScope {
  const read = generationContextOf(environment);
  if ("errors" in read) throw conflict(read.errors.join(" "));
  const { catalog, schema } = read.context;
  return { environment: environment.id, catalog, schema };
}

/** `catalog.schema.table`, as the warehouse counts the changes of tables; a name that is none stays as it is. */
export function fullTableName(text: string, scope: Pick<WarehouseScope, "catalog" | "schema">): string {
  const name = readTableName(text, scope, "");
  return "problem" in name ? text : `${name.catalog}.${name.schema}.${name.table}`.toLowerCase();
}

/** Asks the warehouse of an environment. What is wrong with the question, or outside, is the caller's to hear. */
export async function requestWarehouse<Kind extends WarehouseRequest>(
  { platform }: Pick<EnvironmentContext, "platform">,
  kind: Kind,
  body: EngineRequests[Kind][0],
  signal: AbortSignal,
): Promise<EngineRequests[Kind][1]> {
  if (!platform.warehouse)
    throw conflict(`The platform ${platform.name} has no warehouse that can be asked.`);
  try {
    return await platform.warehouse.request(kind, body, { signal });
  } catch (error) {
    if (error instanceof EngineLost) throw unavailable(error.message, error);
    throw error instanceof DataProblem ? conflict(error.message) : error;
  }
}
