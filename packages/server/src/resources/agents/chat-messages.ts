import { hash } from "node:crypto";
import type { Agent, EndpointBody, EndpointResponse, Environment, endpoints } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import type { Dependencies } from "../../core/dependencies.ts";
import { unavailable } from "../../core/errors.ts";
import { textOf as jsonOf, type Text } from "../../core/store/text.ts";
import type { Call } from "../../web/http/handler.ts";
import { createIdempotency, type Once, Repeated } from "../../web/http/idempotency.ts";
import type { ChatBindings } from "../chat/bindings.ts";
import type { ChatPoster } from "../chat/poster.ts";
import type { Environments } from "../environments/environments.ts";
import { activeVersion, requireChannel } from "./active-chat.ts";
import type { Agents } from "./agents.ts";
import { answerText } from "./answer-text.ts";
import { agentSubject } from "./component-deployment.ts";
import { type AgentInvocation, textOf } from "./invocation.ts";

type ChatMessage = EndpointBody<typeof endpoints.postChatMessage>;
type ChatAnswer = EndpointResponse<typeof endpoints.postChatMessage>;
type Asking = Pick<Call, "context" | "caller" | "signal">;

interface ChatMessageParts {
  readonly agents: Pick<Agents, "read">;
  readonly environments: Pick<Environments, "actIn">;
  readonly bindings: Pick<ChatBindings, "find">;
  readonly posting: ChatPoster;
  readonly invoking: Pick<AgentInvocation, "ask">;
}

export interface ChatMessages {
  /** Has the agent's release answer a message and queues the answer for its channel; once per message id. */
  receive(agentReference: string, message: ChatMessage, call: Asking): Promise<Text<ChatAnswer>>;
}

export function createChatMessages(deps: Dependencies, others: ChatMessageParts): ChatMessages {
  const { store, vault, system } = deps;
  const { agents, environments, bindings, posting, invoking } = others;
  const kept = createIdempotency(store, vault.deriveKey("chat messages"), system.now);
  /** The same message may arrive again while it is being answered: the agent is invoked once. */
  const underWay = new Map<string, Promise<Text<ChatAnswer>>>();

  async function ask(agent: Agent, environmentId: string, message: ChatMessage, call: Asking) {
    const { text: content, channel_id, user = null } = message;
    const answer = await invoking.ask(agent, environmentId, {
      body: encodeJson({ messages: [{ role: "user", content }], channel_id, user }),
      contentType: "application/json",
      accept: "application/json, text/plain",
      asker: call.caller,
      requestId: call.context.requestId,
      signal: call.signal,
    });
    const body = await textOf(answer, agent);
    if (answer.statusCode !== 200) {
      throw unavailable(`The endpoint of "${agent.name}" answered with the status ${answer.statusCode}.`);
    }
    const said = answerText(answer.headers["content-type"], body);
    if (said === undefined) throw unavailable(`The endpoint of "${agent.name}" answered without a text.`);
    return said;
  }

  async function answer(
    agent: Agent,
    environment: Environment,
    message: ChatMessage,
    call: Asking,
    once: Once | undefined,
  ): Promise<Text<ChatAnswer>> {
    const { channel_id, message_id = null } = message;
    const { context } = call;
    const version = activeVersion(agent, environment);
    const binding = await bindings.find(environment.id, channel_id);
    requireChannel(binding, agent, environment, channel_id);
    const said = await ask(agent, environment.id, message, call);

    const delivery_id = binding.channel_url === null ? null : system.newId();
    const queued =
      delivery_id === null
        ? { steps: [], events: [] }
        : await posting.post(environment.id, channel_id, said, { id: delivery_id, time: context.time });
    const where = delivery_id === null ? ": it has no address, so the answer is here alone." : ".";
    const text = jsonOf<ChatAnswer>({
      success: true,
      message: `${agent.name} ${version} answered in the channel ${channel_id}${where}`,
      answer: said,
      delivery_id,
    });
    const data = {
      name: agent.name,
      environment_id: environment.id,
      channel_id,
      version,
      message_id,
      delivery_id,
    };
    const event = { kind: "agent.chat_answered", subject: agentSubject(agent.id), data };
    await store.apply({
      context,
      steps: [...(once?.saveAnswer(text, undefined) ?? []), ...queued.steps],
      events: [event, ...queued.events],
    });
    return text;
  }

  return {
    async receive(agentReference, message, call) {
      const { doc: agent } = await agents.read(agentReference);
      const { environment } = await environments.actIn(message.environment);
      const { channel_id, message_id } = message;
      if (typeof message_id !== "string") return answer(agent, environment, message, call, undefined);

      const channel = `chat ${agent.id} ${environment.id} ${channel_id}`;
      const id = hash("sha256", message_id);
      // The message id alone identifies a message, whatever else it contains.
      const once = kept.once(channel, "postChatMessage", id, []);
      const before = await once.find();
      if (before) return before.text;
      const key = `${channel} ${id}`;
      const answering =
        underWay.get(key) ??
        answer(agent, environment, message, call, once).finally(() => underWay.delete(key));
      underWay.set(key, answering);
      return answering.catch(async (error) => {
        // Another server was faster.
        const first = error instanceof Repeated ? await once.find() : undefined;
        if (!first) throw error;
        return first.text;
      });
    },
  };
}
