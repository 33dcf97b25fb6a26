import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { logExample, logHeaders, logNote, logQuery, ProcessLog } from "./process-log.ts";
import {
  Done,
  dateTime,
  environmentHeader,
  exampleIds,
  exampleTime,
  nullableText,
  paging,
} from "./shared.ts";

const component = () => s.literal("agent_endpoint", "ui_app", "chat");

export const AgentComponent = s.model("AgentComponent", {
  environment_id: s.string(),
  component: component(),
  desired_state: s.literal("running", "stopped"),
  observed_state: s.literal("running", "stopped", "pending", "failed"),
  version: nullableText(),
  message: nullableText(),
  updated_at: dateTime(),
});
export type AgentComponent = s.Infer<typeof AgentComponent>;

export const AgentRelease = s.model("AgentRelease", {
  environment_id: s.string(),
  environment: s.string(),
  version: s.string(),
  workflow_run_id: nullableText(),
  workflow_name: nullableText(),
  workflow_run_url: nullableText(),
  activated_at: dateTime(),
  activated_by: s.string(),
});
export type AgentRelease = s.Infer<typeof AgentRelease>;

export const Agent = s.model("Agent", {
  id: s.string().describe("The canonical UUID."),
  name: s.string(),
  aliases: s.list(s.string()),
  description: s.string(),
  source_path: nullableText().describe("The folder of its code in the environment's workspace."),
  components: s.list(AgentComponent),
  releases: s.list(AgentRelease).describe("The release that answers in chat, by environment."),
  created_at: dateTime(),
  updated_at: dateTime(),
  created_by: s.string(),
  updated_by: nullableText(),
});
export type Agent = s.Infer<typeof Agent>;

export const AgentVersion = s.model("AgentVersion", {
  id: s.string(),
  agent_id: s.string(),
  version: s.string(),
  source_path: nullableText(),
  metadata: s.map(),
  created_at: dateTime(),
  created_by: s.string(),
});
export type AgentVersion = s.Infer<typeof AgentVersion>;

const agent = {
  id: exampleIds.agent,
  name: "order-desk",
  aliases: ["orders-bot"],
  description: "Answers questions about orders",
  source_path: null,
  components: [
    {
      environment_id: exampleIds.environment,
      component: "agent_endpoint",
      desired_state: "running",
      observed_state: "running",
      version: "1.0.0",
      message: null,
      updated_at: exampleTime,
    },
  ],
  releases: [],
  created_at: exampleTime,
  updated_at: exampleTime,
  created_by: "internal-service",
  updated_by: null,
} as const;
const version = {
  id: "019f0000-0000-7000-8000-00000000000d",
  agent_id: exampleIds.agent,
  version: "1.0.0",
  source_path: null,
  metadata: {},
  created_at: exampleTime,
  created_by: "internal-service",
};

const AgentDone = s.model("AgentDone", { success: s.boolean(), message: s.string(), agent: Agent });

const shared = { tag: "Agents and apps" } as const;
/** Processes run on the server that holds the data folder. */
const withData = { ...shared, needsData: true } as const;
const one = "/api/agents/{agent_id}";
const sourcePathNote =
  "The code in `source_path` runs in every environment: only an admin may set it, and from then on only an admin may change the files below it. Returns 409 if an environment other than the default one already has files there, because anyone could have written them.";

export const syncAgentRelease = endpoint({
  ...withData,
  number: 4,
  method: "POST",
  path: "/api/agents/chat/sync-release",
  summary: "Activate a version of an agent in chat, or remove it",
  description: "An unknown agent is registered by its name. Repeating a call changes nothing.",
  access: "operator",
  body: s.model("AgentSyncReleaseRequest", {
    agent_name: s.string().describe("Logical name."),
    version: s.string().describe("Concrete version."),
    environment: s.string().describe("For example dev, test, prod."),
    action: s.literal("activate", "delete"),
    workflow_run_id: s.string().optional(),
    workflow_name: s.string().optional(),
    workflow_run_url: s.string().optional(),
  }),
  response: AgentDone,
  errors: [404, 409],
  example: {
    body: { agent_name: "order-desk", version: "1.0.0", environment: "prod", action: "activate" },
    response: { success: true, message: "order-desk 1.0.0 answers in the chat of prod.", agent },
  },
});

