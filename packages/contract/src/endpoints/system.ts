import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { Done } from "./shared.ts";

export const Health = s.model("Health", {
  status: s
    .literal("ok", "degraded", "unavailable")
    .describe(
      "`ok` if the server is ready; `degraded` if it is, and starts no runs because its disk has too little free space.",
    ),
  live: s.boolean().describe("The process responds."),
  ready: s.boolean().describe("It can read and write its state."),
  detail: s.string().nullable().describe("Why it is not ready, or degraded."),
});
export type Health = s.Infer<typeof Health>;

export const Info = s.model("Info", {
  name: s.string().describe("Always `Lakehelm`."),
  version: s.string().describe("Version of the server, such as `0.1.0`."),
  schema_version: s.integer().describe("The version of the database schema."),
  platform: s.string().describe("The platform of environments that specify none."),
  platforms: s.list(s.string()).describe("The platforms that this server supports."),
  store: s.literal("sqlite", "postgres").describe("The database that the server uses."),
  paused: s
    .boolean()
    .describe(
      "The server was restored from a backup and starts nothing by itself: no runs, processes or messages. `POST /api/v1/server/resume` ends that.",
    ),
});
export type Info = s.Infer<typeof Info>;

export const getHealth = endpoint({
  method: "GET",
  path: "/health",
  scope: "server",
  tag: "System",
  summary: "Check whether the server is live and ready",
  description:
    "Returns 200 if the server is ready, also while it is degraded, and 503 if not, with the same body.",
  access: "public",
  response: Health,
  errors: [503],
  example: { response: { status: "ok", live: true, ready: true, detail: null } },
});

export const getInfo = endpoint({
  method: "GET",
  path: "/info",
  scope: "server",
  tag: "System",
  summary: "Get the server's name, version and platforms",
  access: "public",
  response: Info,
  example: {
    response: {
      name: "Lakehelm",
      version: "0.1.0",
      schema_version: 1,
      platform: "embedded",
      platforms: ["embedded", "databricks"],
      store: "sqlite",
      paused: false,
    },
  },
});

export const getMetrics = endpoint({
  method: "GET",
  path: "/metrics",
  scope: "server",
  tag: "System",
  summary: "Get metrics in the Prometheus text format",
  access: "viewer",
  response: s.string(),
  streams: "text/plain",
});

export const resumeServer = endpoint({
  isBounded: true,
  method: "POST",
  changes: "nothing",
  path: "/api/v1/server/resume",
  scope: "server",
  tag: "System",
  summary: "Resume a server that was restored from a backup",
  description:
    "From now on schedules, triggers, runs, processes and messages start again. What was due meanwhile is caught up on, as after any other downtime. `paused` in `GET /info` says whether a server waits for this.",
  access: "admin",
  effect: "starts runs, processes and messages",
  needsData: true,
  response: Done,
  errors: [409],
  example: { response: { success: true, message: "The server is active." } },
});

export const ServerSetting = s.model("ServerSetting", {
  name: s.string().describe("The environment variable, such as `PLATFORM_QUERY_ROWS`."),
  description: s.string().describe("What it is for."),
  is_secret: s.boolean().describe("Whether it holds a credential: then its value is never shown."),
  is_set: s.boolean().describe("Whether it was given when the server started."),
  value: s
    .string()
    .nullable()
    .describe("The value that the server runs with; null: it has none, or it is a credential."),
  default: s.string().nullable().describe("Its value if it is not given; null: none."),
  source: s
    .literal("default", "environment")
    .describe("`environment`: a variable of the process, or for a credential also the file that one names."),
});
export type ServerSetting = s.Infer<typeof ServerSetting>;

export const listSettings = endpoint({
  method: "GET",
  path: "/api/v1/server/settings",
  scope: "server",
  tag: "System",
  summary: "List the settings that the server runs with",
  description:
    "Of the server that answers: others on the same database may have other values. Credentials are only `is_set` or not.",
  access: "admin",
  response: s.model("ServerSettings", {
    settings: s.list(ServerSetting).describe("All of them, in the order of the documentation."),
  }),
  example: {
    response: {
      settings: [
        {
          name: "PLATFORM_QUERY_ROWS",
          description: "Maximum number of rows in one answer of a query.",
          is_secret: false,
          is_set: false,
          value: "10000",
          default: "10000",
          source: "default",
        },
      ],
    },
  },
});
