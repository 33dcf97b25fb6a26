/** What a channel is told. Its id stays the same when it is sent again, so that a receiver can tell a repeat. */
export interface Message {
  readonly id: string;
  /** The kind of the event that it tells of, or `message`. */
  readonly kind: string;
  readonly time: string;
  /** Names, as they were then. */
  readonly environment: string;
  readonly automation: string | null;
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Null: a mail. */
  readonly channel_id: string | null;
  /** Of a mail alone. */
  readonly mail?: { readonly to: readonly string[]; readonly subject: string };
}

/** A request as it goes out to a channel. */
export interface Post {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What of a text is sent: Slack and Teams take no more than about 30,000 characters in all. */
export const longestText = 10_000;

export const clipped = (text: string) =>
  text.length <= longestText ? text : `${text.slice(0, longestText).toWellFormed()} …`;

export const jsonPost = (body: unknown, headers: Post["headers"] = {}): Post => ({
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
});
