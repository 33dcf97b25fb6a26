import { secretMask } from "@lakehelm/contract/connections";
import { type ChannelMetadata, channelKind } from "./channel-kind.ts";

/**
 * Adds the secret that signs messages to a webhook: the one in the request, the existing one (masked, in `before`), or
 * a new one. Slack and Teams check no signature: their addresses are the secret.
 */
export function withSigningSecret(
  address: string | null,
  metadata: ChannelMetadata,
  before: ChannelMetadata | undefined,
  generate: () => string,
): { readonly metadata: ChannelMetadata; readonly generated: string | undefined } {
  const kept = before?.signing_secret ?? null;
  const { signing_secret, ...others } = metadata;
  const sent = (signing_secret === secretMask ? (kept ?? secretMask) : signing_secret) ?? null;
  const isWebhook = address !== null && channelKind(address, metadata) === "webhook";
  if (sent !== null) return { metadata: { ...others, signing_secret: sent }, generated: undefined };
  if (!isWebhook) return { metadata: others, generated: undefined };
  const generated = kept === null ? generate() : undefined;
  return { metadata: { ...others, signing_secret: generated ?? kept }, generated };
}
