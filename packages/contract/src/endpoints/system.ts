import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { Done } from "./shared.ts";

export const Health = s.model("Health", {
  status: s.literal("ok", "unavailable").describe("`ok` if the server is ready."),
  live: s.boolean().describe("The process responds."),
  ready: s.boolean().describe("It can read and write its state."),
  detail: s.string().nullable().describe("Why it is not ready."),
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
  description: "Returns 200 if the server is ready and 503 if not, with the same body.",
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
  method: "POST",
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
