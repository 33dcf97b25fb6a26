import type { webhooks } from "@lakehelm/contract";

/** A message to a channel. A retry has the same id, so that a receiver can detect duplicates. */
export interface ChannelMessage extends Readonly<webhooks.ChannelMessage> {
  /** Only for a mail, which has no `channel_id`. */
  readonly mail?: { readonly to: readonly string[]; readonly subject: string };
}

/** The HTTP request for a message. */
export interface Post {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The maximum length of a sent text: Slack and Teams accept about 30,000 characters in total. */
export const maxTextLength = 10_000;

export const truncated = (text: string) =>
  text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength).toWellFormed()} …`;

/** `Body` is the type that the contract declares for the body of a webhook. */
export const jsonPost = <Body>(body: NoInfer<Body>, headers: Post["headers"] = {}): Post => ({
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
});
