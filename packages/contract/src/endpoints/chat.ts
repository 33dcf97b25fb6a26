import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import {
  environmentParameter,
  historyParameters,
  historySearch,
  listFields,
  listQuery,
  nextBefore,
  nextCursor,
  nextHistoryCursor,
} from "./lists.ts";
import {
  createdAt,
  createdBy,
  Done,
  dateTime,
  environmentFilter,
  environmentId,
  exampleIds,
  exampleTime,
  message,
  nullableText,
  success,
  total,
  updatedAt,
} from "./shared.ts";

export const ChatBinding = s.model("ChatBinding", {
  id: s.string().describe("UUID of the binding. Binding the channel again keeps it."),
  environment_id: environmentId(),
  environment: s.string().describe("Name of that environment."),
  channel_id: s
    .string()
    .describe("Your id of the channel, unique in the environment: `notifications` name it."),
  team_id: nullableText().describe("Id of the chat's team or workspace, for your own use; null: not given."),
  channel_name: nullableText().describe("Name of the channel, for people; null: not given."),
  channel_url: nullableText().describe("Returned as `********`: the URL of an incoming webhook is a secret."),
  automation_alias: nullableText().describe(
    "The automation whose releases, failures, recoveries and pauses are posted; null: all.",
  ),
  metadata: s
    .map()
    .describe("`kind`: `slack`, `teams` or `webhook`. `signing_secret`: signs messages to a webhook."),
  created_at: createdAt(),
  updated_at: updatedAt(),
  created_by: createdBy(),
});
export type ChatBinding = s.Infer<typeof ChatBinding>;

const deliveryState = () => s.literal("waiting", "delivered", "dead");

