import { isIP } from "node:net";
import { type Allowed, isPrivate } from "./networks.ts";
import { hostError, OutboundError } from "./outbound-error.ts";

/** One address of a host, as `dns.lookup` answers it with `all`. */
export interface HostAddress {
  readonly address: string;
  readonly family: number;
}

/** Finds all addresses of a host. */
export type Lookup = (host: string) => Promise<readonly HostAddress[]>;

/** Reads an address that a caller named; what it says is never repeated: it may be a secret. */
export function readUrl(text: string): URL {
  if (!URL.canParse(text)) throw new OutboundError("It is no address such as https://example.com/path.");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new OutboundError("Only http and https addresses can be called.");
  }
  if (url.username !== "" || url.password !== "") {
    throw new OutboundError("An address must not carry a user or a password: send a header in their place.");
  }
  return url;
}

/** The name of a host as it is looked up: an IPv6 address without its brackets, no dot at its end. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$|\.$/g, "");

/**
 * Where a host is; throws where that is in a private network, even if only one of its addresses is. Whoever connects
 * must take the addresses from here: asked again, a name may lead elsewhere.
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
    "is in a private network. PLATFORM_PRIVATE_ADDRESSES says which of those may be called.",
    false,
  );
}
