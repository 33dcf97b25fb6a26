import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { listFields, listQuery, nextCursor } from "./lists.ts";
import { logExample, logHeaders, logNote, logQuery, ProcessLog } from "./process-log.ts";
import {
  createdAt,
  createdBy,
  Done,
  dateTime,
  environmentHeader,
  exampleIds,
  exampleTime,
  message,
  nullableText,
  success,
  total,
  updatedAt,
  updatedBy,
} from "./shared.ts";

const component = () => s.literal("agent_endpoint", "ui_app", "chat");

export const AgentComponent = s.model("AgentComponent", {
  environment_id: s.string().describe("Id of the environment in which this component has this state."),
  component: component().describe(
    "Which part of the agent: `agent_endpoint` answers requests, `ui_app` stands for the apps linked to it, `chat` answers in channels.",
  ),
  desired_state: s.literal("running", "stopped").describe("What was asked for last."),
  observed_state: s
    .literal("running", "stopped", "pending", "failed")
    .describe(
      "What the platform last reported. `pending`: it has not responded yet. `failed`: see `message`.",
    ),
  version: nullableText().describe(
    "The agent's version that this component runs, such as `1.0.0`; null: it was never deployed with a version.",
  ),
  message: nullableText().describe(
    "Why it has this state, with the last lines of its log after a failure; null: nothing to say.",
  ),
  updated_at: dateTime().describe("When its state last changed."),
});
export type AgentComponent = s.Infer<typeof AgentComponent>;

export const AgentRelease = s.model("AgentRelease", {
  environment_id: s.string().describe("Id of the environment in which this version answers in chat."),
  environment: s.string().describe("Name of that environment, such as `prod`."),
  version: s.string().describe("The released version of the agent, such as `1.0.0`."),
  workflow_run_id: nullableText().describe(
    "Id of the deploy workflow's run, as sent with the release; null: none was sent.",
  ),
  workflow_name: nullableText().describe(
    "Name of the deploy workflow, as sent with the release; null: none was sent.",
  ),
  workflow_run_url: nullableText().describe(
    "Link to the deploy workflow's run, as sent with the release; null: none was sent.",
  ),
  activated_at: dateTime().describe("When this version became the release in the environment."),
  activated_by: s.string().describe("The caller who activated it."),
});
export type AgentRelease = s.Infer<typeof AgentRelease>;

export const Agent = s.model("Agent", {
  id: s.string().describe("The canonical UUID."),
  name: s.string().describe("Unique among the names and aliases of all agents. It never changes."),
  aliases: s.list(s.string()).describe("Other names that paths and requests accept for this agent."),
  description: s.string().describe("What the agent is for. Empty if nothing was said."),
  source_path: nullableText().describe("The folder of its code in the environment's workspace."),
  components: s
    .list(AgentComponent)
    .describe(
      "The state of each component in each environment in which it was used. One that is not listed is stopped.",
    ),
  releases: s.list(AgentRelease).describe("The release that answers in chat, by environment."),
  created_at: createdAt(),
  updated_at: updatedAt(),
  created_by: createdBy(),
  updated_by: updatedBy(),
});
export type Agent = s.Infer<typeof Agent>;

export const AgentVersion = s.model("AgentVersion", {
  id: s.string().describe("UUID of this version."),
  agent_id: s.string().describe("UUID of the agent."),
  version: s.string().describe("Unique for the agent, such as `1.0.0`."),
  source_path: nullableText().describe(
    "The folder of its code in the environment's workspace; null: the agent's `source_path`.",
  ),
  metadata: s.map().describe("Your own settings for this version. Secret values are returned as `********`."),
  created_at: createdAt(),
  created_by: createdBy(),
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

const AgentDone = s.model("AgentDone", {
  success: success(),
  message: message(),
  agent: Agent.describe("The agent after the change."),
});

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
  changes: "settings",
  path: "/api/agents/chat/sync-release",
  scope: "body",
  summary: "Activate a version of an agent in chat, or remove it",
  description: "An unknown agent is registered by its name. Repeating a call changes nothing.",
  access: "operator",
  body: s.model("AgentSyncReleaseRequest", {
    agent_name: s
      .string()
      .describe("Name of the agent, such as `order-desk`. An unknown agent is registered under it."),
    version: s
      .string()
      .describe("The version to activate or remove, such as `1.0.0`. An unknown version is registered."),
    environment: s
      .string()
      .describe("Id or name of the environment. `dev`, `test` and `prod` are created if they are missing."),
    action: s
      .literal("activate", "delete")
      .describe(
        "`activate` makes the version answer in chat there. `delete` removes it, if it is the current one.",
      ),
    workflow_run_id: s
      .string()
      .optional()
      .describe("Id of the deploy workflow's run, stored with the release."),
    workflow_name: s.string().optional().describe("Name of the deploy workflow, stored with the release."),
    workflow_run_url: s
      .string()
      .optional()
      .describe("Link to the deploy workflow's run, stored with the release."),
  }),
  response: AgentDone,
  errors: [404, 409],
  example: {
    body: { agent_name: "order-desk", version: "1.0.0", environment: "prod", action: "activate" },
    response: { success: true, message: "order-desk 1.0.0 answers in the chat of prod.", agent },
  },
});

