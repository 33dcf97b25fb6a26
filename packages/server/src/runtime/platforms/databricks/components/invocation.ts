import type { webhooks } from "@lakehelm/contract";
import { conflict, unavailable } from "../../../../core/errors.ts";
import { subjectOf } from "../../../../core/store/store.ts";
import type { EndpointRequest, EndpointResponse } from "../../platform.ts";
import { isWorkspaceError } from "../client/workspace-error.ts";
import type { Workspaces } from "../workspaces.ts";
import { endpointOf } from "./requests.ts";
import { invocationsOf } from "./workspace-endpoints.ts";

/** Shorter than the idle timeout of a server that forwards the request to us. */
const idleMs = 110_000;

/** Forwards requests to the serving endpoints of agents. */
export function createInvocation(workspaces: Workspaces, installation: string) {
  return async (environmentId: string, request: EndpointRequest): Promise<EndpointResponse> => {
    const { agentId, name, body, contentType, accept, signal } = request;
    const { client } = await workspaces.open(environmentId);
    const mark = { installation, environment: environmentId, resource: subjectOf("agent", agentId) };
    const endpoint = endpointOf(name, mark);
    const headers = { "content-type": modelType(contentType), ...(accept !== undefined && { accept }) };
    const sent = { body, headers, timeoutMs: idleMs, signal };
    const response = await client.open(invocationsOf(endpoint.name), sent).catch((error) => {
      if (isWorkspaceError(error, "open", "busy"))
        throw unavailable(`The endpoint of "${name}" does not answer. ${error.message}`, error);
      if (isWorkspaceError(error)) throw conflict(error.message);
      throw error;
    });
    const { statusCode: status = 502 } = response;
    if (status === 404)
      throw conflict(
        `The workspace has no endpoint ${endpoint.name} for "${name}". To create it, call POST /api/agents/retry-component with the component "agent_endpoint".`,
      );
    // A redirect leads to a login page, or to the page about a private link.
    if (status >= 300 && status < 400)
      throw unavailable(`The workspace answered ${status} instead of the endpoint of "${name}".`);
    return response;
  };
}

/** A model takes JSON. Clients that are generated from our OpenAPI document send bytes without a type of their own. */
const modelType = (contentType: string) =>
  /^application\/octet-stream\b/i.test(contentType) ? "application/json" : contentType;

/** A model takes `messages` and, as MLflow defines it, who asks and where as `context`. It may refuse anything else. */
export const questionFor = ({ messages, channel_id, user }: webhooks.AgentQuestion): object => ({
  messages,
  context: { conversation_id: channel_id, ...(user !== null && { user_id: user }) },
});
