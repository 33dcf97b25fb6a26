const kinds = ["slack", "teams", "webhook"] as const;
type ChannelKind = (typeof kinds)[number];

type Metadata = Readonly<Record<string, unknown>>;

const teamsHosts = [".webhook.office.com", ".logic.azure.com", ".environment.api.powerplatform.com"];

/** The message format of a channel: `metadata.kind`, otherwise derived from the host of its address. */
export function channelKind(address: string, metadata: Metadata): ChannelKind {
  const said = kinds.find((kind) => kind === metadata.kind);
  if (said !== undefined) return said;
  const host = URL.canParse(address) ? new URL(address).hostname : "";
  if (host === "hooks.slack.com") return "slack";
  return teamsHosts.some((end) => host.endsWith(end)) ? "teams" : "webhook";
}

/** The problem of the metadata keys that have a meaning here. */
export function metadataProblem({ kind = null, signing_secret = null }: Metadata): string | undefined {
  if (kind !== null && !kinds.some((one) => one === kind)) {
    return `metadata.kind must be one of ${kinds.join(", ")}.`;
  }
  if (signing_secret !== null && (typeof signing_secret !== "string" || signing_secret === "")) {
    return "metadata.signing_secret must be a text.";
  }
  return undefined;
}
