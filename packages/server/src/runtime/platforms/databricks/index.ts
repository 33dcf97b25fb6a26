import type { Settings } from "../../../settings.ts";
import type { Platform } from "../platform.ts";
import { checkWorkspace } from "./check.ts";
import { createWarehouse, describeTable } from "./warehouse/index.ts";
import type { Workspaces } from "./workspaces.ts";

/** Runs an environment in a Databricks workspace, over its REST API. */
export function createDatabricksPlatform(workspaces: Workspaces, settings: Settings): Platform {
  return {
    name: "databricks",
    capabilities: { connectorTargets: [] },
    warehouse: createWarehouse(workspaces, settings),
    describeTable: describeTable(workspaces),
    check: (environment, signal) => checkWorkspace(workspaces, environment, signal),
    async perform({ kind, environmentId }) {
      await workspaces.open(environmentId);
      return { done: false, reason: `The platform databricks does not support ${kind} yet.` };
    },
  };
}
