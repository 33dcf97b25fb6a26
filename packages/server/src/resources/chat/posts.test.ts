import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { suite, test } from "node:test";
import { channelKind } from "./channel-kind.ts";
import { type ChannelMessage, maxTextLength, truncated } from "./message.ts";
import { slackPost } from "./slack.ts";
import { teamsPost } from "./teams.ts";
import { mailPost, webhookPost } from "./webhook.ts";

const message: ChannelMessage = {
  id: "019f0000-0000-7000-8000-00000000000d",
  kind: "run.failed",
  time: "2026-03-01T12:00:00.000Z",
  environment: "prod",
  automation: "orders-daily",
  text: "orders-daily failed in prod.\nError: <!channel> & [a](https://evil.example)",
  data: { run_id: "r-1" },
  channel_id: "C0123",
};
const now = new Date("2026-03-01T12:00:01.700Z");

suite("requests to channels", () => {
  test("the kind comes from metadata, otherwise from the address", () => {
    const of = (url: string, kind?: string) => channelKind(url, kind ? { kind } : {});
    assert.equal(of("https://hooks.slack.com/services/T/B/x"), "slack");
    assert.equal(of("https://acme.webhook.office.com/webhookb2/x"), "teams");
    assert.equal(of("https://prod-1.westeurope.logic.azure.com/workflows/x"), "teams");
    assert.equal(of("https://x.1.environment.api.powerplatform.com/powerautomate/x"), "teams");
    assert.equal(of("https://hooks.slack.com.evil.example/x"), "webhook");
    assert.equal(of("https://webhook.office.com.evil.example/x"), "webhook");
    assert.equal(of("https://example.com/hooks.slack.com"), "webhook");
    assert.equal(of("http://127.0.0.1/x", "slack"), "slack");
    assert.equal(of("https://hooks.slack.com/x", "webhook"), "webhook");
  });

  test("Slack: an error text cannot contain a mention or a link, and the id is below it", () => {
    const { body, headers } = slackPost(message);
    assert.equal(headers["content-type"], "application/json");
    const text = "orders-daily failed in prod.\nError: &lt;!channel&gt; &amp; [a](https://evil.example)";
    assert.deepEqual(JSON.parse(body), {
      text,
      blocks: [
        { type: "section", text: { type: "mrkdwn", text } },
        { type: "context", elements: [{ type: "mrkdwn", text: `Lakehelm · ${message.id}` }] },
      ],
    });
  });

  test("Slack: a long text is split between characters into sections of the allowed length", () => {
    const text = `${"&".repeat(1000)}${"😀".repeat(1000)}`;
    const { blocks } = JSON.parse(slackPost({ ...message, text }).body) as {
      blocks: { type: string; text: { text: string } }[];
    };
    const sections = blocks.filter(({ type }) => type === "section").map((block) => block.text.text);
    assert.ok(sections.length > 1 && sections.every((part) => part.length <= 3000 && part.isWellFormed()));
    assert.equal(sections.join("").replaceAll("&amp;", "&"), text);
    assert.match(slackPost({ ...message, text: "" }).body, /"section"/);
  });

  test("Teams: a card of plain text", () => {
    const { attachments } = JSON.parse(teamsPost(message).body);
    assert.equal(attachments[0].contentType, "application/vnd.microsoft.card.adaptive");
    const { type, body } = attachments[0].content;
    assert.equal(type, "AdaptiveCard");
    assert.deepEqual(
      body.map((block: { type: string; inlines: [{ text: string }] }) => [block.type, block.inlines[0].text]),
      [
        ["RichTextBlock", "orders-daily failed in prod."],
        ["RichTextBlock", "Error: <!channel> & [a](https://evil.example)"],
        ["RichTextBlock", `Lakehelm · ${message.id}`],
      ],
    );
  });

  test("a webhook gets the whole message, with a signature over the time of sending", () => {
    const { body, headers } = webhookPost(message, "s3cret", now);
    assert.deepEqual(JSON.parse(body), message);
    assert.equal(headers["lakehelm-id"], message.id);
    assert.equal(headers["lakehelm-timestamp"], "1772366401");
    const signature = createHmac("sha256", "s3cret").update(`1772366401.${body}`).digest("hex");
    assert.equal(headers["lakehelm-signature"], `v1=${signature}`);
  });

  test("a mail has its recipients and subject", () => {
    const mail = { to: ["ada@example.com"], subject: "orders-daily failed in prod." };
    const { body } = mailPost({ ...message, mail });
    assert.deepEqual(JSON.parse(body), { id: message.id, ...mail, text: message.text });
  });

  test("a long text is truncated", () => {
    assert.equal(truncated("short"), "short");
    assert.equal(truncated("x".repeat(maxTextLength + 1)).length, maxTextLength + 2);
    assert.ok(truncated(`${"x".repeat(maxTextLength - 1)}😀`).isWellFormed());
  });
});
