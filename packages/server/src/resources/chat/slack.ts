import { jsonPost, type Message, type Post } from "./message.ts";

/** The most that Slack takes in one section. */
const sectionLength = 3000;

/** A message for an incoming webhook of Slack; its id stands small below it. */
export function slackPost({ id, text }: Message): Post {
  const sections = sectionsOf(text).map((part) => ({
    type: "section",
    text: { type: "mrkdwn", text: part },
  }));
  const context = { type: "context", elements: [{ type: "mrkdwn", text: `Lakehelm · ${id}` }] };
  return jsonPost({ text: escaped(text), blocks: [...sections, context] });
}

/** Slack's three control characters: what stands in an error is text, no link and no mention. */
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
  // Slack refuses an empty section.
  return section.trim() === "" && sections.length === 0 ? ["–"] : [...sections, section];
}
