import { BlockList, isIP, isIPv4 } from "node:net";

/** Addresses that no setting allows, by kind. */
const forbiddenNetworks: Readonly<Record<string, readonly string[]>> = {
  "an unspecified address": ["0.0.0.0/8", "::/128"],
  "a link-local address": ["169.254.0.0/16", "fe80::/10", "fec0::/10"],
  // Metadata addresses of AWS, Google, Alibaba, Azure and Oracle that are not link-local.
  "the metadata address of a cloud": [
    "fd00:ec2::/32",
    "fd20:ce::254/128",
    "100.100.100.200/32",
    "168.63.129.16/32",
    "192.0.0.192/32",
  ],
  "a multicast address": ["224.0.0.0/4", "255.255.255.255/32", "ff00::/8"],
};

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
/** With forms that a network may translate: IPv4-compatible, IPv4-translated, and NAT64 of a local network. */
export const everyCarrier = [...carriers, "::", "::ffff:0:", "64:ff9b:1::"];

const familyOf = (address: string) => (isIPv4(address) ? "ipv4" : "ipv6");

const special = networkList([...notPublic4, ...notPublic6]);
const global6 = networkList([public6]);
const carried = networkList(carriers.map((prefix) => `${prefix}0.0.0.0/96`));
const forbidden = Object.entries(forbiddenNetworks).map(
  ([kind, networks]) => [kind, networkList(networks, everyCarrier)] as const,
);

/** An address without its scope, as in fe80::1%eth0. */
const withoutScope = (address: string): string => address.split("%", 1)[0] ?? "";

/** The kind of an address that no setting allows, such as "a link-local address". */
export function forbiddenKind(address: string): string | undefined {
  const bare = withoutScope(address);
  return forbidden.find(([, list]) => list.check(bare, familyOf(bare)))?.[0];
}

/** Whether an address is outside the public internet. */
export function isPrivate(address: string): boolean {
  const bare = withoutScope(address);
  const family = familyOf(bare);
  if (special.check(bare, family)) return true;
  return family === "ipv6" && !global6.check(bare, family) && !carried.check(bare, family);
}

/** The private addresses that a setting allows. */
export interface AllowedAddresses {
  host(name: string): boolean;
  address(address: string): boolean;
}

/** Throws a message for an entry that is neither a network, nor an address, nor a host name. */
export function readAllowed(entries: readonly string[]): AllowedAddresses {
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
  const list = networkList(networks);
  return {
    host: (name) => all || hosts.has(name),
    address: (address) => isIn(list, address),
  };
}

export const isIn = (list: BlockList, address: string): boolean => {
  const bare = withoutScope(address);
  return list.check(bare, familyOf(bare));
};

interface Subnet {
  readonly address: string;
  /** The length of the prefix in bits. */
  readonly length: number;
  readonly family: "ipv4" | "ipv6";
}

/** Reads a network such as 10.0.0.0/8, or a single address. Undefined if it is neither. */
export function readSubnet(network: string): Subnet | undefined {
  const [address = "", bits] = network.split("/");
  const family = familyOf(address);
  const most = family === "ipv4" ? 32 : 128;
  const length = bits === undefined ? most : Number(bits);
  const isLength = bits !== "" && Number.isInteger(length) && length >= 0 && length <= most;
  return isIP(address) !== 0 && isLength ? { address, length, family } : undefined;
}

/** Each IPv4 network also applies to its IPv6 forms. */
export function networkList(networks: readonly string[], prefixes: readonly string[] = carriers): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const subnet = readSubnet(network);
    if (!subnet) {
      const most = network.includes(":") ? 128 : 32;
      throw new Error(
        `PLATFORM_PRIVATE_ADDRESSES: ${network} is not a network: the prefix length must be 0 to ${most}.`,
      );
    }
    const { address, length, family } = subnet;
    list.addSubnet(address, length, family);
    if (family === "ipv6") continue;
    for (const prefix of prefixes) {
      // ::1 is not the IPv4 address 0.0.0.1.
      if (prefix !== "::" || !address.startsWith("0.")) {
        list.addSubnet(`${prefix}${address}`, 96 + length, "ipv6");
      }
    }
    // 6to4 has the IPv4 address after its first 16 bits.
    if (prefixes === everyCarrier) list.addSubnet(sixToFour(address), 16 + length, "ipv6");
  }
  return list;
}

function sixToFour(address: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  return `2002:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}::`;
}
