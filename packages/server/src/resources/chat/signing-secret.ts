import { secretMask } from "@lakehelm/contract/connections";
import { channelKind } from "./channel-kind.ts";

type Metadata = Readonly<Record<string, unknown>>;

/**
 * Adds the secret that signs messages to a webhook: the one in the request, the existing one (masked, in `before`), or
 * a new one. Slack and Teams check no signature: their addresses are the secret.
 */
export function withSigningSecret(
  address: string | null,
  metadata: Metadata,
  before: Metadata | undefined,
  make: () => string,
): { readonly metadata: Metadata; readonly made: string | undefined } {
  const kept = before?.signing_secret ?? null;
  // The mask stands for the stored secret; without one, it counts as absent.
  const { signing_secret, ...others } = metadata;
  const sent = (signing_secret === secretMask ? kept : signing_secret) ?? null;
  const isWebhook = address !== null && channelKind(address, metadata) === "webhook";
  if (sent !== null) return { metadata: { ...others, signing_secret: sent }, made: undefined };
  if (!isWebhook) return { metadata: others, made: undefined };
  const made = kept === null ? make() : undefined;
  return { metadata: { ...others, signing_secret: made ?? kept }, made };
}
