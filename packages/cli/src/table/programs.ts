import type { CommandGroup } from "./spec.ts";

export const programs = {
  agents: {
    about: "Agents, their versions and releases",
    commands: {
      list: {
        operation: "listAgents",
        columns: ["name", "aliases", "description", "updated_at", "id"],
        examples: ["agents list"],
      },
      get: { operation: "getAgent", examples: ["agents get order-desk -o yaml"] },
      create: {
        operation: "createAgent",
        examples: ["agents create --name order-desk --source-path agents/order-desk"],
      },
      update: {
        operation: "updateAgent",
        examples: ['agents update order-desk --description "Answers about orders"'],
      },
      delete: { operation: "deleteAgent", examples: ["agents delete order-desk"] },
      versions: {
        operation: "listAgentVersions",
        columns: ["version", "source_path", "created_at", "created_by"],
        examples: ["agents versions order-desk"],
      },
      "get-version": { operation: "getAgentVersion", examples: ["agents get-version order-desk 1.0.0"] },
      "create-version": {
        operation: "createAgentVersion",
        positional: ["version"],
        examples: ["agents create-version order-desk 1.1.0 --source-path agents/order-desk"],
      },
      "delete-version": {
        operation: "deleteAgentVersion",
        examples: ["agents delete-version order-desk 1.0.0"],
      },
      start: {
        operation: "retryComponent",
        positional: ["agent_id"],
        values: { component: "agent_endpoint" },
        summary: "Start an agent, or restart it",
        examples: ["agents start order-desk --env prod"],
      },
      release: {
        operation: "syncAgentRelease",
        positional: ["agent_name", "version"],
        examples: ["agents release order-desk 1.1.0 --env prod"],
      },
      "sync-release": {
        operation: "syncAgentRelease",
        summary: "The same as `agents release`",
        positional: ["agent_name", "version"],
        examples: ["agents sync-release order-desk 1.1.0 --env prod"],
      },
      stop: {
        operation: "stopAgent",
        positional: ["agent_id"],
        examples: ["agents stop order-desk --env prod"],
      },
      "retry-component": {
        operation: "retryComponent",
        positional: ["agent_id", "component"],
        examples: ["agents retry-component order-desk agent_endpoint"],
      },
      chat: {
        operation: "postChatMessage",
        examples: ['agents chat order-desk --channel-id C0ORDERS --text "How many orders are there?"'],
      },
    },
  },
  apps: {
    about: "Web applications that Lakehelm runs",
    commands: {
      list: {
        operation: "listApps",
        columns: ["name", "observed_state", "desired_state", "message", "updated_at", "id"],
        examples: ["apps list", "apps list --env prod --status failed"],
      },
      get: { operation: "getApp", examples: ["apps get order-desk-ui"] },
      create: {
        operation: "createApp",
        examples: ["apps create --name order-desk-ui --source-path apps/order-desk-ui"],
      },
      update: { operation: "updateApp", examples: ["apps update order-desk-ui --source-path apps/new-ui"] },
      delete: { operation: "deleteApp", examples: ["apps delete order-desk-ui"] },
      start: {
        operation: "startApp",
        positional: ["application_name"],
        examples: ["apps start order-desk-ui", "apps start order-desk-ui --env prod"],
      },
      stop: { operation: "stopApp", positional: ["application_name"], examples: ["apps stop order-desk-ui"] },
      ticket: {
        operation: "createTicket",
        examples: ["apps ticket order-desk-ui", "apps ticket order-desk-ui --query url -o json"],
      },
    },
  },
} satisfies Record<string, CommandGroup>;
