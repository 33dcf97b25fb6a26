import dns from "node:dns/promises";
import { isIP, type LookupFunction, Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { everyCarrier, forbiddenKind, isIn, isPrivate, networkList, readAllowed } from "./networks.ts";
import { hasPort, type PortSet } from "./port-set.ts";

/**
 * The addresses that a caller may have the server connect to. Plain values, because processes and threads get them.
 * Never allowed: link-local, metadata, multicast and unspecified addresses, and the server's own ports on this machine.
 */
export interface EgressRules {
  /** Whether private addresses are allowed without being listed. */
  readonly allowsPrivate: boolean;
  /** Private addresses, networks and host names that are allowed. `*`: all. */
  readonly privateAddresses: readonly string[];
  readonly ownPorts?: PortSet;
}

/** One address of a host, as returned by `dns.lookup` with `all`. */
export interface HostAddress {
  readonly address: string;
  readonly family: number;
}

/** Resolves all addresses of a host. */
export type Lookup = (host: string) => Promise<readonly HostAddress[]>;

/** A connection that the rules do not allow. */
export class EgressRefused extends Error {
  /** The rest of the sentence after the host, without its address. */
  readonly reason: string;

  constructor(host: string, reason: string, address?: string) {
    const resolved = address === undefined || address === host ? "" : ` It resolves to ${address}.`;
    super(`The host ${host} ${reason}${resolved}`);
    this.name = "EgressRefused";
    this.reason = reason;
  }
}

const lookupMs = 10_000;

const lookupAll: Lookup = async (host) => {
  const late = Object.assign(new Error(`The lookup of ${host} takes too long.`), { code: "ETIMEDOUT" });
  const limit = Promise.withResolvers<never>();
  const timer = setTimeout(() => limit.reject(late), lookupMs);
  return Promise.race([dns.lookup(host, { all: true }), limit.promise]).finally(() => clearTimeout(timer));
};

/** A host name for a lookup and for comparison: no brackets around IPv6, no trailing dot, lower case. */
export const plainHost = (host: string): string => host.replace(/^\[|\]$|\.$/g, "").toLowerCase();

/**
 * Resolves a host; throws EgressRefused if any of its addresses is not allowed. Connect to these addresses only: a second
 * lookup may return others.
 */
export async function allowedAddresses(
  rules: EgressRules,
  named: string,
  port: number,
  lookup: Lookup = lookupAll,
): Promise<readonly HostAddress[]> {
  const host = plainHost(named);
  if (host === "" || /[/\\@\s]/.test(host)) {
    throw new EgressRefused(JSON.stringify(named), "is not a host. Sockets of this machine are not allowed.");
  }
  const literal = isIP(host);
  const found = literal ? [{ address: host, family: literal }] : await lookup(host);
  if (found.length === 0) throw Object.assign(new Error(`${host} has no address.`), { code: "ENOTFOUND" });
  const allowed = readAllowed(rules.privateAddresses);
  for (const { address } of found) {
    const reason = refusal(rules, allowed, host, address, port);
    if (reason !== undefined) throw new EgressRefused(host, reason, address);
  }
  return found;
}

function refusal(
  { allowsPrivate, ownPorts }: EgressRules,
  allowed: ReturnType<typeof readAllowed>,
  host: string,
  address: string,
  port: number,
): string | undefined {
  if (isIP(address) === 0) return "does not resolve to an address.";
  const kind = forbiddenKind(address);
  if (kind !== undefined) return `has ${kind}, which no setting allows.`;
  if (ownPorts && hasPort(ownPorts, port) && isLocal(address)) {
    return `is this server, and its own port ${port} is not allowed.`;
  }
  if (!isPrivate(address) || allowsPrivate || allowed.host(host) || allowed.address(address))
    return undefined;
  return "is in a private network. PLATFORM_PRIVATE_ADDRESSES lists the private addresses that may be called.";
}

/** Whether an address is one of this machine. */
function isLocal(address: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((some) => some ?? []);
  const list = networkList(["127.0.0.0/8", "::1", ...own.map((one) => one.address)], everyCarrier);
  return isIn(list, address);
}

/** A lookup that returns these addresses only. */
export const pinnedLookup =
  (addresses: readonly HostAddress[]): LookupFunction =>
  (_, { all }, done) => {
    const [first] = addresses;
    if (all) done(null, [...addresses]);
    else done(null, first?.address ?? "", first?.family);
  };

/** A socket that connects only to one of these addresses, regardless of what its user asks for. Not connected yet. */
export function pinnedSocket(addresses: readonly HostAddress[], host: string, port: number): Socket {
  const socket = new Socket();
  const connect = socket.connect.bind(socket);
  socket.connect = () => connect({ host: plainHost(host), port, lookup: pinnedLookup(addresses) });
  return socket;
}
