import { isMap } from "@lakehelm/contract/connections";
import { DataProblem, EngineLost, type EngineRequests, type WarehouseScope } from "@lakehelm/engine";
import { readTableName } from "@lakehelm/sql/names";
import { conflict, Problem } from "../../core/errors.ts";
import type { EnvironmentContext } from "./environment-context.ts";
import { generationContextOf } from "./generation-context.ts";
import type { Warehouse, WarehouseRequest } from "./platform.ts";

/** What a warehouse can do, worded to follow "cannot". */
const abilities: Readonly<Record<WarehouseRequest, string>> = {
  query: "run queries",
  catalog: "list tables",
  metadata: "change descriptions and tags",
  applyMetadata: "change descriptions and tags",
  alterTable: "change the columns of tables: run ALTER TABLE in an SQL editor of the workspace",
  check: "check connectors: run one to see whether it works",
  discover: "list the datasets of a connected system",
  listFiles: "list files in object storage",
  preview: "preview a run of a connector: its rows are read only when it runs",
  rejects: "list rejected rows",
  endCapture: "stop reading the log of a source",
  pipelinePlan: "plan pipelines",
  scriptPlan: "plan scripts",
  flowPlan: "plan flows",
};

/** The warehouse of an environment, and its default catalog and schema. */
export function warehouseScope({ environment }: Pick<EnvironmentContext, "environment">): WarehouseScope {
  const read = generationContextOf(environment);
  if ("errors" in read) throw conflict(read.errors.join(" "));
  const { catalog, schema } = read.context;
  return { environment: environment.id, catalog, schema };
}

/** The catalog and schema that complete the names of tables. */
export type TableScope = Pick<WarehouseScope, "catalog" | "schema">;

/** A connector that imports may name another catalog and schema for its tables. */
export function connectorScope(
  { target_type, target_config }: { readonly target_type?: unknown; readonly target_config?: unknown },
  scope: TableScope,
): TableScope {
  if (target_type !== "warehouse" || !isMap(target_config)) return scope;
  const { catalog, schema } = target_config;
  return {
    catalog: typeof catalog === "string" ? catalog : scope.catalog,
    schema: typeof schema === "string" ? schema : scope.schema,
  };
}

/** `catalog.schema.table`, as the warehouse counts the changes of tables; an invalid name is returned unchanged. */
export function fullTableName(text: string, scope: TableScope): string {
  const name = readTableName(text, scope, "");
  return "problem" in name ? text : `${name.catalog}.${name.schema}.${name.table}`.toLowerCase();
}

/**
 * Sends a request to the warehouse of an environment. Problems of the request, or of an external system, become errors
 * for the caller.
 */
export async function requestWarehouse<Kind extends WarehouseRequest>(
  { platform }: Pick<EnvironmentContext, "platform">,
  kind: Kind,
  body: EngineRequests[Kind][0],
  signal: AbortSignal,
): Promise<EngineRequests[Kind][1]> {
  if (!platform.warehouse) throw conflict(`The platform ${platform.name} has no warehouse.`);
  const request: Warehouse[Kind] = platform.warehouse[kind];
  if (!request) throw conflict(`The platform ${platform.name} cannot ${abilities[kind]}.`);
  try {
    return await request(body, { signal });
  } catch (error) {
    if (error instanceof EngineLost)
      throw new Problem("unavailable", error.message, { retryAfterSeconds: 1, cause: error });
    throw error instanceof DataProblem ? new Problem("conflict", error.message, { cause: error }) : error;
  }
}
