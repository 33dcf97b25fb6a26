/**
 * The requests that Lakehelm sends to other systems in a format of its own, as their receivers must understand them.
 */
import { exampleIds, exampleTime } from "./endpoints/shared.ts";
import * as s from "./schema/index.ts";

export interface Webhook {
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** The first method is the default. */
  readonly methods: readonly ("POST" | "PUT" | "PATCH")[];
  /** The headers of the request beyond `Content-Type`, with descriptions. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: s.AnySchema;
  readonly example: unknown;
}

const webhook = <const W extends Webhook>(definition: W): W => definition;

const delivery =
  "Sent in order for each channel, at least once: a repeated message has the same id. Any 2xx response is success; 408, 425, 429, 5xx and no response within 10 seconds are retried.";
const messageId = "The id of the message. A repeated message has the same one.";

const ChannelMessage = s.model("ChannelMessage", {
  id: s.string().describe(messageId),
  kind: s
    .string()
    .describe("What it reports: the kind of an event, such as `run.failed`, or `message` or `test`."),
  time: s.string({ format: "date-time" }).describe("When the event happened."),
  environment: s.string().describe("Name of the environment at that time."),
  automation: s.string().nullable().describe("Alias of the automation; null: it is not about one."),
  text: s.string().describe("The message for people. Its first line is the summary."),
  data: s.map().describe("Details of the event. Secrets are masked."),
  channel_id: s.string().nullable().describe("The `channel_id` of the binding."),
});
export type ChannelMessage = s.Infer<typeof ChannelMessage>;

export const channelMessage = webhook({
  tag: "Automations",
  summary: "A message to a bound channel",
  description: `Sent to \`channel_url\` of a chat binding, unless it is an address of Slack or Microsoft Teams. ${delivery}`,
  methods: ["POST"],
  headers: {
    "Lakehelm-Id": messageId,
    "Lakehelm-Timestamp": "When it was sent, in seconds since 1970. Reject messages older than five minutes.",
    "Lakehelm-Signature":
      "`v1=` and the HMAC-SHA256 of `<timestamp>.<body>` in hex, with the binding's signing secret.",
  },
  body: ChannelMessage,
  example: {
    id: "019f0000-0000-7000-8000-00000000000d",
    kind: "run.failed",
    time: exampleTime,
    environment: "prod",
    automation: "orders-daily",
    text: "orders-daily failed in prod.",
    data: { run_id: "019f0000-0000-7000-8000-00000000000f" },
    channel_id: "data-ops",
  },
});

const mrkdwn = (name: string) =>
  s.model(name, {
    type: s.literal("mrkdwn").describe("Slack's markup."),
    text: s.string().describe("At most 3,000 characters, with `&`, `<` and `>` escaped."),
  });
const SlackMessage = s.model("SlackMessage", {
  text: s.string().describe("The whole message, for notifications."),
  blocks: s
    .list(
      s.choice(
        "SlackBlock",
        (raw) => (s.has(raw, "elements") ? 1 : 0),
        s.model("SlackSection", {
          type: s.literal("section").describe("A part of the message."),
          text: mrkdwn("SlackText").describe("The text of this part."),
        }),
        s.model("SlackContext", {
          type: s.literal("context").describe("Small print below the message."),
          elements: s.list(mrkdwn("SlackElement")).describe("One text: the id of the message."),
        }),
      ),
    )
    .describe("The message in parts, and its id in small print."),
});
export type SlackMessage = s.Infer<typeof SlackMessage>;

export const slackMessage = webhook({
  tag: "Automations",
  summary: "A message to a Slack channel",
  description: `Sent to an incoming webhook of Slack. ${delivery}`,
  methods: ["POST"],
  headers: {},
  body: SlackMessage,
  example: {
    text: "orders-daily failed in prod.",
    blocks: [
      { type: "section", text: { type: "mrkdwn", text: "orders-daily failed in prod." } },
      {
        type: "context",
        elements: [{ type: "mrkdwn", text: "Lakehelm · 019f0000-0000-7000-8000-00000000000d" }],
      },
    ],
  },
});

const TeamsCard = s.model("TeamsCard", {
  $schema: s.string().describe("The schema of Adaptive Cards."),
  type: s.literal("AdaptiveCard").describe("What this object is."),
  version: s.string().describe("The version of Adaptive Cards."),
  body: s
    .list(
      s.model("TeamsBlock", {
        type: s.literal("RichTextBlock").describe("Text that is not read as Markdown."),
        inlines: s
          .list(
            s.model("TeamsText", {
              type: s.literal("TextRun").describe("A piece of text."),
              text: s.string().describe("One line of the message, or its id."),
              size: s.string().optional().describe("`Small` for the id."),
              isSubtle: s.boolean().optional().describe("True for the id."),
            }),
          )
          .describe("One piece of text."),
      }),
    )
    .describe("A block for each line of the message, and one for its id."),
});
const TeamsMessage = s.model("TeamsMessage", {
  type: s.literal("message").describe("What this object is."),
  attachments: s
    .list(
      s.model("TeamsAttachment", {
        contentType: s.string().describe("The content type of a card."),
        contentUrl: s.string().nullable().describe("Always null: the card is in `content`."),
        content: TeamsCard.describe("The message as an Adaptive Card."),
      }),
    )
    .describe("One card."),
});
export type TeamsMessage = s.Infer<typeof TeamsMessage>;

export const teamsMessage = webhook({
  tag: "Automations",
  summary: "A message to a Microsoft Teams channel",
  description: `Sent to an incoming webhook or workflow of Microsoft Teams. ${delivery}`,
  methods: ["POST"],
  headers: {},
  body: TeamsMessage,
  example: {
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          body: [
            {
              type: "RichTextBlock",
              inlines: [{ type: "TextRun", text: "orders-daily failed in prod." }],
            },
          ],
        },
      },
    ],
  },
});

const Mail = s.model("Mail", {
  id: s.string().describe(messageId),
  to: s.list(s.string()).describe("The addresses of the recipients."),
  subject: s.string().describe("The subject: the first line of the message."),
  text: s.string().describe("The plain text of the mail."),
});
export type Mail = s.Infer<typeof Mail>;

export const mail = webhook({
  tag: "Pipelines",
  summary: "A mail to be sent",
  description: `Sent to \`PLATFORM_MAIL_WEBHOOK_URL\` for \`email_recipients\` of a pipeline: the receiver sends the mail. ${delivery}`,
  methods: ["POST"],
  headers: { "Lakehelm-Id": messageId },
  body: Mail,
  example: {
    id: "019f0000-0000-7000-8000-00000000000d",
    to: ["ada@example.com"],
    subject: "orders failed in prod.",
    text: "orders failed in prod.",
  },
});

const ConnectorBatch = s.model("ConnectorBatch", {
  connector: s.string().describe("UUID of the connector."),
  dataset: s.string().describe("`target_name` of the dataset."),
  write_strategy: s.literal("upsert", "append").describe("How the rows are meant."),
  primary_keys: s.list(s.string()).describe("The columns that identify a row. Empty with `append`."),
  records: s.list(s.map()).describe("The rows by column name: `batch_size` of them, or fewer."),
});

export const connectorBatch = webhook({
  tag: "Connectors",
  summary: "Rows of a connector",
  description:
    "Sent to `url` of a connector whose `target_type` is `http`. Delivered at least once: a batch that is repeated after a failure has the same key. Any 2xx response accepts all rows; 400, 409, 413 and 422 refuse rows of the batch, which is then sent in halves.",
  methods: ["POST", "PUT", "PATCH"],
  headers: { "Idempotency-Key": "The same for the same rows of the same run." },
  body: ConnectorBatch,
  example: {
    connector: exampleIds.connector,
    dataset: "orders",
    write_strategy: "upsert",
    primary_keys: ["order_id"],
    records: [{ order_id: 1, amount: 10.5 }],
  },
});

export const automationRequest = webhook({
  tag: "Automations",
  summary: "A request of an automation's http task",
  description:
    "Sent to `url` of the task. Method, headers and body are those of its definition; the method is POST unless it says otherwise. A repeated request, also after a crash, has the same key.",
  methods: ["POST"],
  headers: { "Idempotency-Key": "`<run id>/<task>`, unless the definition sets this header." },
  body: s.any(),
  example: { text: "Only 2 orders in prod" },
});

const AgentQuestion = s.model("AgentQuestion", {
  messages: s
    .list(
      s.model("AgentQuestionMessage", {
        role: s.literal("user").describe("Who wrote it."),
        content: s.string().describe("What the user wrote."),
      }),
    )
    .describe("One message."),
  channel_id: s.string().describe("The `channel_id` of the channel in which it was asked."),
  user: s.string().nullable().describe("Name of the author in the chat; null: unknown."),
});
export type AgentQuestion = s.Infer<typeof AgentQuestion>;

export const agentQuestion = webhook({
  tag: "Agents and apps",
  summary: "A chat message to an agent",
  description:
    "Sent to `POST /invocations` of the agent's endpoint for a message in a channel. The answer is plain text, or JSON with `output_text`, `choices` or `messages`. Requests to `/agents/{agent_name}/invocations` and of an automation's agent tasks have the body of their caller instead.",
  methods: ["POST"],
  headers: {
    "X-Forwarded-User":
      "Name of the caller, as Lakehelm knows it. Other characters than ASCII are percent-encoded.",
    "X-Forwarded-Role": "Role of the caller on the whole server.",
    "X-Request-Id": "The id of the request that asked.",
  },
  body: AgentQuestion,
  example: {
    messages: [{ role: "user", content: "How many orders are there?" }],
    channel_id: "C0ORDERS",
    user: "ada",
  },
});

const EventAnchor = s.model("EventAnchor", {
  sequence: s.integer().describe("Position of the last event of the log."),
  hash: s.string().describe("The hash of that event, which covers all earlier ones."),
  time: s.string({ format: "date-time" }).describe("When the anchor was made."),
  server: s.string().describe("Id of the server's data folder."),
  problems: s
    .list(
      s.model("AnchoredProblem", {
        reason: s.string().describe("The kind of the problem, such as `cut_off`."),
        problem: s.string().describe("The problem in one sentence."),
        details: s.map().optional().describe("Further details of the problem."),
      }),
    )
    .describe("Problems of the log that are not recorded in it yet."),
  mac: s.string().describe("A MAC over the other fields, with a key that only the server has."),
});

export const eventAnchor = webhook({
  tag: "Events",
  summary: "The newest position of the event log",
  description:
    "Sent to `PLATFORM_AUDIT_ANCHOR_URL`, at most once a minute, with `PLATFORM_AUDIT_ANCHOR_METHOD`. It proves later that the log was not shortened. A failed request is repeated with the newest position.",
  methods: ["POST", "PUT"],
  headers: { Authorization: "`Bearer` and `PLATFORM_AUDIT_ANCHOR_TOKEN`, if it is set." },
  body: EventAnchor,
  example: {
    sequence: 128,
    hash: "q0l3Cz",
    time: exampleTime,
    server: "019f0000-0000-7000-8000-000000000014",
    problems: [],
    mac: "b3f1",
  },
});