export const stopAgent = endpoint({
  isBounded: true,
  ...withData,
  number: 10,
  method: "POST",
  changes: "operation",
  path: "/api/agents/stop",
  scope: "header",
  summary: "Stop an agent, its UI app and its chat binding",
  description:
    "Stops chat, then the UI app, then the endpoint, so that requests can finish. Each component has ten seconds for requests in progress. A stopped component does not change.",
  access: "operator",
  headers: environmentHeader,
  body: s.model("AgentStopRequest", {
    agent_id: s
      .string({ pattern: /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/ })
      .describe("Canonical UUID of the agent. Names and aliases are not accepted here."),
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
  isBounded: true,
  ...withData,
  number: 17,
  method: "POST",
  changes: "operation",
  path: "/api/agents/retry-component",
  scope: "header",
  summary: "Redeploy one component of an agent",
  description:
    "The other components keep running. On the embedded platform `agent_endpoint` is a process that runs the version's `source_path`, or else the agent's, and `ui_app` is the apps that are linked to the agent in the environment. Their files are copied again from the workspace.",
  access: "operator",
  headers: environmentHeader,
  body: s.model("RetryComponentRequest", {
    agent_id: s.string().describe("UUID, name or alias of the agent."),
    component: component().describe("The component to deploy again."),
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
  changes: "definition",
  path: "/api/agents",
  scope: "any",
  summary: "Register an agent",
  description: sourcePathNote,
  access: "operator",
  body: s.model("AgentCreateRequest", {
    name: s.string({ min: 1 }).describe("Unique among names and aliases."),
    aliases: s
      .list(s.string({ min: 1 }))
      .default([])
      .describe("Other names of the agent, unique among the names and aliases of all agents."),
    description: s.string().default("").describe("What the agent is for."),
    source_path: nullableText()
      .optional()
      .describe(
        "The folder of its code in the environment's workspace, such as `agents/echo`. Only an admin may set it. Null or absent: versions have their own.",
      ),
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
  scope: "any",
  summary: "List the agents",
  access: "viewer",
  query: listQuery(listFields.agents),
  response: s.model("AgentList", {
    agents: s.list(Agent).describe("The agents on this page."),
    total: total(),
    next_cursor: nextCursor(),
  }),
  example: { response: { agents: [agent], total: 1 } },
});

export const getAgent = endpoint({
  ...shared,
  method: "GET",
  path: one,
  scope: "agent",
  summary: "Read an agent, by id, name or alias",
  access: "viewer",
  response: Agent,
  errors: [404],
  versioned: true,
  example: { response: agent },
});

export const updateAgent = endpoint({
  ...withData,
  method: "PATCH",
  changes: "draft",
  path: one,
  scope: "agent",
  summary: "Change an agent's description and aliases",
  description: "Its name never changes: releases and processes use it. Code belongs to versions.",
  access: "operator",
  body: s.model("AgentUpdateRequest", {
    description: s.string().optional().describe("What the agent is for. Absent: it stays as it is."),
    aliases: s
      .list(s.string({ min: 1 }))
      .optional()
      .describe("Replaces all aliases. Each is unique among names and aliases of all agents."),
  }),
  response: Agent,
  errors: [404, 409, 412],
  versioned: true,
  example: { body: { aliases: ["orders-bot"] }, response: agent },
});

export const deleteAgent = endpoint({
  ...withData,
  method: "DELETE",
  changes: "definition",
  path: one,
  scope: "agent",
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
  scope: "header",
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
  changes: "draft",
  path: `${one}/versions`,
  scope: "agent",
  summary: "Register a version of an agent",
  description: sourcePathNote,
  access: "operator",
  body: s.model("AgentVersionRequest", {
    version: s.string({ min: 1 }).describe("Unique for the agent, such as `1.0.0`."),
    source_path: nullableText()
      .optional()
      .describe(
        "The folder of its code in the environment's workspace. Only an admin may set it. Null or absent: the agent's `source_path`.",
      ),
    metadata: s
      .map()
      .default({})
      .describe("Your own settings for this version. Secret values are stored encrypted."),
  }),
  response: AgentVersion,
  errors: [404, 409],
  creates: true,
  versioned: true,
  example: { body: { version: "1.0.0" }, response: version },
});

const oneVersion = `${one}/versions/{version}`;

export const getAgentVersion = endpoint({
  ...shared,
  method: "GET",
  path: oneVersion,
  scope: "agent",
  summary: "Read a version of an agent",
  access: "viewer",
  response: AgentVersion,
  errors: [404],
  versioned: true,
  example: { response: version },
});

export const deleteAgentVersion = endpoint({
  ...withData,
  method: "DELETE",
  changes: "draft",
  path: oneVersion,
  scope: "agent",
  summary: "Delete a version of an agent",
  description:
    "Returns 409 while it is the release of an environment or a component runs it. Only an admin may delete a version with a `source_path`: the files below it are then no longer protected.",
  access: "operator",
  response: Done,
  errors: [404, 409, 412],
  versioned: true,
  example: { response: { success: true, message: "Version 1.0.0 of order-desk deleted." } },
});

export const listAgentVersions = endpoint({
  ...shared,
  method: "GET",
  path: `${one}/versions`,
  scope: "agent",
  summary: "List the versions of an agent",
  access: "viewer",
  query: listQuery(listFields.versions),
  response: s.model("AgentVersionList", {
    versions: s.list(AgentVersion).describe("The versions on this page."),
    total: total(),
    next_cursor: nextCursor(),
  }),
  errors: [404],
  example: { response: { versions: [version], total: 1 } },
});
