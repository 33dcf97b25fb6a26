import type { Settings } from "../../../settings.ts";
import type { Platform } from "../platform.ts";
import { checkWorkspace } from "./check.ts";
import { connectorTargets } from "./jobs/requests.ts";
import { pipelineGraph } from "./pipelines/pipeline-graph.ts";
import { createWarehouse, describeTable } from "./warehouse/index.ts";
import type { Workspaces } from "./workspaces.ts";

/** Runs an environment in a Databricks workspace, over its REST API. */
export function createDatabricksPlatform(
  workspaces: Workspaces,
  settings: Settings,
  resources: Required<Pick<Platform, "perform" | "recorded" | "remoteJobs" | "drift">>,
): Platform {
  return {
    name: "databricks",
    capabilities: { connectorTargets },
    warehouse: createWarehouse(workspaces, settings),
    describeTable: describeTable(workspaces),
    check: (environment, signal) => checkWorkspace(workspaces, environment, signal),
    async pipelineGraph(environmentId, reference) {
      return pipelineGraph((await workspaces.open(environmentId)).client, reference);
    },
    ...resources,
  };
}
