import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { Done, dateTime, environmentFilter, exampleIds, exampleTime, paging } from "./shared.ts";

const text = () => s.string().nullable();

export const ChatBinding = s.model("ChatBinding", {
  id: s.string(),
  environment_id: s.string(),
  environment: s.string(),
  channel_id: s.string(),
  team_id: text(),
  channel_name: text(),
  channel_url: text().describe("Answered as `********`: an incoming webhook's address is a secret."),
  automation_alias: text().describe(
    "Whose releases, failures, recoveries and pauses it hears of; null: all.",
  ),
  metadata: s
    .map()
    .describe("`kind`: `slack`, `teams` or `webhook`; `signing_secret`: what signs messages to a webhook."),
  created_at: dateTime(),
  updated_at: dateTime(),
  created_by: s.string(),
});
export type ChatBinding = s.Infer<typeof ChatBinding>;

const deliveryState = () => s.literal("waiting", "delivered", "dead");

export const Delivery = s.model("Delivery", {
  id: s.string().describe("Stable: a message that is sent again carries the same one."),
  sequence: s.integer().describe("Messages to one channel are sent in this order."),
  binding_id: text().describe("Null: a mail."),
  environment_id: s.string(),
  channel_id: text(),
  kind: s.string().describe("What it tells of, such as `run.failed`."),
  text: s.string(),
  state: deliveryState().describe("`dead`: put aside, after the last attempt or a final refusal."),
  attempts: s.integer(),
  next_at: dateTime()
    .nullable()
    .describe("When it is tried next, while it waits and is the first in its channel."),
  status: s.integer().nullable().describe("The HTTP status of the last attempt; null: there was no answer."),
  error: text().describe("Why the last attempt failed."),
  created_at: dateTime(),
  ended_at: dateTime().nullable(),
});
export type Delivery = s.Infer<typeof Delivery>;

const binding = {
  id: exampleIds.binding,
  environment_id: exampleIds.environment,
  environment: "dev",
  channel_id: "C0123",
  team_id: null,
  channel_name: "data-ops",
  channel_url: "********",
  automation_alias: "orders-daily",
  metadata: {},
  created_at: exampleTime,
  updated_at: exampleTime,
  created_by: "ada@example.com",
};
const delivery = {
  id: "019f0000-0000-7000-8000-00000000000d",
  sequence: 17,
  binding_id: exampleIds.binding,
  environment_id: exampleIds.environment,
  channel_id: "C0123",
  kind: "run.failed",
  text: "orders-daily failed in dev.",
  state: "dead",
  attempts: 8,
  next_at: null,
  status: 503,
  error: "The host hooks.slack.com answered with 503.",
  created_at: exampleTime,
  ended_at: exampleTime,
} as const;

const shared = { tag: "Automations" } as const;
const oneBinding = "/api/automations/chat/bindings/{binding_id}";

export const bindChat = endpoint({
  ...shared,
  number: 11,
  method: "POST",
  path: "/api/automations/chat/bind",
  summary: "Bind a chat channel",
  description:
    "Messages go to `channel_url`: an incoming webhook of Slack or Microsoft Teams (told by its host, or by `metadata.kind`), or any other address, which gets signed JSON. An address in a private network is 409, unless a setting allows it. Binding the same channel in the same environment again replaces the former binding.",
  access: "operator",
  body: s.model("ChatBindRequest", {
    environment: s.string().default("dev"),
    channel_id: s.string(),
    team_id: text().optional(),
    channel_name: text().optional(),
    channel_url: text().optional(),
    automation_alias: text().optional(),
    metadata: s.map().default({}),
  }),
  response: s.model("ChatBindResponse", {
    success: s.boolean(),
    message: s.string(),
    binding: ChatBinding,
    signing_secret: s
      .string()
      .optional()
      .describe("What signs the messages to this webhook, where it was made just now: it is shown once."),
  }),
  errors: [404, 409],
  example: {
    body: {
      environment: "dev",
      channel_id: "C0123",
      channel_name: "data-ops",
      channel_url: "https://hooks.slack.com/services/T0/B0/x",
      automation_alias: "orders-daily",
    },
    response: { success: true, message: "Channel C0123 is bound in dev.", binding },
  },
});

export const listBindings = endpoint({
  ...shared,
  method: "GET",
  path: "/api/automations/chat/bindings",
  summary: "List the chat bindings",
  access: "viewer",
  headers: environmentFilter,
  query: paging,
  response: s.model("ChatBindingList", { bindings: s.list(ChatBinding), total: s.integer() }),
  errors: [404, 409],
  example: { response: { bindings: [binding], total: 1 } },
});

export const deleteBinding = endpoint({
  ...shared,
  method: "DELETE",
  path: oneBinding,
  summary: "Remove a chat binding",
  description: "Messages that wait for the channel go with it.",
  access: "operator",
  response: Done,
  errors: [404, 409],
  example: { response: { success: true, message: "Channel C0123 is no longer bound in dev." } },
});

export const testBinding = endpoint({
  ...shared,
  method: "POST",
  path: `${oneBinding}/test`,
  summary: "Send a test message to a channel",
  description: "At once, past what waits for the channel, and without being tried again.",
  access: "operator",
  response: s.model("ChatTestResponse", {
    success: s.boolean().describe("Whether the channel took it."),
    message: s.string(),
    status: s
      .integer()
      .nullable()
      .describe("The HTTP status that it answered with; null: there was no answer."),
  }),
  errors: [404, 409],
  example: {
    response: { success: true, message: "Channel C0123 took the test message.", status: 200 },
  },
});

export const listDeliveries = endpoint({
  ...shared,
  method: "GET",
  path: "/api/automations/chat/deliveries",
  summary: "List the messages to channels, newest first",
  description:
    "Those that wait, those that were delivered (for 7 days, at most 1,000 for each channel), and those that could not be (for 30 days).",
  access: "viewer",
  headers: environmentFilter,
  query: {
    state: deliveryState().optional(),
    binding: s.string().optional().describe("A binding's id."),
    before: s.integer({ ge: 1 }).optional().describe("The `next_before` of the page before."),
    limit: s.integer({ ge: 1, le: 1000 }).default(100).describe("How many to return at the most."),
  },
  response: s.model("DeliveryPage", {
    deliveries: s.list(Delivery),
    next_before: s.integer().nullable().describe("`before` of the next page; null: there is none."),
  }),
  errors: [404],
  example: { response: { deliveries: [delivery], next_before: null } },
});

export const retryDelivery = endpoint({
  ...shared,
  method: "POST",
  path: "/api/automations/chat/deliveries/{delivery_id}/retry",
  summary: "Send a message again that could not be delivered",
  description:
    "It goes back to its place in the order of its channel, with the same id, and is tried as often as a new one. One that waits is tried at once; one that was delivered is 409.",
  access: "operator",
  response: Delivery,
  errors: [404, 409],
  example: { response: { ...delivery, state: "waiting", attempts: 0, next_at: exampleTime, ended_at: null } },
});
