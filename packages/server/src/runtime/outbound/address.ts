import { isIP } from "node:net";
import { type Allowed, isPrivate } from "./networks.ts";
import { hostError, OutboundError } from "./outbound-error.ts";

/** One address of a host, as returned by `dns.lookup` with `all`. */
export interface HostAddress {
  readonly address: string;
  readonly family: number;
}

/** Resolves all addresses of a host. */
export type Lookup = (host: string) => Promise<readonly HostAddress[]>;

/** Parses a URL from a caller; error messages never repeat it, because it may be a secret. */
export function readUrl(text: string): URL {
  if (!URL.canParse(text)) throw new OutboundError("It is not a URL such as https://example.com/path.");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new OutboundError("Only http and https URLs can be called.");
  }
  if (url.username !== "" || url.password !== "") {
    throw new OutboundError("A URL must not contain a user or a password. Send a header instead.");
  }
  return url;
}

/** The host name for a lookup: an IPv6 address without brackets, and no trailing dot. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$|\.$/g, "");

/**
 * Resolves a host; throws if any of its addresses is in a private network. Connect to these addresses only: a second
 * lookup may return others.
 */
export async function publicAddresses(
  host: string,
  lookup: Lookup,
  allowed: Allowed,
): Promise<readonly HostAddress[]> {
  const literal = isIP(host);
  const found = literal ? [{ address: host, family: literal }] : await lookup(host);
  if (found.length === 0) throw hostError(host, "has no address.", true);
  const isRefused = ({ address }: HostAddress) =>
    isPrivate(address) && !allowed.host(host) && !allowed.address(address);
  if (!found.some(isRefused)) return found;
  throw hostError(
    host,
    "is in a private network. PLATFORM_PRIVATE_ADDRESSES lists the private addresses that may be called.",
    false,
  );
}
