import type { Platform } from "../platform.ts";
import type { Workspaces } from "./workspaces.ts";

/** Runs an environment in a Databricks workspace, over its REST API. */
export function createDatabricksPlatform(workspaces: Workspaces): Platform {
  return {
    name: "databricks",
    capabilities: { connectorTargets: [] },
    async perform({ kind, environmentId }) {
      await workspaces.open(environmentId);
      return { done: false, reason: `The platform databricks does not support ${kind} yet.` };
    },
  };
}
