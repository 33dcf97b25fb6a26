import { createRedaction } from "@lakehelm/contract/connections";
import type { Dependencies } from "../../core/dependencies.ts";
import { Problem } from "../../core/errors.ts";
import { isReference, mentionsSecret } from "../../core/secrets/references.ts";
import type { Outbound } from "../../runtime/outbound/outbound.ts";
import { OutboundError } from "../../runtime/outbound/outbound-error.ts";
import type { SecretStore } from "../secrets/secret-store.ts";
import {
  type ChatBindings,
  channelDestination,
  isChannelCredential,
  partialSecretProblem,
} from "./bindings.ts";
import { channelKind } from "./channel-kind.ts";
import { mailChannel, type SendResult } from "./delivery-rows.ts";
import type { ChannelMessage, Post } from "./message.ts";
import { slackPost } from "./slack.ts";
import { teamsPost } from "./teams.ts";
import { mailPost, webhookPost } from "./webhook.ts";

export interface Channels {
  /** Sends a message once, now. Problems of a channel are returned; the signal's reason is thrown. */
  send(channel: string, message: ChannelMessage, signal: AbortSignal): Promise<SendResult>;
}

/** The destination of a message, its request, and the HTTP client to send it with. */
interface ChannelRoute {
  readonly url: string;
  /** Whether the address comes from the secret store: then error messages show no part of it, not even its host. */
  readonly isSecret: boolean;
  readonly post: Post;
  readonly outbound: Outbound;
}

const timeoutMs = 10_000;

/** A 4xx status is permanent, except for these retryable ones. */
const retryableStatuses = [408, 425, 429];

export function createChannels(
  { settings, system }: Pick<Dependencies, "settings" | "system">,
  uses: {
    readonly bindings: Pick<ChatBindings, "target">;
    readonly secrets: Pick<SecretStore, "resolveReferences">;
    /** For addresses from API callers. */
    readonly outbound: Outbound;
    /** For the address in the settings, which the server's operator chose. */
    readonly trusted: Outbound;
  },
): Channels {
  async function routeOf(channel: string, message: ChannelMessage): Promise<ChannelRoute | string> {
    if (channel === mailChannel) {
      const url = settings.PLATFORM_MAIL_WEBHOOK_URL;
      if (url === undefined) return "PLATFORM_MAIL_WEBHOOK_URL is not set, so no mail is sent.";
      return { url, isSecret: false, post: mailPost(message), outbound: uses.trusted };
    }
    const target = await uses.bindings.target(channel);
    if (!target) return "The channel is no longer bound.";
    if (target.address === null) return `Channel ${target.channelId} has no channel_url.`;
    const isSecret = isReference(target.address);
    if (!isSecret && mentionsSecret(target.address)) return partialSecretProblem;
    const { channel_url: address, metadata } = await withSecrets(target.environmentId, {
      channel_url: target.address,
      metadata: target.metadata,
    });
    return { url: address, isSecret, post: postOf(message, address, metadata), outbound: uses.outbound };
  }

  async function withSecrets<Tree>(environmentId: string, tree: Tree): Promise<Tree> {
    // Replaces strings with strings: the shape stays the same.
    return (await uses.secrets.resolveReferences(
      environmentId,
      tree,
      isChannelCredential,
      channelDestination,
    )) as Tree;
  }

  function postOf(
    message: ChannelMessage,
    address: string,
    metadata: Readonly<Record<string, unknown>>,
  ): Post {
    const kind = channelKind(address, metadata);
    if (kind === "slack") return slackPost(message);
    if (kind === "teams") return teamsPost(message);
    const secret = metadata.signing_secret;
    return webhookPost(message, typeof secret === "string" ? secret : undefined, system.now());
  }

  return {
    async send(channel, message, signal) {
      try {
        const route = await routeOf(channel, message);
        return typeof route === "string"
          ? { outcome: "refused", status: null, error: route }
          : await sendTo(route, signal);
      } catch (error) {
        // Retryable: a missing secret may be added later.
        if (!(error instanceof Problem)) throw error;
        return { outcome: "failed", status: null, error: error.message };
      }
    },
  };
}

async function sendTo(
  { url, isSecret, post, outbound }: ChannelRoute,
  signal: AbortSignal,
): Promise<SendResult> {
  try {
    const { status, headers } = await outbound.send({ url, method: "POST", ...post, timeoutMs, signal });
    const host = isSecret ? "Its host" : `The host ${new URL(url).hostname}`;
    return resultOf(status, host, headers["retry-after"]);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    // A forbidden address is a permanent error.
    const outcome = error.retryable ? "failed" : "refused";
    const sentence = isSecret ? createRedaction([url]).text(error.hostless) : error.message;
    return { outcome, status: null, error: sentence };
  }
}

function resultOf(status: number, host: string, retryAfter: string | undefined): SendResult {
  if (status >= 200 && status < 300) return { outcome: "delivered", status, error: null };
  const isFinal = status >= 400 && status < 500 && !retryableStatuses.includes(status);
  return {
    outcome: isFinal ? "refused" : "failed",
    status,
    error: `${host} answered with ${status}.`,
    ...(retryAfter !== undefined && { retryAfter }),
  };
}
