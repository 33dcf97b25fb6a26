const kinds = ["slack", "teams", "webhook"] as const;
type ChannelKind = (typeof kinds)[number];

export type ChannelMetadata = Readonly<Record<string, unknown>>;

const teamsHosts = [".webhook.office.com", ".logic.azure.com", ".environment.api.powerplatform.com"];

/** The message format of a channel: `metadata.kind`, otherwise derived from the host of its address. */
export function channelKind(address: string, metadata: ChannelMetadata): ChannelKind {
  const declared = kinds.find((kind) => kind === metadata.kind);
  if (declared !== undefined) return declared;
  const host = URL.canParse(address) ? new URL(address).hostname : "";
  if (host === "hooks.slack.com") return "slack";
  return teamsHosts.some((end) => host.endsWith(end)) ? "teams" : "webhook";
}

/** Checks the metadata keys that Lakehelm interprets. */
export function metadataProblem({ kind = null, signing_secret = null }: ChannelMetadata): string | undefined {
  if (kind !== null && !kinds.some((one) => one === kind)) {
    return `metadata.kind must be one of ${kinds.join(", ")}.`;
  }
  if (signing_secret !== null && (typeof signing_secret !== "string" || signing_secret === "")) {
    return "metadata.signing_secret must be a non-empty string.";
  }
  return undefined;
}
