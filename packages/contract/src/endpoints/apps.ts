import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { listFields, listQuery, nextCursor } from "./lists.ts";
import { logExample, logHeaders, logNote, logQuery, ProcessLog } from "./process-log.ts";
import {
  createdAt,
  createdBy,
  Done,
  environmentFilter,
  environmentHeader,
  environmentId,
  exampleIds,
  exampleTime,
  message,
  nullableText,
  success,
  total,
  updatedAt,
  updatedBy,
} from "./shared.ts";

export const App = s.model("App", {
  id: s.string().describe("UUID of the app."),
  name: s.string().describe("Unique in its environment. It never changes."),
  environment_id: environmentId(),
  description: s.string().describe("What the app is for. Empty if nothing was said."),
  agent_id: nullableText().describe("The agent whose UI it is."),
  source_path: nullableText().describe("The folder of its code in the environment's workspace."),
  url: nullableText()
    .optional()
    .describe(
      "Where the platform serves it, such as an address of a Databricks workspace. Null or absent: Lakehelm serves it; ask for a ticket.",
    ),
  desired_state: s.literal("running", "stopped").describe("What was asked for last."),
  observed_state: s
    .literal("running", "stopped", "pending", "failed")
    .describe(
      "What the platform last reported. `pending`: it has not responded yet. `failed`: see `message`.",
    ),
  message: nullableText().describe(
    "Why it has this state, with the last lines of its log after a failure; null: nothing to say.",
  ),
  created_at: createdAt(),
  updated_at: updatedAt(),
  created_by: createdBy(),
  updated_by: updatedBy(),
});
export type App = s.Infer<typeof App>;

const app = {
  id: exampleIds.app,
  name: "order-desk-ui",
  environment_id: exampleIds.environment,
  description: "",
  agent_id: exampleIds.agent,
  source_path: null,
  desired_state: "running",
  observed_state: "running",
  message: null,
  created_at: exampleTime,
  updated_at: exampleTime,
  created_by: "internal-service",
  updated_by: null,
} as const;

const shared = { tag: "Agents and apps" } as const;
/** Processes run on the server that holds the data folder. */
const withData = { ...shared, needsData: true } as const;

export const startApp = endpoint({
  isBounded: true,
  ...withData,
  number: 19,
  method: "POST",
  changes: "operation",
  path: "/api/apps/start",
  scope: "header",
  summary: "Start an app",
  description:
    "If the app is linked to an agent, starts the agent's endpoint first. On the embedded platform an app is a process: the folder `source_path` of the environment's workspace, with an `app.yaml`. It is `running` once it responds. An error names the component, the reason and the last lines of its log.",
  access: "operator",
  headers: environmentHeader,
  body: s.model("AppStartRequest", {
    application_name: s.string().describe("Name of the app in the environment of `X-Environment-Id`."),
  }),
  response: s.model("AppStartResponse", {
    success: success(),
    message: message(),
    app: App.describe("The app after it was started."),
  }),
  errors: [404, 409],
  example: {
    body: { application_name: "order-desk-ui" },
    response: { success: true, message: "order-desk-ui is running.", app },
  },
});

export const stopApp = endpoint({
  isBounded: true,
  ...withData,
  method: "POST",
  changes: "operation",
  path: "/api/apps/stop",
  scope: "header",
  summary: "Stop an app",
  description:
    "Requests in progress have ten seconds to finish. Stopping the last app of an agent also stops the agent's `ui_app`. Stopping twice changes nothing.",
  access: "operator",
  headers: environmentHeader,
  body: s.model("AppStopRequest", {
    application_name: s.string().describe("Name of the app in the environment of `X-Environment-Id`."),
  }),
  response: s.model("AppStopResponse", {
    success: success(),
    message: message(),
    app: App.describe("The app after it was stopped."),
  }),
  errors: [404, 409],
  example: {
    body: { application_name: "order-desk-ui" },
    response: {
      success: true,
      message: "order-desk-ui is stopped.",
      app: { ...app, desired_state: "stopped", observed_state: "stopped" },
    },
  },
});

export const createApp = endpoint({
  ...shared,
  method: "POST",
  changes: "definition",
  path: "/api/apps",
  scope: "header",
  summary: "Register an app",
  description: "The code in `source_path` runs on the server: only an admin may set it.",
  access: "operator",
  headers: environmentHeader,
  body: s.model("AppCreateRequest", {
    name: s.string({ min: 1 }).describe("Unique in its environment."),
    description: s.string().default("").describe("What the app is for."),
    agent: nullableText().optional().describe("Id, name or alias of the agent whose UI it is."),
    source_path: nullableText()
      .optional()
      .describe(
        "The folder of its code in the environment's workspace, with an `app.yaml`. Only an admin may set it. Without one it cannot be started.",
      ),
  }),
  response: App,
  errors: [404, 409],
  creates: true,
  versioned: true,
  example: { body: { name: "order-desk-ui", agent: "order-desk" }, response: app },
});

export const listApps = endpoint({
  ...shared,
  method: "GET",
  path: "/api/apps",
  scope: "list",
  summary: "List the apps",
  access: "viewer",
  headers: environmentFilter,
  query: listQuery(listFields.apps),
  response: s.model("AppList", {
    apps: s.list(App).describe("The apps on this page."),
    total: total(),
    next_cursor: nextCursor(),
  }),
  errors: [404, 409],
  example: { response: { apps: [app], total: 1 } },
});

export const getApp = endpoint({
  ...shared,
  method: "GET",
  path: "/api/apps/{app_id}",
  scope: "app",
  summary: "Read an app",
  access: "viewer",
  response: App,
  errors: [404],
  versioned: true,
  example: { response: app },
});

export const updateApp = endpoint({
  ...shared,
  method: "PATCH",
  changes: "definition",
  path: "/api/apps/{app_id}",
  scope: "app",
  summary: "Change an app's description and the folder of its code",
  description:
    "Only an admin may set `source_path`. A new one takes effect when the app starts the next time. Its name, its environment and its agent never change.",
  access: "operator",
  body: s.model("AppUpdateRequest", {
    description: s.string().optional().describe("What the app is for. Absent: it stays as it is."),
    source_path: nullableText()
      .optional()
      .describe("The folder of its code in the environment's workspace. Absent: it stays as it is."),
  }),
  response: App,
  errors: [404, 412],
  versioned: true,
  example: { body: { description: "The desk for orders" }, response: app },
});

export const readAppLog = endpoint({
  ...withData,
  method: "GET",
  path: "/api/apps/{app_id}/log",
  scope: "app",
  summary: "Read or follow an app's log",
  description: logNote,
  access: "viewer",
  query: logQuery,
  headers: logHeaders,
  response: ProcessLog,
  streams: "text/event-stream",
  errors: [404, 409],
  example: { response: logExample },
});

export const deleteApp = endpoint({
  ...withData,
  method: "DELETE",
  changes: "definition",
  path: "/api/apps/{app_id}",
  scope: "app",
  summary: "Stop and delete an app",
  access: "operator",
  response: Done,
  errors: [404, 409, 412],
  versioned: true,
  example: { response: { success: true, message: "App order-desk-ui deleted." } },
});
