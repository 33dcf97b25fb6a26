import type { webhooks } from "@lakehelm/contract";
import { type ChannelMessage, jsonPost, type Post } from "./message.ts";

/** A message for a Microsoft Teams incoming webhook or workflow: a card, with its id in small print below. */
export function teamsPost({ id, text }: ChannelMessage): Post {
  // Text runs: other blocks would parse an error text as Markdown.
  const lines = text.split("\n").map((line) => block({ text: line || " " }));
  const content: TeamsAttachment["content"] = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    body: [...lines, block({ text: `Lakehelm · ${id}`, size: "Small", isSubtle: true })],
  };
  const attachment = {
    contentType: "application/vnd.microsoft.card.adaptive",
    contentUrl: null,
    content,
  };
  return jsonPost<webhooks.TeamsMessage>({ type: "message", attachments: [attachment] });
}

type TeamsAttachment = webhooks.TeamsMessage["attachments"][number];
type TeamsBlock = TeamsAttachment["content"]["body"][number];

const block = (run: Omit<TeamsBlock["inlines"][number], "type">): TeamsBlock => ({
  type: "RichTextBlock",
  inlines: [{ type: "TextRun", ...run }],
});
