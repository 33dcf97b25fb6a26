import { request as send } from "node:http";
import type { Agent, webhooks } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import { conflict, type Problem, unavailable } from "../../core/errors.ts";
import { endpointProcess, type ProcessProvider } from "../../core/processes.ts";
import type { EndpointResponse, Platform } from "../../runtime/platforms/platform.ts";
import { identityHeaders } from "../../web/gateway/identity-headers.ts";
import type { Caller } from "../../web/http/handler.ts";
import { responseTo } from "../../web/http/response-to.ts";
import type { Agents } from "./agents.ts";
import { componentOf } from "./components.ts";

/** A request to an agent: bytes of any kind. */
interface AgentRequest {
  readonly body: Uint8Array | string;
  readonly contentType: string;
  readonly accept?: string | undefined;
  readonly caller: Pick<Caller, "name" | "role">;
  readonly requestId: string | null;
  readonly signal: AbortSignal;
}

export interface AgentInvocation {
  /** Resolves when status and headers have arrived; the body is still streaming. */
  forward(agent: Agent, environmentId: string, agentRequest: AgentRequest): Promise<EndpointResponse>;
  /** The request body that asks the endpoint to answer a chat message. */
  question(environmentId: string, message: webhooks.AgentQuestion): Promise<object>;
  /** Sends a JSON value on behalf of the server itself, and waits for the complete response. */
  invoke(
    agentReference: string,
    environmentId: string,
    body: unknown,
    signal: AbortSignal,
  ): Promise<{ readonly status: number; readonly body: string }>;
}

/** Shorter than the idle timeout of a server that forwards requests to this one. */
const idleTimeoutMs = 110_000;

/** The maximum size of a buffered response: streamed responses have no limit. */
const maxResponseBytes = 4 * 1024 * 1024;

/** Forwards requests to the endpoint of an agent, a local process that listens for `POST /invocations`. */
export function createAgentInvocation({
  agents,
  processes,
  remoteIn,
}: {
  readonly agents: Pick<Agents, "read">;
  readonly processes: ProcessProvider;
  /** The endpoints of a platform that runs them itself; undefined: this server runs them. */
  readonly remoteIn: (environmentId: string) => Promise<Platform["remoteComponents"]>;
}): AgentInvocation {
  async function forward(
    agent: Agent,
    environmentId: string,
    agentRequest: AgentRequest,
  ): Promise<EndpointResponse> {
    const remote = await remoteIn(environmentId);
    if (remote) {
      // While the endpoint changes to a new version, the previous version still answers.
      const { desired_state } = componentOf(agent, environmentId, "agent_endpoint");
      if (desired_state === "stopped") throw notRunning(agent, environmentId);
      const { id: agentId, name } = agent;
      return remote.invoke(environmentId, { ...agentRequest, agentId, name });
    }
    const acquired = processes.acquire(endpointProcess(agent.id, environmentId));
    if (!acquired) throw notRunning(agent, environmentId);
    const { body, contentType, accept, caller, requestId, signal } = agentRequest;
    const outgoing = send({
      host: "127.0.0.1",
      port: acquired.port,
      method: "POST",
      path: "/invocations",
      agent: false,
      signal,
      headers: {
        "content-type": contentType,
        "content-length": Buffer.byteLength(body),
        ...(accept !== undefined && { accept }),
        ...identityHeaders(caller.name, caller.role),
        ...(requestId !== null && { "x-request-id": requestId }),
      },
    });
    outgoing.once("close", () => acquired.release());
    outgoing.setTimeout(idleTimeoutMs, () =>
      outgoing.destroy(new Error(`no data for ${idleTimeoutMs / 1000} s`)),
    );
    const response = responseTo(outgoing);
    outgoing.end(body);
    return response.catch((error: Error) => {
      throw unavailable(`The endpoint of "${agent.name}" does not answer: ${error.message}.`, error);
    });
  }

  return {
    forward,
    question: async (environmentId, message) => (await remoteIn(environmentId))?.question(message) ?? message,
    async invoke(agentReference, environmentId, value, signal) {
      const { doc: agent } = await agents.read(agentReference);
      const answer = await forward(agent, environmentId, {
        body: encodeJson(value),
        contentType: "application/json",
        caller: { name: "lakehelm", role: "viewer" },
        requestId: null,
        signal,
      });
      return { status: answer.statusCode ?? 502, body: await textOf(answer, agent) };
    },
  };
}

/** The complete response as text. */
export async function textOf(answer: EndpointResponse, { name }: Pick<Agent, "name">): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer) {
      size += chunk.length;
      if (size > maxResponseBytes) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw unavailable(`The endpoint of "${name}" closed the connection before the end of its answer.`, error);
  }
  if (size > maxResponseBytes)
    throw conflict(`The answer of "${name}" is longer than ${maxResponseBytes} bytes.`);
  return Buffer.concat(chunks).toString("utf8");
}

function notRunning(agent: Agent, environmentId: string): Problem {
  const { desired_state, observed_state, message } = componentOf(agent, environmentId, "agent_endpoint");
  const endpoint = `The endpoint of "${agent.name}"`;
  const remedy =
    'To start it in the environment of X-Environment-Id, call POST /api/agents/retry-component with the component "agent_endpoint".';
  if (desired_state === "stopped")
    return conflict(`${endpoint} is not running in this environment. ${remedy}`);
  if (observed_state === "failed") return conflict(`${endpoint} has failed: ${message} ${remedy}`);
  return unavailable(`${endpoint} is being started. Try again.`);
}
