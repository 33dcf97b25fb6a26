import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "@lakehelm/contract/client";
import { refused } from "../../testing/refusal.ts";
import { startTestServer } from "../../testing/server.ts";
import { createRateLimit, type RateLimit } from "./call.ts";

/** A clock that stands still: no bucket refills, however slow the machine is. */
const monotonicMs = () => 0;

function limitOf(perMinute: number, now: () => number): RateLimit {
  const limit = createRateLimit(perMinute, now);
  assert.ok(limit);
  return limit;
}

test("a burst of one minute is allowed, then the bucket refills steadily", () => {
  let time = 0;
  const limit = limitOf(60, () => time);
  for (let n = 0; n < 60; n++) limit.count("ada");
  assert.throws(() => limit.count("ada"), { kind: "tooMany", retryAfterSeconds: 1 });
  time += 999;
  assert.throws(() => limit.count("ada"), { kind: "tooMany" });
  time += 1;
  limit.count("ada");
  assert.throws(() => limit.count("ada"), { kind: "tooMany" });
  time += 3_600_000;
  for (let n = 0; n < 60; n++) limit.count("ada");
  assert.throws(() => limit.count("ada"), { kind: "tooMany" }, "no more than a minute's worth is saved up");
});

test("the usage is that of the identity with the most requests, and sinks as its bucket refills", () => {
  let time = 0;
  const limit = limitOf(60, () => time);
  assert.deepEqual(limit.usage(), { used: 0, limit: 60, refused: 0 });
  limit.count("bob");
  for (let n = 0; n < 60; n++) limit.count("ada");
  for (let n = 0; n < 2; n++) assert.throws(() => limit.count("ada"), { kind: "tooMany" });
  assert.deepEqual(limit.usage(), { used: 60, limit: 60, refused: 2 });
  time += 20_000;
  assert.deepEqual(limit.usage(), { used: 40, limit: 60, refused: 2 });
});

test("Retry-After is the time until the next request is accepted", () => {
  let time = 0;
  const limit = limitOf(2, () => time);
  limit.count("ada");
  limit.count("ada");
  assert.throws(() => limit.count("ada"), { retryAfterSeconds: 30 });
  time += 10_500;
  assert.throws(() => limit.count("ada"), { retryAfterSeconds: 20 });
  time += 20_000;
  limit.count("ada");
});

test("each identity has its own bucket, and 0 means no limit", () => {
  const limit = limitOf(1, () => 0);
  limit.count("ada");
  limit.count("bob");
  assert.throws(() => limit.count("ada"), { kind: "tooMany" });
  assert.equal(
    createRateLimit(0, () => 0),
    undefined,
  );
});

test("a request over the limit is 429 with Retry-After, for that identity only and not on public paths", async (t) => {
  const server = await startTestServer({
    settings: {
      PLATFORM_RATE_LIMIT_PER_MINUTE: "3",
      PLATFORM_CLIENT_ID: "ci",
      PLATFORM_CLIENT_SECRET: "cs_9fQ2mXv7LpT4cYh8Rk3wBz",
    },
    monotonicMs,
  });
  t.after(() => server.close());
  for (let n = 0; n < 3; n++) await server.client.getAuthStatus();
  const refusal = await refused(
    server.client.getAuthStatus(),
    429,
    "Rate limit exceeded: 3 requests per minute.",
  );
  assert.ok(Number(refusal.retryAfterSeconds) >= 1 && Number(refusal.retryAfterSeconds) <= 20);
  await refused(server.client.getConnector({ params: { connector_id: "x" } }), 429);
  assert.equal((await server.fetch("/nowhere")).status, 429);
  await server.client.getHealth();
  const body = { client_id: "ci", client_secret: "cs_9fQ2mXv7LpT4cYh8Rk3wBz" };
  const { access_token } = await server.client.exchangeToken({ body });
  const ci = createClient({ baseUrl: server.url, token: access_token, retries: 0 });
  assert.equal((await ci.getAuthStatus()).auth_type, "client_jwt");
});

