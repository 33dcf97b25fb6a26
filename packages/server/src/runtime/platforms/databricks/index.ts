import type { Settings } from "../../../settings.ts";
import { uiAppRefusal } from "../../processes/components.ts";
import { resourcesOf, targetsOf } from "../capabilities.ts";
import type { Platform, TransactionalResult } from "../platform.ts";
import { isComponentRequest } from "../platform-request.ts";
import { checkWorkspace } from "./check.ts";
import type { WorkspaceComponents } from "./components/index.ts";
import { workspaceCredentialHost, workspaceKeys } from "./configuration.ts";
import { automationProblems } from "./jobs/automation-problems.ts";
import { pipelineGraph } from "./pipelines/pipeline-graph.ts";
import { createWarehouse } from "./warehouse/index.ts";
import type { Workspaces } from "./workspaces.ts";

/** Runs an environment in a Databricks workspace, over its REST API. */
export function createDatabricksPlatform(
  workspaces: Workspaces,
  settings: Settings,
  resources: Required<Pick<Platform, "perform" | "recorded" | "remoteJobs" | "drift" | "fileCopies">>,
  { remoteComponents }: Pick<WorkspaceComponents, "remoteComponents">,
): Platform {
  return {
    name: "databricks",
    configurationKeys: workspaceKeys,
    credentialHost: workspaceCredentialHost,
    capabilities: {
      resources: resourcesOf.databricks,
      connectorTargets: targetsOf("byGeneratedCode"),
      managedEndpoints: true,
    },
    warehouse: createWarehouse(workspaces, settings),
    check: (environment, signal) => checkWorkspace(workspaces, environment, signal),
    automationProblems,
    async pipelineGraph(environmentId, reference) {
      return pipelineGraph((await workspaces.open(environmentId)).client, reference);
    },
    ...resources,
    remoteComponents,
    within(request) {
      if (!isComponentRequest(request)) return undefined;
      // The chat of an agent consists of its state alone; its UI consists of the linked apps, which have their own
      // requests.
      if (request.data.component === "chat") return done;
      return request.data.component === "ui_app" ? (uiAppRefusal(request) ?? done) : undefined;
    },
    // The code of an app is in the data folder.
    needsData: (request) => request.kind === "component.start" && request.data.component === undefined,
  };
}

const done: TransactionalResult = { steps: [], outcome: { done: true, reference: null } };
