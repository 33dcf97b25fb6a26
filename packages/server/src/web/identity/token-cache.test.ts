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
  const asked: string[] = [];
  const cache = createTokenCache({
    lookUp(token) {
      asked.push(token);
      return lookUp(token);
    },
    now: system.now,
    key,
    entries,
    ...(size !== undefined && { size }),
  });
  return { system, entries, asked, cache };
}

const named = async (token: string): Promise<WorkspaceUser> => ({ id: token, name: `user of ${token}` });

test("a success is remembered for five minutes, not longer", async () => {
  const { cache, system, asked } = given(named);
  await cache.userOf("t");
  system.advance(5 * minutes - 1);
  assert.equal((await cache.userOf("t")).name, "user of t");
  assert.equal(asked.length, 1);
  system.advance(1);
  await cache.userOf("t");
  assert.equal(asked.length, 2);
});

test("a token that expires sooner is forgotten when it does", async () => {
  const { cache, system, asked } = given(async () => ({
    id: "1",
    name: "ada",
    token: { id: "a", expiresAt: new Date(system.now().getTime() + 1000) },
  }));
  await cache.userOf("t");
  system.advance(1000);
  await cache.userOf("t");
  assert.equal(asked.length, 2);
});

test("a refusal is never remembered", async () => {
  const { cache, asked, entries } = given(async () => {
    throw unauthorized("no");
  });
  await assert.rejects(cache.userOf("t"), { kind: "unauthorized" });
  await assert.rejects(cache.userOf("t"), { kind: "unauthorized" });
  assert.equal(asked.length, 2);
  assert.equal(entries.size, 0);
});

test("keys are HMACs: the token itself is nowhere in the cache", async () => {
  const { cache, entries } = given(async () => ({ id: "1", name: "ada" }));
  await cache.userOf("dapi-secret");
  assert.deepEqual([...entries.keys()], [createHmac("sha256", key).update("dapi-secret").digest("base64")]);
  assert.doesNotMatch(JSON.stringify([...entries]), /dapi-secret/);
});

test("the size is bounded, and the oldest goes first", async () => {
  const { cache, entries, asked } = given(named, 3);
  for (const token of ["a", "b", "c", "d"]) await cache.userOf(token);
  assert.equal(entries.size, 3);
  await cache.userOf("b");
  assert.equal(asked.length, 4);
  await cache.userOf("a");
  assert.equal(asked.length, 5);
});

test("concurrent lookups of one token make one call", async () => {
  const { promise, resolve } = Promise.withResolvers<WorkspaceUser>();
  const { cache, asked } = given(() => promise);
  const all = Array.from({ length: 100 }, () => cache.userOf("t"));
  const other = cache.userOf("u");
  resolve({ id: "1", name: "ada" });
  assert.equal((await Promise.all([...all, other])).length, 101);
  assert.deepEqual(asked, ["t", "u"]);
});

test("concurrent lookups share a refusal, and the next one asks again", async () => {
  const { cache, asked } = given(async () => {
    throw unauthorized("no");
  });
  const results = await Promise.allSettled([cache.userOf("t"), cache.userOf("t")]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ["rejected", "rejected"],
  );
  assert.equal(asked.length, 1);
  await assert.rejects(cache.userOf("t"), { kind: "unauthorized" });
  assert.equal(asked.length, 2);
});

test("a user, or one token, can be forgotten", async () => {
  const { cache, asked } = given(async (token) => ({
    id: "1",
    name: token === "c" ? "bob" : "ada",
    token: { id: `id of ${token}`, expiresAt: undefined },
  }));
  const askAll = () => Promise.all(["a", "b", "c"].map((token) => cache.userOf(token)));
  await askAll();
  cache.forgetToken("id of a");
  await askAll();
  assert.deepEqual(asked, ["a", "b", "c", "a"]);
  cache.forgetUser("ada");
  await askAll();
  assert.deepEqual(asked.slice(4), ["a", "b"]);
});

test("what was being looked up during a change is not remembered, nor shared from then on", async () => {
  const first = Promise.withResolvers<WorkspaceUser>();
  const answers = [first.promise, Promise.resolve({ id: "1", name: "ada", role: "viewer" } as const)];
  const { cache, asked } = given(() => answers.shift() ?? assert.fail());
  const early = cache.userOf("t");
  cache.forgetUser("ada");
  assert.equal((await cache.userOf("t")).role, "viewer");
  first.resolve({ id: "1", name: "ada", role: "admin" });
  await early;
  assert.equal((await cache.userOf("t")).role, "viewer");
  assert.equal(asked.length, 2);
});
