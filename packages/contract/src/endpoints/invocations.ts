import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { environmentHeader, message, success } from "./shared.ts";

const shared = { tag: "Agents and apps", needsData: true } as const;

export const invokeAgent = endpoint({
  isBounded: true,
  ...shared,
  method: "POST",
  changes: "nothing",
  path: "/agents/{agent_name}/invocations",
  scope: "header",
  summary: "Invoke an agent, by id, name or alias",
  description:
    "Forwards the body unchanged to `POST /invocations` of the agent's endpoint in the environment, with the caller in `X-Forwarded-User`. Returns the endpoint's response unchanged: status, content type and body, including streams. The role viewer is enough: an agent reads with a token of its own, and an app calls agents with a viewer's token. Returns 409 if the endpoint does not run, and 503 while it starts or if it does not respond.",
  access: "viewer",
  effect: "calls an agent",
  headers: environmentHeader,
  body: "bytes",
  response: s.any(),
  streams: "text/event-stream",
  errors: [404, 409],
  example: {
    body: { messages: [{ role: "user", content: "How many orders are there?" }] },
    response: { output_text: "There are 2,999 orders." },
  },
});

export const postChatMessage = endpoint({
  isBounded: true,
  ...shared,
  method: "POST",
  changes: "operation",
  path: "/api/agents/{agent_id}/chat/messages",
  scope: "body",
  summary: "Send a chat message to an agent and post its answer to the channel",
  description:
    "The agent's release in the environment answers, and the answer is posted to the channel. A channel that was bound with `metadata.agent` accepts only that agent; any other channel accepts every agent of its environment. Returns 409 if the agent is not active in chat there, the channel is not bound, or the endpoint does not run the released version.",
  access: "operator",
  effect: "calls an agent and posts its answer",
  body: s.model("ChatMessageRequest", {
    environment: s.string().default("dev").describe("Id or name of the environment whose release answers."),
    channel_id: s
      .string({ min: 1 })
      .describe("The `channel_id` of a channel that is bound in the environment."),
    text: s.string({ min: 1 }).describe("What the user wrote."),
    user: s.string().nullable().optional().describe("The author's name in the chat."),
    message_id: s
      .string({ min: 1 })
      .nullable()
      .optional()
      .describe(
        "Makes a retry safe: within 24 hours the same id returns the same answer, and nothing is posted again.",
      ),
  }),
  response: s.model("ChatMessageAnswer", {
    success: success(),
    message: message(),
    answer: s.string().describe("The agent's answer."),
    delivery_id: s
      .string()
      .nullable()
      .describe("The delivery to the channel; null if the channel has no URL."),
  }),
  errors: [404, 409],
  example: {
    body: {
      environment: "prod",
      channel_id: "C0ORDERS",
      text: "How many orders are there?",
      user: "ada",
      message_id: "1772366400.000100",
    },
    response: {
      success: true,
      message: "order-desk 1.0.0 answered in the channel C0ORDERS.",
      answer: "There are 2,999 orders.",
      delivery_id: "019f0000-0000-7000-8000-00000000000e",
    },
  },
});
