import { BlockList, isIP, isIPv4 } from "node:net";

/** IPv4 networks outside the public internet: IANA's special-purpose registry, multicast, and reserved ranges. */
const notPublic4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];

/** The only IPv6 range that is assigned to the public internet; the following ranges are excluded from it. */
const public6 = "2000::/3";
/** Protocol assignments (including Teredo), documentation, and 6to4, which contains an IPv4 address. */
const notPublic6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

/** IPv4 within IPv6: mapped addresses, and NAT64, which networks without IPv4 use to reach it. */
const carriers = ["::ffff:", "64:ff9b::"];

const familyOf = (address: string) => (isIPv4(address) ? "ipv4" : "ipv6");

const special = blockList([...notPublic4, ...notPublic6]);
const global6 = blockList([public6]);
const carried = blockList(carriers.map((prefix) => `${prefix}0.0.0.0/96`));

export function isPrivate(address: string): boolean {
  // The scope of a link-local address, as in fe80::1%eth0.
  const [bare = ""] = address.split("%");
  const family = familyOf(bare);
  if (special.check(bare, family)) return true;
  return family === "ipv6" && !global6.check(bare, family) && !carried.check(bare, family);
}

/** The private addresses that a setting allows. */
export interface Allowed {
  host(name: string): boolean;
  address(address: string): boolean;
}

/** Throws a message for an entry that is neither a network, nor an address, nor a host name. */
export function readAllowed(entries: readonly string[]): Allowed {
  const networks = entries.filter((entry) => isIP(entry.split("/")[0] ?? "") !== 0);
  const hosts = new Set(
    entries.filter((entry) => !networks.includes(entry)).map((name) => name.toLowerCase()),
  );
  const all = hosts.delete("*");
  for (const name of hosts) {
    if (!/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(name)) {
      throw new Error(`PLATFORM_PRIVATE_ADDRESSES: ${name} is neither a network nor a host name.`);
    }
  }
  const list = blockList(networks);
  return {
    host: (name) => all || hosts.has(name),
    address(address) {
      const [bare = ""] = address.split("%");
      return list.check(bare, familyOf(bare));
    },
  };
}

/** Each IPv4 network also applies to its IPv6 forms. */
function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    const most = isIPv4(address) ? 32 : 128;
    const length = bits === undefined ? most : Number(bits);
    if (bits === "" || !Number.isInteger(length) || length < 0 || length > most) {
      throw new Error(
        `PLATFORM_PRIVATE_ADDRESSES: ${network} is not a network: the prefix length must be 0 to ${most}.`,
      );
    }
    list.addSubnet(address, length, familyOf(address));
    if (most === 128) continue;
    for (const prefix of carriers) list.addSubnet(`${prefix}${address}`, 96 + length, "ipv6");
  }
  return list;
}
