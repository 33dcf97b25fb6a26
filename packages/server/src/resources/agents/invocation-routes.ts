import { Readable } from "node:stream";
import type { endpoints } from "@lakehelm/contract";
import { unavailable } from "../../core/errors.ts";
import type { EndpointResponse } from "../../runtime/platforms/platform.ts";
import type { Handlers } from "../../web/http/handler.ts";
import type { Environments } from "../environments/environments.ts";
import type { Agents } from "./agents.ts";
import type { ChatMessages } from "./chat-messages.ts";
import type { AgentInvocation } from "./invocation.ts";

type Routes = "invokeAgent" | "postChatMessage";

export function invocationHandlers(
  agents: Pick<Agents, "read">,
  environments: Pick<Environments, "actIn">,
  invocation: Pick<AgentInvocation, "forward">,
  messages: ChatMessages,
): Handlers<Pick<typeof endpoints, Routes>> {
  return {
    async invokeAgent({ params, body, caller, context, header, signal }) {
      const { doc: agent } = await agents.read(params.agent_name);
      const { environment } = await environments.actIn(header("x-environment-id"));
      const answer = await invocation.forward(agent, environment.id, {
        body,
        contentType: header("content-type") ?? "application/json",
        accept: header("accept"),
        caller,
        requestId: context.requestId,
        signal,
      });
      return {
        status: answer.statusCode ?? 502,
        contentType: answer.headers["content-type"] ?? "application/octet-stream",
        stream: Readable.from(chunksOf(answer, agent.name), { objectMode: false }),
      };
    },
    async postChatMessage(call) {
      return { text: await messages.receive(call.params.agent_id, call.body, call) };
    },
  };
}

/** A process that ends while responding is not an internal error. */
async function* chunksOf(answer: EndpointResponse, name: string) {
  try {
    yield* answer;
  } catch (error) {
    throw unavailable(`The endpoint of "${name}" closed the connection before the end of its answer.`, error);
  }
}
