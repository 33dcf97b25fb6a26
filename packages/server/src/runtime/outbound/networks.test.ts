import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { hostOf, publicAddresses, readUrl } from "./address.ts";
import { isPrivate, readAllowed } from "./networks.ts";

/** Hosts as they appear in a URL; the URL parser normalizes numeric forms of IPv4 to four numbers. */
const private_ = [
  "127.0.0.1",
  "127.255.255.254",
  "2130706433",
  "0x7f.1",
  "0x7f000001",
  "0177.0.0.1",
  "127.1",
  "0",
  "0.0.0.0",
  "10.1.2.3",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.0.1",
  "169.254.169.254",
  "0xa9fea9fe",
  "100.64.0.1",
  "100.127.255.255",
  "192.0.0.192",
  "192.0.2.1",
  "192.88.99.1",
  "198.18.0.1",
  "198.19.255.255",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "239.255.255.255",
  "240.0.0.1",
  "255.255.255.255",
  "[::]",
  "[::1]",
  "[::127.0.0.1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::ffff:10.0.0.1]",
  "[::ffff:0:10.0.0.1]",
  "[64:ff9b::10.0.0.1]",
  "[64:ff9b::a9fe:a9fe]",
  "[64:ff9b:1::8.8.8.8]",
  "[100::1]",
  "[fc00::1]",
  "[fd12:3456::1]",
  "[fe80::1]",
  "[febf::1]",
  "[fec0::1]",
  "[ff02::1]",
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

const noAddresses = async () => [];

suite("private networks", () => {
  for (const host of private_) {
    test(`${host} is private`, async () => {
      const url = readUrl(`https://${host}/hook`);
      const found = publicAddresses(hostOf(url), noAddresses, readAllowed([]));
      await assert.rejects(found, { message: /is in a private network/, retryable: false });
    });
  }

  for (const host of public_) {
    test(`${host} is public`, async () => {
      const url = readUrl(`https://${host}/hook`);
      const [found] = await publicAddresses(hostOf(url), noAddresses, readAllowed([]));
      assert.equal(found?.address, hostOf(url));
    });
  }

  test("an address with a scope is private, too", () => {
    assert.equal(isPrivate("fe80::1%eth0"), true);
    assert.equal(isPrivate("::1%lo"), true);
  });

  test("a host with one private address is rejected", async () => {
    const both = async () => [
      { address: "8.8.8.8", family: 4 },
      { address: "10.0.0.7", family: 4 },
    ];
    await assert.rejects(
      publicAddresses("both.example", both, readAllowed([])),
      /both\.example is in a private/,
    );
    assert.equal((await publicAddresses("both.example", both, readAllowed(["10.0.0.0/24"]))).length, 2);
  });

  test("the setting allows networks, addresses, host names, or everything", async () => {
    const privateAddress = async () => [{ address: "10.0.0.7", family: 4 }];
    const reached = (host: string, ...allowed: string[]) =>
      publicAddresses(host, privateAddress, readAllowed(allowed)).then(
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
});
