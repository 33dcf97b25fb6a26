import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "@lakehelm/contract/client";
import { refused } from "../../testing/refusal.ts";
import { startTestServer } from "../../testing/server.ts";
import { createRateLimit, type RateLimit } from "./rate-limit.ts";

function limitOf(perMinute: number, now: () => number): RateLimit {
  const limit = createRateLimit(perMinute, now);
  assert.ok(limit);
  return limit;
}

test("a burst of one minute is allowed, then the bucket refills steadily", () => {
  let time = 0;
  const limit = limitOf(60, () => time);
  for (let n = 0; n < 60; n++) limit("ada");
  assert.throws(() => limit("ada"), { kind: "tooMany", retryAfterSeconds: 1 });
  time += 999;
  assert.throws(() => limit("ada"), { kind: "tooMany" });
  time += 1;
  limit("ada");
  assert.throws(() => limit("ada"), { kind: "tooMany" });
  time += 3_600_000;
  for (let n = 0; n < 60; n++) limit("ada");
  assert.throws(() => limit("ada"), { kind: "tooMany" }, "no more than a minute's worth is saved up");
});

test("Retry-After is the time until the next request is accepted", () => {
  let time = 0;
  const limit = limitOf(2, () => time);
  limit("ada");
  limit("ada");
  assert.throws(() => limit("ada"), { retryAfterSeconds: 30 });
  time += 10_500;
  assert.throws(() => limit("ada"), { retryAfterSeconds: 20 });
  time += 20_000;
  limit("ada");
});

test("each identity has its own bucket, and 0 means no limit", () => {
  const limit = limitOf(1, () => 0);
  limit("ada");
  limit("bob");
  assert.throws(() => limit("ada"), { kind: "tooMany" });
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
      PLATFORM_CLIENT_SECRET: "client-secret",
    },
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
  const body = { client_id: "ci", client_secret: "client-secret" };
  const { access_token } = await server.client.exchangeToken({ body });
  const ci = createClient({ baseUrl: server.url, token: access_token, retries: 0 });
  assert.equal((await ci.getAuthStatus()).auth_type, "client_jwt");
});
