/** A message to a channel. A retry has the same id, so that a receiver can detect duplicates. */
export interface ChannelMessage {
  readonly id: string;
  /** The kind of its event, or `message`. */
  readonly kind: string;
  readonly time: string;
  /** Names at the time of the event. */
  readonly environment: string;
  readonly automation: string | null;
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Null for a mail. */
  readonly channel_id: string | null;
  /** Only for a mail. */
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

export const jsonPost = (body: unknown, headers: Post["headers"] = {}): Post => ({
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
});
