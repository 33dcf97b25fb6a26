import type { AgentComponent } from "@lakehelm/contract";

export type ComponentName = AgentComponent["component"];

/** The components of an agent, in the order in which they start. */
export const componentNames: readonly ComponentName[] = ["agent_endpoint", "ui_app", "chat"];

export const componentTexts: Readonly<Record<ComponentName, string>> = {
  agent_endpoint: "Endpoint",
  ui_app: "Apps",
  chat: "Chat",
};

export const componentHints: Readonly<Record<ComponentName, string>> = {
  agent_endpoint: "Answers requests",
  ui_app: "The apps that are linked to the agent",
  chat: "Answers in channels",
};
