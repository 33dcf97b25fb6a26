import assert from "node:assert/strict";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { type AddressInfo, createServer, isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { text } from "node:stream/consumers";
import { suite, test } from "node:test";
import { allowedAddresses, type EgressRules, pinnedSocket, plainHost } from "./egress.ts";
import { forbiddenKind, isPrivate, readAllowed } from "./networks.ts";
import { createPortSet, setPorts } from "./port-set.ts";

/** Hosts as they appear in a URL; the URL parser normalizes numeric forms of IPv4 to four numbers. */
const private_ = [
  "127.0.0.1",
  "127.255.255.254",
  "2130706433",
  "0x7f.1",
  "0x7f000001",
  "0177.0.0.1",
  "127.1",
  "10.1.2.3",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.0.1",
  "100.64.0.1",
  "100.127.255.255",
  "192.0.2.1",
  "192.88.99.1",
  "198.18.0.1",
  "198.19.255.255",
  "198.51.100.1",
  "203.0.113.1",
  "240.0.0.1",
  "[::1]",
  "[2002:a00:1::1]",
  "127.0.0.1.",
  "[::127.0.0.1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::ffff:10.0.0.1]",
  "[::ffff:0:10.0.0.1]",
  "[64:ff9b::10.0.0.1]",
  "[64:ff9b:1::8.8.8.8]",
  "[100::1]",
  "[fc00::1]",
  "[fd12:3456::1]",
  "[2001::1]",
  "[2001:db8::1]",
  "[2002:7f00:1::1]",
  "[3fff::1]",
  "[5f00::1]",
];
const public_ = [
  "8.8.8.8",
  "1.1.1.1",
  "9.255.255.255",
  "11.0.0.1",
  "100.63.255.255",
  "100.128.0.1",
  "126.255.255.255",
  "128.0.0.1",
  "172.15.255.255",
  "172.32.0.1",
  "192.167.255.255",
  "198.17.255.255",
  "198.20.0.1",
  "223.255.255.255",
  "134744072",
  "[2606:4700:4700::1111]",
  "[2a00:1450::1]",
  "[2001:4860:4860::8888]",
  "[::ffff:8.8.8.8]",
  "[64:ff9b::8.8.8.8]",
];

const forbidden = [
  ["0", /an unspecified address/],
  ["0.0.0.0", /an unspecified address/],
  ["0.1.2.3", /an unspecified address/],
  ["[::]", /an unspecified address/],
  ["[::ffff:0.0.0.0]", /an unspecified address/],
  ["169.254.169.254", /a link-local address/],
  ["169.254.0.1", /a link-local address/],
  ["0xa9fea9fe", /a link-local address/],
  ["2852039166", /a link-local address/],
  ["0251.0376.0251.0376", /a link-local address/],
  ["169.254.169.254.", /a link-local address/],
  ["[::ffff:169.254.169.254]", /a link-local address/],
  ["[::ffff:0:169.254.169.254]", /a link-local address/],
  ["[::169.254.169.254]", /a link-local address/],
  ["[64:ff9b::a9fe:a9fe]", /a link-local address/],
  ["[64:ff9b:1::a9fe:a9fe]", /a link-local address/],
  ["[2002:a9fe:a9fe::1]", /a link-local address/],
  ["[fe80::1]", /a link-local address/],
  ["[febf::1]", /a link-local address/],
  ["[fec0::1]", /a link-local address/],
  ["100.100.100.200", /the metadata address of a cloud/],
  ["168.63.129.16", /the metadata address of a cloud/],
  ["192.0.0.192", /the metadata address of a cloud/],
  ["[::ffff:168.63.129.16]", /the metadata address of a cloud/],
  ["[fd00:ec2::254]", /the metadata address of a cloud/],
  ["[fd20:ce::254]", /the metadata address of a cloud/],
  ["224.0.0.1", /a multicast address/],
  ["239.255.255.255", /a multicast address/],
  ["255.255.255.255", /a multicast address/],
  ["[ff02::1]", /a multicast address/],
] as const;

const strict: EgressRules = { allowsPrivate: false, privateAddresses: [] };
/** Everything that settings can allow. */
const openest: EgressRules = { allowsPrivate: true, privateAddresses: ["*", "0.0.0.0/0", "::/0"] };
const noAddresses = async () => [];
/** The addresses of a host as it appears in a URL. */
const addressesOf = (host: string, rules: EgressRules, port = 443) =>
  allowedAddresses(rules, new URL(`https://${host}/`).hostname, port, noAddresses);

suite("egress", () => {
  for (const host of private_) {
    test(`${host} is private`, async () => {
      await assert.rejects(addressesOf(host, strict), {
        name: "EgressRefused",
        message: /is in a private network/,
      });
      assert.equal((await addressesOf(host, { ...strict, allowsPrivate: true })).length, 1);
      assert.equal((await addressesOf(host, { ...strict, privateAddresses: ["*"] })).length, 1);
    });
  }

  for (const host of public_) {
    test(`${host} is public`, async () => {
      const [found] = await addressesOf(host, strict);
      assert.equal(found?.address, plainHost(new URL(`https://${host}/`).hostname));
    });
  }

  for (const [host, kind] of forbidden) {
    test(`${host} is never allowed`, async () => {
      await assert.rejects(addressesOf(host, openest), (error: Error) => {
        assert.match(error.message, kind);
        assert.match(error.message, /no setting allows/);
        return true;
      });
    });
  }

  test("an address with a scope is checked without it", () => {
    assert.equal(isPrivate("::1%lo"), true);
    assert.equal(forbiddenKind("fe80::1%eth0"), "a link-local address");
  });

  test("addresses that a lookup returns are checked like those in a URL", async () => {
    const to =
      (...addresses: string[]) =>
      async () =>
        addresses.map((address) => ({ address, family: isIP(address) }));
    const reach = (addresses: string[], rules: EgressRules) =>
      allowedAddresses(rules, "name.example", 443, to(...addresses));
    await assert.rejects(
      reach(["169.254.169.254"], openest),
      /name\.example has a link-local address.*169\.254\.169\.254/,
    );
    await assert.rejects(reach(["8.8.8.8", "fe80::1%eth0"], openest), /a link-local address/);
    await assert.rejects(
      reach(["8.8.8.8", "10.0.0.7"], strict),
      /is in a private network.* It resolves to 10\.0\.0\.7\.$/,
    );
    assert.equal(
      (await reach(["8.8.8.8", "10.0.0.7"], { ...strict, privateAddresses: ["10.0.0.0/24"] })).length,
      2,
    );
    await assert.rejects(reach([], openest), { code: "ENOTFOUND" });
    await assert.rejects(reach(["/var/run/x"], openest), /does not resolve to an address/);
  });

  test("numbers that only the resolver reads as addresses are checked after it", async () => {
    for (const host of ["2130706433", "0x7f.1", "0177.0.0.1", "127.1", "localhost."]) {
      await assert.rejects(allowedAddresses(strict, host, 5432), { name: "EgressRefused" }, host);
    }
  });

  test("a socket of this machine is no host", async () => {
    for (const host of ["/var/run/postgresql", "", " ", "@abstract", "a/b", "\\\\pipe", "a b"]) {
      await assert.rejects(allowedAddresses(openest, host, 5432), { name: "EgressRefused" }, host);
    }
  });

  test("the server's own ports are not allowed at any address of this machine", async () => {
    const ownPorts = createPortSet();
    setPorts(ownPorts, [8000, 65_535]);
    const own = Object.values(networkInterfaces()).flatMap((some) => some ?? []);
    const local = own.map(({ address }) => address).filter((address) => !address.startsWith("fe80"));
    for (const address of [
      "127.0.0.1",
      "127.9.9.9",
      "::1",
      "::ffff:127.0.0.1",
      "64:ff9b::7f00:1",
      "::7f00:1",
      ...local,
    ]) {
      for (const port of [8000, 65_535]) {
        const found = allowedAddresses({ ...openest, ownPorts }, address, port);
        await assert.rejects(found, /is this server, and its own port/, `${address} ${port}`);
      }
      assert.equal((await allowedAddresses({ ...openest, ownPorts }, address, 8001)).length, 1);
    }
    assert.equal((await allowedAddresses({ ...openest, ownPorts }, "10.255.1.2", 8000)).length, 1);
    setPorts(ownPorts, [8001]);
    assert.equal((await allowedAddresses({ ...openest, ownPorts }, "127.0.0.1", 8000)).length, 1);
  });

  test("a pinned socket connects to its address, whatever its user asks for", async (t) => {
    const server = createServer((socket) => socket.end("here")).listen(0, "127.0.0.1");
    await once(server, "listening");
    t.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    for (const host of ["name.example", "127.0.0.1"]) {
      const socket = pinnedSocket([{ address: "127.0.0.1", family: 4 }], host, port);
      assert.equal(await text(socket.connect(1, "10.255.255.1")), "here");
    }
  });

  test("the setting allows networks, addresses, host names, or everything", async () => {
    const privateAddress = async () => [{ address: "10.0.0.7", family: 4 }];
    const reached = (host: string, ...privateAddresses: string[]) =>
      allowedAddresses({ ...strict, privateAddresses }, host, 443, privateAddress).then(
        () => true,
        () => false,
      );
    assert.equal(await reached("chat.intra", "10.0.0.0/8"), true);
    assert.equal(await reached("chat.intra", "10.0.0.7"), true);
    assert.equal(await reached("chat.intra", "10.0.0.8"), false);
    assert.equal(await reached("chat.intra", "fd00::/8", "chat.intra"), true);
    assert.equal(await reached("chat.intra", "CHAT.intra"), true);
    assert.equal(await reached("evil.chat.intra", "chat.intra"), false);
    assert.equal(await reached("chat.intra", "*"), true);
    // An IPv4 network also covers its IPv6-mapped form.
    assert.equal(await reached("::ffff:10.0.0.7", "10.0.0.0/8"), true);
    assert.equal(await reached("::ffff:172.16.0.7", "10.0.0.0/8"), false);
    assert.equal(await reached("fd00::7", "fd00::/8"), true);
    assert.equal(await reached("::1", "127.0.0.0/8"), false);
  });

  test("an invalid setting is rejected", () => {
    for (const wrong of [
      "10.0.0.0/33",
      "10.0.0.0/",
      "10.0.0.0/x",
      "fd00::/129",
      "10.0.0.0/-1",
      "a b",
      "http://x",
    ]) {
      assert.throws(() => readAllowed([wrong]), /PLATFORM_PRIVATE_ADDRESSES: /, wrong);
    }
  });

  test("no other file of the engine opens connections", async () => {
    const folder = new URL("../", import.meta.url);
    const files = (await readdir(folder, { recursive: true })).filter(
      (name) => name.endsWith(".ts") && !/\.test\.ts$|\.engine\.ts$|(^|\/)testing\//.test(name),
    );
    const opening: string[] = [];
    for (const name of files) {
      const code = await readFile(new URL(name, folder), "utf8");
      const imports =
        /^import (?!type ).*"(node:(http|https|http2|net|tls|dgram|dns|dns\/promises)|undici)"/m;
      if (imports.test(code) || /\bfetch\(|new (WebSocket|EventSource)\(/.test(code)) opening.push(name);
    }
    assert.deepEqual(opening.sort(), [
      "connectors/http-client.ts",
      // Connects only to addresses that the rules allow.
      "egress/connect-socket.ts",
      "egress/egress.ts",
      "egress/networks.ts",
      // Reads from a pipe to the server that is already open.
      "process/parent-watch.ts",
    ]);
  });
});
