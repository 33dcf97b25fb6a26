import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { environmentHeader } from "./shared.ts";

const shared = { tag: "Agents and apps", needsData: true } as const;

export const invokeAgent = endpoint({
  ...shared,
  method: "POST",
  path: "/agents/{agent_name}/invocations",
  summary: "Ask an agent, by id, name or alias",
  description:
    "The body goes as it is to `POST /invocations` of the agent's endpoint in that environment, with who is asking in `X-Forwarded-User`. Its answer comes back as it is: status, content type and body, streams included. Asking takes the role viewer, as reading does: an agent reads with a token of its own, and an app asks with one of that role. 409 where the endpoint does not run, 503 while it is being started or does not answer.",
  access: "viewer",
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
  ...shared,
  method: "POST",
  path: "/api/agents/{agent_id}/chat/messages",
  summary: "Bring a message of a chat channel to an agent, and its answer to the channel",
  description:
    "The release of the agent in that environment answers (#4), and the answer is posted to the channel (#11). A channel that was bound with `metadata.agent` is that agent's; any other takes the answers of every agent of its environment. 409 where the agent is not active in chat there, the channel is not bound, or the endpoint does not run the version that was released.",
  access: "operator",
  body: s.model("ChatMessageRequest", {
    environment: s.string().default("dev").describe("Id or name."),
    channel_id: s.string({ min: 1 }),
    text: s.string({ min: 1 }),
    user: s.string().nullable().optional().describe("Who wrote it, as the chat knows them."),
    message_id: s
      .string({ min: 1 })
      .nullable()
      .optional()
      .describe("The same id within 24 hours gets the same answer, and nothing is posted again."),
  }),
  response: s.model("ChatMessageAnswer", {
    success: s.boolean(),
    message: s.string(),
    answer: s.string().describe("What the agent said."),
    delivery_id: s
      .string()
      .nullable()
      .describe("Its way to the channel; null where the channel has no address to post to."),
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