export const Delivery = s.model("Delivery", {
  id: s.string().describe("Stable: a retry sends the same id."),
  sequence: s.integer().describe("Messages to one channel are sent in this order."),
  binding_id: nullableText().describe("Id of the channel's binding; null: an email."),
  environment_id: s.string().describe("Id of the environment of the event."),
  channel_id: nullableText().describe("The channel's `channel_id`; null: an email."),
  kind: s.string().describe("The event that it reports, such as `run.failed`."),
  text: s.string().describe("The message as it is sent. Its first line is the summary."),
  state: deliveryState().describe("`dead`: not delivered, after the last attempt or a permanent error."),
  attempts: s.integer().describe("Number of attempts so far."),
  next_at: dateTime()
    .nullable()
    .describe("Time of the next attempt, while it is the first waiting message of its channel."),
  status: s
    .integer()
    .nullable()
    .describe("The HTTP status of the last attempt; null: there was no response."),
  error: nullableText().describe("Why the last attempt failed."),
  created_at: dateTime().describe("When the message was queued."),
  ended_at: dateTime().nullable().describe("When it was delivered or became dead; null: it is waiting."),
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
  changes: "settings",
  path: "/api/automations/chat/bind",
  scope: "body",
  summary: "Bind a chat channel",
  description:
    "Messages are posted to `channel_url`: an incoming webhook of Slack or Microsoft Teams (detected by its host, or set by `metadata.kind`), or any other URL, which receives signed JSON. A URL in a private network returns 409, unless a setting allows it. Binding the same channel in the same environment again replaces the binding.",
  access: "operator",
  body: s.model("ChatBindRequest", {
    environment: s
      .string()
      .default("dev")
      .describe("Id or name of the environment. `dev`, `test` and `prod` are created if they are missing."),
    channel_id: s
      .string()
      .describe("Your id of the channel. A binding with the same id in the environment is replaced."),
    team_id: nullableText().optional().describe("Id of the chat's team or workspace. It is only stored."),
    channel_name: nullableText().optional().describe("Name of the channel, for people. It is only stored."),
    channel_url: nullableText()
      .optional()
      .describe(
        "Where messages are posted: an `http` or `https` URL, or a whole reference `{{secrets/<scope>/<key>}}`. Null or absent: no messages.",
      ),
    automation_alias: nullableText()
      .optional()
      .describe(
        "Only messages about this automation, which must exist. Null or absent: everything in the environment.",
      ),
    metadata: s
      .map()
      .default({})
      .describe(
        "`kind` (`slack`, `teams`, `webhook`) if the host does not show it; `signing_secret` to sign messages to a webhook; `agent` to let only that agent answer. Anything else is stored.",
      ),
  }),
  response: s.model("ChatBindResponse", {
    success: success(),
    message: message(),
    binding: ChatBinding.describe("The binding after the change."),
    signing_secret: s
      .string()
      .optional()
      .describe("Signs the messages to this webhook. It is returned only once, when it is created."),
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
  scope: "list",
  summary: "List the chat bindings",
  access: "viewer",
  headers: environmentFilter,
  query: listQuery(listFields.bindings),
  response: s.model("ChatBindingList", {
    bindings: s.list(ChatBinding).describe("The bindings on this page."),
    total: total(),
    next_cursor: nextCursor(),
  }),
  errors: [404, 409],
  example: { response: { bindings: [binding], total: 1 } },
});

export const deleteBinding = endpoint({
  ...shared,
  method: "DELETE",
  changes: "settings",
  path: oneBinding,
  scope: "binding",
  summary: "Remove a chat binding",
  description: "Deletes the messages that wait for the channel.",
  access: "operator",
  response: Done,
  errors: [404, 409],
  example: { response: { success: true, message: "Channel C0123 is no longer bound in dev." } },
});

export const testBinding = endpoint({
  isBounded: true,
  ...shared,
  method: "POST",
  changes: "operation",
  path: `${oneBinding}/test`,
  scope: "binding",
  summary: "Send a test message to a channel",
  description: "Sends it at once, ahead of waiting messages, and does not retry it.",
  access: "operator",
  effect: "sends a message",
  response: s.model("ChatTestResponse", {
    success: s.boolean().describe("Whether the channel accepted it."),
    message: s.string().describe("What the channel answered, or why it could not be reached."),
    status: s.integer().nullable().describe("The HTTP status of the response; null: there was no response."),
  }),
  errors: [404, 409],
  example: {
    response: { success: true, message: "Channel C0123 accepted the test message.", status: 200 },
  },
});

export const listDeliveries = endpoint({
  ...shared,
  method: "GET",
  path: "/api/automations/chat/deliveries",
  scope: "list",
  summary: "List the messages to channels",
  description:
    "Waiting messages, delivered messages (kept for 7 days, at most 1,000 for each channel) and dead messages (kept for 30 days).",
  access: "viewer",
  headers: environmentFilter,
  query: {
    state: deliveryState().optional().describe("Only messages in this state."),
    binding: s.string().optional().describe("Only messages of the binding with this id."),
    before: s
      .integer({ ge: 1, le: Number.MAX_SAFE_INTEGER })
      .optional()
      .describe("`next_before` of the previous page."),
    limit: s.integer({ ge: 1, le: 1000 }).default(100).describe("Maximum number of messages to return."),
    ...environmentParameter,
    ...historyParameters,
    search: historySearch("`channel_id`, `kind` or `text`"),
  },
  response: s.model("DeliveryPage", {
    deliveries: s.list(Delivery).describe("The messages on this page."),
    next_before: s.integer().nullable().describe(nextBefore),
    next_cursor: nextHistoryCursor(),
  }),
  errors: [404],
  example: { response: { deliveries: [delivery], next_before: null, next_cursor: null } },
});

export const retryDelivery = endpoint({
  isBounded: true,
  ...shared,
  method: "POST",
  changes: "operation",
  path: "/api/automations/chat/deliveries/{delivery_id}/retry",
  scope: "delivery",
  summary: "Retry a delivery",
  description:
    "A dead message returns to its position in the channel's order, with the same id and as many attempts as a new one. A waiting message is sent at once. A delivered message returns 409.",
  access: "operator",
  response: Delivery,
  errors: [404, 409],
  example: { response: { ...delivery, state: "waiting", attempts: 0, next_at: exampleTime, ended_at: null } },
});
