import type { EgressRules, PortSet } from "@lakehelm/engine/egress";
import type { Settings } from "../../settings.ts";

type RuleSettings = Pick<Settings, "PLATFORM_ENV" | "PLATFORM_PRIVATE_ADDRESSES">;

/** For requests that the server sends: `http` tasks, chat channels and webhooks. */
export const requestRules = (
  { PLATFORM_PRIVATE_ADDRESSES }: Pick<RuleSettings, "PLATFORM_PRIVATE_ADDRESSES">,
  ownPorts?: PortSet,
): EgressRules => ({
  allowsPrivate: false,
  privateAddresses: PLATFORM_PRIVATE_ADDRESSES,
  ...(ownPorts && { ownPorts }),
});

/** For connectors: in development, databases and APIs are often on the same machine or network. */
export const connectorRules = (settings: RuleSettings): Omit<EgressRules, "ownPorts"> => ({
  allowsPrivate: settings.PLATFORM_ENV !== "production",
  privateAddresses: settings.PLATFORM_PRIVATE_ADDRESSES,
});
