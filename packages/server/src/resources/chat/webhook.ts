import { createHmac } from "node:crypto";
import type { webhooks } from "@lakehelm/contract";
import { type ChannelMessage, jsonPost, type Post } from "./message.ts";

/**
 * A signed message for any other receiver. The signature covers the time of sending: a retry is signed again, and a
 * replayed message can be detected by its time. docs/how-to/notify-people.md shows how to check it.
 */
export function webhookPost(
  { mail: _, ...message }: ChannelMessage,
  secret: string | undefined,
  now: Date,
): Post {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const { body, headers } = jsonPost<webhooks.ChannelMessage>(message, {
    "lakehelm-id": message.id,
    "lakehelm-timestamp": timestamp,
  });
  if (secret === undefined) return { body, headers };
  const signature = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
  return { body, headers: { ...headers, "lakehelm-signature": `v1=${signature}` } };
}

/** A mail, for the service that sends mails. */
export const mailPost = ({ id, text, mail }: ChannelMessage): Post =>
  jsonPost<webhooks.Mail>(
    { id, to: [...(mail?.to ?? [])], subject: mail?.subject ?? "", text },
    { "lakehelm-id": id },
  );
