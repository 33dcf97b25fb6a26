import { hash } from "node:crypto";
import type {
  Agent,
  EndpointBody,
  EndpointResponse,
  Environment,
  endpoints,
  webhooks,
} from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import type { Dependencies } from "../../core/dependencies.ts";
import { unavailable } from "../../core/errors.ts";
import { textOf as jsonOf, type Text } from "../../core/store/collection.ts";
import type { Call } from "../../web/http/handler.ts";
import { createIdempotency, DuplicateRequest, type IdempotentRequest } from "../../web/http/idempotency.ts";
import type { ChatBindings } from "../chat/bindings.ts";
import type { ChatPoster } from "../chat/poster.ts";
import type { Environments } from "../environments/environments.ts";
import { activeVersion, requireChannel } from "./active-chat.ts";
import type { Agents } from "./agents.ts";
import { answerText } from "./answer-text.ts";
import { agentSubject } from "./component-deployment.ts";
import { type AgentInvocation, textOf } from "./invocation.ts";

type ChatMessageBody = EndpointBody<typeof endpoints.postChatMessage>;
type ChatAnswer = EndpointResponse<typeof endpoints.postChatMessage>;
type ChatCall = Pick<Call, "context" | "caller" | "signal">;

interface ChatMessageDependencies {
  readonly agents: Pick<Agents, "read">;
  readonly environments: Pick<Environments, "actIn">;
  readonly bindings: Pick<ChatBindings, "find">;
  readonly poster: ChatPoster;
  readonly invocation: Pick<AgentInvocation, "forward" | "question">;
}

export interface ChatMessages {
  /** Asks the agent's release to answer a message, and queues the answer for the channel; once per message id. */
  receive(agentReference: string, message: ChatMessageBody, call: ChatCall): Promise<Text<ChatAnswer>>;
}

export function createChatMessages(deps: Dependencies, rules: ChatMessageDependencies): ChatMessages {
  const { store, vault, system } = deps;
  const { agents, environments, bindings, poster, invocation } = rules;
  const idempotency = createIdempotency(store, vault.deriveKey("chat messages"), system.now);
  /** The same message may arrive again while it is being answered: the agent is invoked once. */
  const inFlight = new Map<string, Promise<Text<ChatAnswer>>>();

  async function ask(agent: Agent, environmentId: string, message: ChatMessageBody, call: ChatCall) {
    const { text: content, channel_id, user = null } = message;
    const question: webhooks.AgentQuestion = { messages: [{ role: "user", content }], channel_id, user };
    const answer = await invocation.forward(agent, environmentId, {
      body: encodeJson(await invocation.question(environmentId, question)),
      contentType: "application/json",
      accept: "application/json, text/plain",
      caller: call.caller,
      requestId: call.context.requestId,
      signal: call.signal,
    });
    const body = await textOf(answer, agent);
    if (answer.statusCode !== 200) {
      throw unavailable(`The endpoint of "${agent.name}" responded with status ${answer.statusCode}.`);
    }
    const text = answerText(answer.headers["content-type"], body);
    if (text === undefined) throw unavailable(`The endpoint of "${agent.name}" returned no text.`);
    return text;
  }

  async function answer(
    agent: Agent,
    environment: Environment,
    message: ChatMessageBody,
    call: ChatCall,
    once: IdempotentRequest | undefined,
  ): Promise<Text<ChatAnswer>> {
    const { channel_id, message_id = null } = message;
    const { context } = call;
    const version = activeVersion(agent, environment);
    const binding = await bindings.find(environment.id, channel_id);
    requireChannel(binding, agent, environment, channel_id);
    const reply = await ask(agent, environment.id, message, call);

    const delivery_id = binding.channel_url === null ? null : system.newId();
    const queued =
      delivery_id === null
        ? { steps: [], events: [] }
        : await poster.post(environment.id, channel_id, reply, { id: delivery_id, time: context.time });
    const where =
      delivery_id === null ? ": the channel has no URL, so the answer is only in this response." : ".";
    const text = jsonOf<ChatAnswer>({
      success: true,
      message: `${agent.name} ${version} answered in the channel ${channel_id}${where}`,
      answer: reply,
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
      const once = idempotency.once(channel, "postChatMessage", id, { meaning: null, bytes: [] });
      const before = await once.find();
      if (before) return before.text;
      const key = `${channel} ${id}`;
      const pending =
        inFlight.get(key) ??
        answer(agent, environment, message, call, once).finally(() => inFlight.delete(key));
      inFlight.set(key, pending);
      return pending.catch(async (error) => {
        // Another server has answered the same message first: its answer is returned.
        const first = error instanceof DuplicateRequest ? await once.find() : undefined;
        if (!first) throw error;
        return first.text;
      });
    },
  };
}
