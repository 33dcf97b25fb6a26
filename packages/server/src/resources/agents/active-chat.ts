import type { Agent, ChatBinding, Environment } from "@lakehelm/contract";
import { conflict } from "../../core/errors.ts";
import { componentOf, releaseIn } from "./components.ts";

/** The released version; throws 409 unless the chat is running and a running endpoint has that version. */
export function activeVersion(agent: Agent, { id, name }: Environment): string {
  const release = releaseIn(agent, id);
  if (!release) {
    throw conflict(
      `"${agent.name}" has no release in ${name}. To activate one, call POST /api/agents/chat/sync-release.`,
    );
  }
  const { desired_state, observed_state } = componentOf(agent, id, "chat");
  if (desired_state !== "running" || observed_state !== "running") {
    throw conflict(
      `The chat of "${agent.name}" is ${observed_state} in ${name}. To start it, call POST /api/agents/retry-component with the component "chat".`,
    );
  }
  const endpoint = componentOf(agent, id, "agent_endpoint");
  if (endpoint.desired_state === "running" && endpoint.version !== release.version) {
    throw conflict(
      `The release of "${agent.name}" in ${name} is ${release.version}, and its endpoint runs ${endpoint.version ?? "no version"}. To deploy the release, call POST /api/agents/retry-component with the component "agent_endpoint".`,
    );
  }
  return release.version;
}

/** A channel that names an agent is restricted to it; any other channel is open to every agent. */
export function requireChannel(
  binding: ChatBinding | undefined,
  { id, name, aliases }: Agent,
  environment: Environment,
  channelId: string,
): asserts binding is ChatBinding {
  if (!binding) {
    throw conflict(
      `The channel ${channelId} is not bound in ${environment.name}. To bind it, call POST /api/automations/chat/bind.`,
    );
  }
  const { agent } = binding.metadata;
  if (agent === undefined || agent === null || [id, name, ...aliases].some((one) => one === agent)) return;
  throw conflict(`The channel ${channelId} in ${environment.name} belongs to another agent: ${agent}.`);
}
