import type { webhooks } from "@lakehelm/contract";
import { type ChannelMessage, jsonPost, type Post } from "./message.ts";

/** Slack's limit for one section. */
const sectionLength = 3000;

/** A message for a Slack incoming webhook, with its id in small print below. */
export function slackPost({ id, text }: ChannelMessage): Post {
  const sections = sectionsOf(text).map((part) => ({
    type: "section" as const,
    text: { type: "mrkdwn" as const, text: part },
  }));
  return jsonPost<webhooks.SlackMessage>({
    text: escaped(text),
    blocks: [...sections, { type: "context", elements: [{ type: "mrkdwn", text: `Lakehelm · ${id}` }] }],
  });
}

/** Escapes Slack's three control characters, so that an error text cannot contain links or mentions. */
const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

function sectionsOf(text: string): string[] {
  const sections: string[] = [];
  let section = "";
  for (const character of text) {
    const next = escaped(character);
    if (section.length + next.length > sectionLength) {
      sections.push(section);
      section = "";
    }
    section += next;
  }
  // Slack rejects an empty section.
  return section.trim() === "" && sections.length === 0 ? ["–"] : [...sections, section];
}
