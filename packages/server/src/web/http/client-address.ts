import type { IncomingMessage } from "node:http";
import { BlockList, isIP, isIPv4, type Socket } from "node:net";
import { readSubnet } from "@lakehelm/engine/egress";

/** Reads the addresses of clients. */
export interface ClientAddresses {
  /** The client of a request, also behind a trusted proxy. */
  ofRequest(request: IncomingMessage): string;
  /** The other end of a connection; undefined if it is a trusted proxy. */
  ofConnection(socket: Socket): string | undefined;
}

/**
 * `X-Forwarded-For` counts only behind a trusted proxy: the client is the first address from the right that is not a
 * trusted proxy. The addresses to the left of it can be forged.
 */
export function createClientAddresses(trustedProxies: readonly string[]): ClientAddresses {
  const trusted = blockListOf(trustedProxies);
  const isTrusted = (address: string) =>
    trusted !== undefined && isIP(address) !== 0 && trusted.check(address, isIPv4(address) ? "ipv4" : "ipv6");

  function ofRequest({ socket, headers }: IncomingMessage): string {
    let address = plainAddress(socket.remoteAddress ?? "");
    if (!isTrusted(address)) return limitedNetwork(address);
    const forwarded = String(headers["x-forwarded-for"] ?? "").split(",");
    for (const entry of forwarded.reverse()) {
      const next = plainAddress(entry.trim());
      if (isIP(next) === 0) break;
      address = next;
      if (!isTrusted(address)) break;
    }
    return limitedNetwork(address);
  }

  return {
    ofRequest,
    ofConnection(socket) {
      const address = plainAddress(socket.remoteAddress ?? "");
      return isTrusted(address) ? undefined : limitedNetwork(address);
    },
  };
}

function blockListOf(networks: readonly string[]): BlockList | undefined {
  if (networks.length === 0) return undefined;
  const list = new BlockList();
  for (const network of networks) {
    const subnet = readSubnet(network);
    if (!subnet) throw new Error(`PLATFORM_TRUSTED_PROXIES: ${network} is neither an address nor a network.`);
    list.addSubnet(subnet.address, subnet.length, subnet.family);
  }
  return list;
}

/** IPv4 within IPv6, as a socket that listens on both reports it. */
const plainAddress = (address: string) =>
  address.toLowerCase().startsWith("::ffff:") && isIPv4(address.slice(7)) ? address.slice(7) : address;

/** One host has a whole IPv6 network of 64 bits: its addresses count as one. */
function limitedNetwork(address: string): string {
  if (isIP(address) !== 6) return address;
  const [bare = ""] = address.split("%");
  const [before = "", after] = bare.split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":"));
  const first = groups(before);
  const last = groups(after ?? "");
  const all =
    after === undefined ? first : [...first, ...Array(8 - first.length - last.length).fill("0"), ...last];
  const network = all.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}