test("answers tell a limited caller what is left, also errors and the refusal", async (t) => {
  const server = await startTestServer({ settings: { PLATFORM_RATE_LIMIT_PER_MINUTE: "3" }, monotonicMs });
  t.after(() => server.close());
  const paths = [
    "/api/v1/connectors",
    "/api/v1/connectors/x",
    "/api/v1/connectors?limit=x",
    "/api/v1/connectors",
  ];
  const answers = await Array.fromAsync(paths, async (path) => {
    const { status, headers } = await server.fetch(path);
    const [, left, seconds] = /^"requests";r=(\d+);t=(\d+)$/.exec(headers.get("ratelimit") ?? "") ?? [];
    assert.equal(headers.get("ratelimit-policy"), '"requests";q=3;w=60');
    assert.ok(Number(seconds) > 0 && Number(seconds) <= 60, `${seconds} seconds`);
    return [status, Number(left), headers.has("retry-after")];
  });
  assert.deepEqual(answers, [
    [200, 2, false],
    [404, 1, false],
    [422, 0, false],
    [429, 0, true],
  ]);
  assert.equal((await server.fetch("/health")).headers.get("ratelimit"), null);
});

test("requests without a valid token count by address: 429, while a valid token from there still works", async (t) => {
  const server = await startTestServer({ settings: { PLATFORM_RATE_LIMIT_PER_ADDRESS: "5" }, monotonicMs });
  t.after(() => server.close());
  const status = async (authorization: string) =>
    (await server.fetch("/api/v1/connectors/", { headers: { authorization } })).status;
  for (let n = 0; n < 5; n++) assert.equal(await status(`Bearer guess-${n}`), 401);
  const refusal = await server.fetch("/api/v1/connectors/", { headers: { authorization: "Bearer guess" } });
  assert.equal(refusal.status, 429);
  assert.ok(Number(refusal.headers.get("retry-after")) >= 1);
  const exchange = { method: "POST", body: '{"username":"ada","password":"x"}' };
  const headers = { "content-type": "application/json" };
  assert.equal((await fetch(`${server.url}/api/v1/auth/token`, { ...exchange, headers })).status, 429);
  assert.equal((await fetch(`${server.url}/health`)).status, 200);
  assert.equal(await status(`Bearer ${server.token}`), 200);
  const metrics = await (await server.fetch("/metrics")).text();
  assert.match(metrics, /^lakehelm_quota_limit\{quota="requests_per_address"\} 5$/m);
  assert.match(metrics, /^lakehelm_quota_refused_total\{quota="requests_per_address"\} 2$/m);
  assert.match(metrics, /^lakehelm_quota_limit\{quota="requests_per_caller"\} 30000$/m);
});

test("logins that an address has too many of do not refuse a user who has logged in from there", async (t) => {
  const server = await startTestServer({ settings: { PLATFORM_RATE_LIMIT_PER_ADDRESS: "5" }, monotonicMs });
  t.after(() => server.close());
  const password = "a long passphrase of ada";
  await server.client.createUser({ body: { username: "ada", role: "viewer", password } });
  const post = async (body: string, path = "/api/v1/auth/token") => {
    const headers = { "content-type": "application/json" };
    return (await fetch(`${server.url}${path}`, { method: "POST", headers, body })).status;
  };
  const login = (username: string, guess: string) => post(JSON.stringify({ username, password: guess }));
  assert.equal(await login("ada", password), 200);
  // Requests that are no valid logins count, too.
  assert.equal(await post("{"), 422);
  assert.equal(await post("{}"), 422);
  assert.equal(
    await post(JSON.stringify({ username: "x", password: "y" }), "/api/v1/auth/token?dry_run=true"),
    422,
  );
  assert.equal(await login("random", "guess"), 401);
  for (const body of ["{", "{}", `"${"x".repeat(10_000)}"`]) assert.equal(await post(body), 429);
  assert.equal(await login("random", "guess"), 429);
  assert.equal(await login("ada", password), 200);
  assert.equal(await login("ada", "guess"), 401);
  assert.equal((await fetch(`${server.url}/health?x=1`)).status, 200);
});

test("a flood of refused requests is logged once a second", async (t) => {
  const server = await startTestServer({ settings: { PLATFORM_RATE_LIMIT_PER_MINUTE: "1" }, monotonicMs });
  t.after(() => server.close());
  for (let n = 0; n < 50; n++) await server.fetch("/api/v1/connectors/");
  const lines = server.logged
    .map((line) => JSON.parse(line))
    .filter(({ status, msg }) => status === 429 && msg === "refused");
  assert.ok(lines.length >= 1 && lines.length < 25, `${lines.length} lines`);
});

test("the number of buckets is limited, and the oldest is dropped", () => {
  const limit = limitOf(1, () => 0);
  for (let n = 0; n < 10_000; n++) limit.count(`address ${n}`);
  assert.throws(() => limit.count("address 0"), { kind: "tooMany" });
  limit.count("one more");
  limit.count("address 0");
  assert.throws(() => limit.count("address 2"), { kind: "tooMany" });
});
