import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { test } from "node:test";
import { createClientAddresses } from "./client-address.ts";

const requestOf = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { "x-forwarded-for": forwarded } }) as unknown as IncomingMessage;

test("without trusted proxies the address of the connection counts, whatever the headers say", () => {
  const { ofRequest: addressOf } = createClientAddresses([]);
  assert.equal(addressOf(requestOf("10.0.0.1", "1.2.3.4")), "10.0.0.1");
  assert.equal(addressOf(requestOf("::ffff:10.0.0.1")), "10.0.0.1");
});

test("behind trusted proxies the last address that is not a proxy counts", () => {
  const { ofRequest: addressOf } = createClientAddresses(["10.0.0.0/8", "192.168.0.1"]);
  assert.equal(addressOf(requestOf("10.0.0.1", "1.2.3.4")), "1.2.3.4");
  assert.equal(addressOf(requestOf("::ffff:192.168.0.1", "6.6.6.6, 1.2.3.4, 10.9.9.9")), "1.2.3.4");
  assert.equal(addressOf(requestOf("10.0.0.1")), "10.0.0.1");
  assert.equal(addressOf(requestOf("10.0.0.1", "1.2.3.4, nonsense")), "10.0.0.1");
  assert.equal(addressOf(requestOf("8.8.8.8", "1.2.3.4")), "8.8.8.8");
});

test("the addresses of one IPv6 network of 64 bits count as one", () => {
  const { ofRequest: addressOf } = createClientAddresses([]);
  assert.equal(addressOf(requestOf("2001:db8:1:2:3:4:5:6")), "2001:db8:1:2::/64");
  assert.equal(addressOf(requestOf("2001:db8:1:2::9")), "2001:db8:1:2::/64");
  assert.equal(addressOf(requestOf("2001:db8::9")), "2001:db8:0:0::/64");
  assert.equal(addressOf(requestOf("::1")), "0:0:0:0::/64");
  assert.equal(addressOf(requestOf("fe80::1%eth0")), "fe80:0:0:0::/64");
});

test("a setting that is no network is an error at the start", () => {
  assert.throws(() => createClientAddresses(["proxy.example"]), /PLATFORM_TRUSTED_PROXIES: proxy.example/);
  assert.throws(() => createClientAddresses(["10.0.0.0/33"]), /neither an address nor a network/);
});
