import { type IncomingMessage, request as send } from "node:http";
import type { Agent } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import { conflict, type Problem, unavailable } from "../../core/errors.ts";
import { endpointProcess, type ProcessProvider } from "../../core/processes.ts";
import { identityHeaders } from "../../web/gateway/identity-headers.ts";
import { answerTo } from "../../web/http/answer.ts";
import type { Caller } from "../../web/identity/caller.ts";
import type { Agents } from "./agents.ts";
import { componentOf } from "./components.ts";

/** A request to an agent: bytes of any kind. */
interface Question {
  readonly body: Uint8Array | string;
  readonly contentType: string;
  readonly accept?: string | undefined;
  readonly asker: Pick<Caller, "name" | "role">;
  readonly requestId: string | null;
  readonly signal: AbortSignal;
}

export interface AgentInvocation {
  /** The agent's streaming response: status and headers have arrived, the body is read from it. */
  ask(agent: Agent, environmentId: string, question: Question): Promise<IncomingMessage>;
  /** Sends a JSON value on behalf of the server itself, and waits for the complete response. */
  invoke(
    agentReference: string,
    environmentId: string,
    body: unknown,
    signal: AbortSignal,
  ): Promise<{ readonly status: number; readonly body: string }>;
}

/** Shorter than the idle timeout after which another server gives up on us (http/relay.ts). */
const silenceMs = 110_000;

/** The maximum size of a buffered response: streamed responses have no limit. */
const answerLimit = 4 * 1024 * 1024;

/** Forwards requests to the endpoint of an agent, a local process that listens for `POST /invocations`. */
export function createAgentInvocation({
  agents,
  lending,
}: {
  readonly agents: Pick<Agents, "read">;
  readonly lending: ProcessProvider;
}): AgentInvocation {
  async function ask(agent: Agent, environmentId: string, question: Question): Promise<IncomingMessage> {
    const lent = lending.acquire(endpointProcess(agent.id, environmentId));
    if (!lent) throw notRunning(agent, environmentId);
    const { body, contentType, accept, asker, requestId, signal } = question;
    const sending = send({
      host: "127.0.0.1",
      port: lent.port,
      method: "POST",
      path: "/invocations",
      agent: false,
      signal,
      headers: {
        "content-type": contentType,
        "content-length": Buffer.byteLength(body),
        ...(accept !== undefined && { accept }),
        ...identityHeaders(asker.name, asker.role),
        ...(requestId !== null && { "x-request-id": requestId }),
      },
    });
    sending.once("close", () => lent.release());
    sending.setTimeout(silenceMs, () => sending.destroy(new Error(`nothing came for ${silenceMs / 1000} s`)));
    const answered = answerTo(sending);
    sending.end(body);
    return answered.catch((error: Error) => {
      throw unavailable(`The endpoint of "${agent.name}" does not answer: ${error.message}.`, error);
    });
  }

  return {
    ask,
    async invoke(agentReference, environmentId, value, signal) {
      const { doc: agent } = await agents.read(agentReference);
      const answer = await ask(agent, environmentId, {
        body: encodeJson(value),
        contentType: "application/json",
        asker: { name: "lakehelm", role: "viewer" },
        requestId: null,
        signal,
      });
      return { status: answer.statusCode ?? 502, body: await textOf(answer, agent) };
    },
  };
}

/** The complete response as text. */
export async function textOf(answer: IncomingMessage, { name }: Pick<Agent, "name">): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer) {
      size += chunk.length;
      if (size > answerLimit) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw unavailable(`The endpoint of "${name}" broke off in the midst of its answer.`, error);
  }
  if (size > answerLimit) throw conflict(`The answer of "${name}" is longer than ${answerLimit} bytes.`);
  return Buffer.concat(chunks).toString("utf8");
}

function notRunning(agent: Agent, environmentId: string): Problem {
  const { desired_state, observed_state, message } = componentOf(agent, environmentId, "agent_endpoint");
  const endpoint = `The endpoint of "${agent.name}"`;
  const how =
    'POST /api/agents/retry-component with the component "agent_endpoint" starts it in the environment of X-Environment-Id.';
  if (desired_state === "stopped") return conflict(`${endpoint} does not run in this environment. ${how}`);
  if (observed_state === "failed") return conflict(`${endpoint} has failed: ${message} ${how}`);
  return unavailable(`${endpoint} is being started. Try again.`);
}
