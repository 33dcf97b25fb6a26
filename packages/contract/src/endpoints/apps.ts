import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { logExample, logHeaders, logNote, logQuery, ProcessLog } from "./process-log.ts";
import {
  Done,
  dateTime,
  environmentFilter,
  environmentHeader,
  exampleIds,
  exampleTime,
  nullableText,
  paging,
} from "./shared.ts";

export const App = s.model("App", {
  id: s.string(),
  name: s.string(),
  environment_id: s.string(),
  description: s.string(),
  agent_id: nullableText().describe("The agent whose UI it is."),
  source_path: nullableText().describe("The folder of its code in the environment's workspace."),
  desired_state: s.literal("running", "stopped"),
  observed_state: s.literal("running", "stopped", "pending", "failed"),
  message: nullableText(),
  created_at: dateTime(),
  updated_at: dateTime(),
  created_by: s.string(),
  updated_by: nullableText(),
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
  ...withData,
  number: 19,
  method: "POST",
  path: "/api/apps/start",
  summary: "Start an app",
  description:
    "If the app is linked to an agent, starts the agent's endpoint first. On the embedded platform an app is a process: the folder `source_path` of the environment's workspace, with an `app.yaml`. It is `running` once it responds. An error names the component, the reason and the last lines of its log.",
  access: "operator",
  headers: environmentHeader,
  body: s.model("AppStartRequest", { application_name: s.string() }),
  response: s.model("AppStartResponse", { success: s.boolean(), message: s.string(), app: App }),
  errors: [404, 409],
  example: {
    body: { application_name: "order-desk-ui" },
    response: { success: true, message: "order-desk-ui is running.", app },
  },
});

export const stopApp = endpoint({
  ...withData,
  method: "POST",
  path: "/api/apps/stop",
  summary: "Stop an app",
  description:
    "Requests in progress have ten seconds to finish. Stopping the last app of an agent also stops the agent's `ui_app`. Stopping twice changes nothing.",
  access: "operator",
  headers: environmentHeader,
  body: s.model("AppStopRequest", { application_name: s.string() }),
  response: s.model("AppStopResponse", { success: s.boolean(), message: s.string(), app: App }),
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
  path: "/api/apps",
  summary: "Register an app",
  description: "The code in `source_path` runs on the server: only an admin may set it.",
  access: "operator",
  headers: environmentHeader,
  body: s.model("AppCreateRequest", {
    name: s.string({ min: 1 }).describe("Unique in its environment."),
    description: s.string().default(""),
    agent: nullableText().optional().describe("Id, name or alias of the agent whose UI it is."),
    source_path: nullableText().optional(),
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
  summary: "List the apps",
  access: "viewer",
  headers: environmentFilter,
  query: paging,
  response: s.model("AppList", { apps: s.list(App), total: s.integer() }),
  errors: [404, 409],
  example: { response: { apps: [app], total: 1 } },
});

export const getApp = endpoint({
  ...shared,
  method: "GET",
  path: "/api/apps/{app_id}",
  summary: "Read an app",
  access: "viewer",
  response: App,
  errors: [404],
  versioned: true,
  example: { response: app },
});

export const readAppLog = endpoint({
  ...withData,
  method: "GET",
  path: "/api/apps/{app_id}/log",
  summary: "Read or follow an app's log",
  description: logNote,
  access: "viewer",
  query: logQuery,
  headers: logHeaders,
  response: ProcessLog,
  streams: "text/event-stream",
  errors: [404],
  example: { response: logExample },
});

export const deleteApp = endpoint({
  ...withData,
  method: "DELETE",
  path: "/api/apps/{app_id}",
  summary: "Stop and delete an app",
  access: "operator",
  response: Done,
  errors: [404, 409, 412],
  versioned: true,
  example: { response: { success: true, message: "App order-desk-ui deleted." } },
});
