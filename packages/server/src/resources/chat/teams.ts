import { type ChannelMessage, jsonPost, type Post } from "./message.ts";

/** A message for a Microsoft Teams incoming webhook or workflow: a card, with its id in small print below. */
export function teamsPost({ id, text }: ChannelMessage): Post {
  // Text runs: other blocks would parse an error text as Markdown.
  const lines = text.split("\n").map((line) => block({ text: line || " " }));
  const card = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    body: [...lines, block({ text: `Lakehelm · ${id}`, size: "Small", isSubtle: true })],
  };
  const attachment = {
    contentType: "application/vnd.microsoft.card.adaptive",
    contentUrl: null,
    content: card,
  };
  return jsonPost({ type: "message", attachments: [attachment] });
}

const block = (run: Readonly<Record<string, unknown>>) => ({
  type: "RichTextBlock",
  inlines: [{ type: "TextRun", ...run }],
});