export const stopAgent = endpoint({
  ...withData,
  number: 10,
  method: "POST",
  path: "/api/agents/stop",
  summary: "Stop an agent, its UI app and its chat binding",
  description:
    "Stops chat, then the UI app, then the endpoint, so that requests can finish. Each component has ten seconds for requests in progress. A stopped component does not change.",
  access: "operator",
  headers: environmentHeader,
  body: s.model("AgentStopRequest", {
    agent_id: s
      .string({ pattern: /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/ })
      .describe("Canonical UUID."),
    start_ui_app: s.boolean().default(false).describe("True leaves the UI app running."),
    components: s
      .list(s.string())
      .nullable()
      .optional()
      .describe("Stops only these: `agent_endpoint`, `ui_app`, `chat`; null: all."),
  }),
  response: AgentDone,
  errors: [404, 409],
  example: {
    body: { agent_id: exampleIds.agent },
    response: { success: true, message: "order-desk is stopped.", agent },
  },
});

export const retryComponent = endpoint({
  ...withData,
  number: 17,
  method: "POST",
  path: "/api/agents/retry-component",
  summary: "Redeploy one component of an agent",
  description:
    "The other components keep running. On the embedded platform `agent_endpoint` is a process that runs the version's `source_path`, or else the agent's, and `ui_app` is the apps that are linked to the agent in the environment. Their files are copied again from the workspace.",
  access: "operator",
  headers: environmentHeader,
  body: s.model("RetryComponentRequest", {
    agent_id: s.string().describe("Canonical UUID, or an alias."),
    component: component(),
  }),
  response: AgentDone,
  errors: [404, 409],
  example: {
    body: { agent_id: exampleIds.agent, component: "agent_endpoint" },
    response: { success: true, message: "agent_endpoint of order-desk is deployed again.", agent },
  },
});

export const createAgent = endpoint({
  ...withData,
  method: "POST",
  path: "/api/agents",
  summary: "Register an agent",
  description: sourcePathNote,
  access: "operator",
  body: s.model("AgentCreateRequest", {
    name: s.string({ min: 1 }).describe("Unique among names and aliases."),
    aliases: s.list(s.string({ min: 1 })).default([]),
    description: s.string().default(""),
    source_path: nullableText().optional(),
  }),
  response: Agent,
  errors: [409],
  creates: true,
  versioned: true,
  example: {
    body: { name: "order-desk", aliases: ["orders-bot"], description: "Answers questions about orders" },
    response: agent,
  },
});

export const listAgents = endpoint({
  ...shared,
  method: "GET",
  path: "/api/agents",
  summary: "List the agents",
  access: "viewer",
  query: paging,
  response: s.model("AgentList", { agents: s.list(Agent), total: s.integer() }),
  example: { response: { agents: [agent], total: 1 } },
});

export const getAgent = endpoint({
  ...shared,
  method: "GET",
  path: one,
  summary: "Read an agent, by id, name or alias",
  access: "viewer",
  response: Agent,
  errors: [404],
  versioned: true,
  example: { response: agent },
});

export const deleteAgent = endpoint({
  ...withData,
  method: "DELETE",
  path: one,
  summary: "Delete an agent",
  description: "Returns 409 while one of its components runs or an app is linked to it.",
  access: "operator",
  response: Done,
  errors: [404, 409, 412],
  versioned: true,
  example: { response: { success: true, message: "Agent order-desk deleted." } },
});

export const readAgentLog = endpoint({
  ...withData,
  method: "GET",
  path: `${one}/log`,
  summary: "Read or follow the log of an agent's endpoint",
  description: logNote,
  access: "viewer",
  query: logQuery,
  headers: { ...environmentHeader, ...logHeaders },
  response: ProcessLog,
  streams: "text/event-stream",
  errors: [404, 409],
  example: { response: logExample },
});

export const createAgentVersion = endpoint({
  ...withData,
  method: "POST",
  path: `${one}/versions`,
  summary: "Register a version of an agent",
  description: sourcePathNote,
  access: "operator",
  body: s.model("AgentVersionRequest", {
    version: s.string({ min: 1 }),
    source_path: nullableText().optional(),
    metadata: s.map().default({}),
  }),
  response: AgentVersion,
  errors: [404, 409],
  creates: true,
  versioned: true,
  example: { body: { version: "1.0.0" }, response: version },
});

export const listAgentVersions = endpoint({
  ...shared,
  method: "GET",
  path: `${one}/versions`,
  summary: "List the versions of an agent",
  access: "viewer",
  query: paging,
  response: s.model("AgentVersionList", { versions: s.list(AgentVersion), total: s.integer() }),
  errors: [404],
  example: { response: { versions: [version], total: 1 } },
});
