import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { unauthorized } from "../../core/errors.ts";
import { testSystem } from "./test-dependencies.ts";
import { type CachedUser, createTokenCache } from "./token-cache.ts";
import type { WorkspaceUser } from "./workspace.ts";

const minutes = 60_000;
const key = Buffer.from("of this process");

function given(lookUp: (token: string) => Promise<WorkspaceUser>, size?: number) {
  const system = testSystem();
  const entries = new Map<string, CachedUser>();
  const calls: string[] = [];
  const cache = createTokenCache({
    lookUp(token) {
      calls.push(token);
      return lookUp(token);
    },
    now: system.now,
    monotonicMs: system.monotonicMs,
    key,
    entries,
    ...(size !== undefined && { size }),
  });
  return { system, entries, calls, cache };
}

const named = async (token: string): Promise<WorkspaceUser> => ({ id: token, name: `user of ${token}` });

test("a success is cached for five minutes", async () => {
  const { cache, system, calls } = given(named);
  await cache.userOf("t");
  system.advance(5 * minutes - 1);
  assert.equal((await cache.userOf("t")).name, "user of t");
  assert.equal(calls.length, 1);
  system.advance(1);
  await cache.userOf("t");
  assert.equal(calls.length, 2);
});

test("a token that expires sooner is cached until then", async () => {
  const { cache, system, calls } = given(async () => ({
    id: "1",
    name: "ada",
    token: { id: "a", expiresAt: new Date(system.now().getTime() + 1000) },
  }));
  await cache.userOf("t");
  system.advance(1000);
  await cache.userOf("t");
  assert.equal(calls.length, 2);
});

test("a rejection is not cached", async () => {
  const { cache, calls, entries } = given(async () => {
    throw unauthorized("no");
  });
  await assert.rejects(cache.userOf("t"), { kind: "unauthorized" });
  await assert.rejects(cache.userOf("t"), { kind: "unauthorized" });
  assert.equal(calls.length, 2);
  assert.equal(entries.size, 0);
});

test("the cache contains HMACs and no tokens", async () => {
  const { cache, entries } = given(async () => ({ id: "1", name: "ada" }));
  await cache.userOf("dapi-secret");
  assert.deepEqual([...entries.keys()], [createHmac("sha256", key).update("dapi-secret").digest("base64")]);
  assert.doesNotMatch(JSON.stringify([...entries]), /dapi-secret/);
});

test("the size is bounded, and the oldest entry is evicted first", async () => {
  const { cache, entries, calls } = given(named, 3);
  for (const token of ["a", "b", "c", "d"]) await cache.userOf(token);
  assert.equal(entries.size, 3);
  await cache.userOf("b");
  assert.equal(calls.length, 4);
  await cache.userOf("a");
  assert.equal(calls.length, 5);
});

test("concurrent lookups of one token make one call", async () => {
  const { promise, resolve } = Promise.withResolvers<WorkspaceUser>();
  const { cache, calls } = given(() => promise);
  const all = Array.from({ length: 100 }, () => cache.userOf("t"));
  const other = cache.userOf("u");
  resolve({ id: "1", name: "ada" });
  assert.equal((await Promise.all([...all, other])).length, 101);
  assert.deepEqual(calls, ["t", "u"]);
});

test("concurrent lookups share a rejection, and the next one calls again", async () => {
  const { cache, calls } = given(async () => {
    throw unauthorized("no");
  });
  const results = await Promise.allSettled([cache.userOf("t"), cache.userOf("t")]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ["rejected", "rejected"],
  );
  assert.equal(calls.length, 1);
  await assert.rejects(cache.userOf("t"), { kind: "unauthorized" });
  assert.equal(calls.length, 2);
});

test("a user or a single token can be removed", async () => {
  const { cache, calls } = given(async (token) => ({
    id: "1",
    name: token === "c" ? "bob" : "ada",
    token: { id: `id of ${token}`, expiresAt: undefined },
  }));
  const askAll = () => Promise.all(["a", "b", "c"].map((token) => cache.userOf(token)));
  await askAll();
  cache.forgetToken("id of a");
  await askAll();
  assert.deepEqual(calls, ["a", "b", "c", "a"]);
  cache.forgetUser("ada");
  await askAll();
  assert.deepEqual(calls.slice(4), ["a", "b"]);
});

test("a lookup that runs during a change is not cached or shared afterwards", async () => {
  const first = Promise.withResolvers<WorkspaceUser>();
  const answers = [first.promise, Promise.resolve({ id: "1", name: "ada", role: "viewer" } as const)];
  const { cache, calls } = given(() => answers.shift() ?? assert.fail());
  const early = cache.userOf("t");
  cache.forgetUser("ada");
  assert.equal((await cache.userOf("t")).role, "viewer");
  first.resolve({ id: "1", name: "ada", role: "admin" });
  await early;
  assert.equal((await cache.userOf("t")).role, "viewer");
  assert.equal(calls.length, 2);
});
