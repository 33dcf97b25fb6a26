import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeSleep, respond, startStubApi } from "./api.fixture.ts";
import { ApiError, createClient } from "./index.ts";

const body = { name: "e" };
const busy = { detail: "Busy." };

for (const status of [429, 502, 503, 504]) {
  test(`a GET that returns ${status} is retried with doubled backoff`, async (t) => {
    const { baseUrl, received } = await startStubApi(t, (_, response, position) =>
      respond(response, position < 4 ? status : 200, busy),
    );
    const { sleep, waits } = fakeSleep();
    const client = createClient({ baseUrl, retries: 3, sleep, random: () => 1 });
    await client.getInfo();
    assert.equal(received.length, 4);
    assert.deepEqual(waits, [200, 400, 800]);
  });
}

test("half of the backoff is random", async (t) => {
  const { baseUrl } = await startStubApi(t, (_, response, position) =>
    respond(response, position < 2 ? 503 : 200, busy),
  );
  const { sleep, waits } = fakeSleep();
  await createClient({ baseUrl, sleep, random: () => 0 }).getInfo();
  assert.deepEqual(waits, [100]);
});

test("a broken connection is retried", async (t) => {
  const { baseUrl, received } = await startStubApi(t, (_, response, position) =>
    position === 1 ? response.destroy() : respond(response, 200, {}),
  );
  const { sleep } = fakeSleep();
  await createClient({ baseUrl, sleep }).getInfo();
  assert.equal(received.length, 2);
});

test("it gives up after the retries and throws the last error", async (t) => {
  const { baseUrl, received } = await startStubApi(t, (_, response) => respond(response, 503, busy));
  const { sleep } = fakeSleep();
  await assert.rejects(createClient({ baseUrl, retries: 1, sleep }).getInfo(), ApiError);
  assert.equal(received.length, 2);
});

test("Retry-After is honoured, as seconds and as a date", async (t) => {
  const later = new Date(Date.now() + 5_000).toUTCString();
  const { baseUrl } = await startStubApi(t, (_, response, position) => {
    if (position === 1) return respond(response, 429, busy, { "retry-after": "7" });
    if (position === 2) return respond(response, 503, busy, { "retry-after": later });
    respond(response, 200, {});
  });
  const { sleep, waits } = fakeSleep();
  await createClient({ baseUrl, sleep }).getInfo();
  assert.equal(waits[0], 7_000);
  assert.ok((waits[1] ?? 0) > 3_000 && (waits[1] ?? 0) <= 5_000, String(waits[1]));
});

test("a Retry-After of more than a minute is not retried", async (t) => {
  const { baseUrl, received } = await startStubApi(t, (_, response) =>
    respond(response, 429, busy, { "retry-after": "3600" }),
  );
  const error = await createClient({ baseUrl })
    .getInfo()
    .catch((thrown) => thrown);
  assert.equal(error.retryAfterSeconds, 3600);
  assert.equal(received.length, 1);
});

test("a POST is retried only with an idempotency key, and with the same one", async (t) => {
  const { baseUrl, received } = await startStubApi(t, ({ headers }, response, position) =>
    respond(response, headers["idempotency-key"] && position > 1 ? 200 : 503, busy),
  );
  const { sleep } = fakeSleep();
  const client = createClient({ baseUrl, token: "t", sleep });
  await client.createEnvironment({ body, idempotencyKey: "k-1" });
  assert.deepEqual(
    received.map((request) => request.headers["idempotency-key"]),
    ["k-1", "k-1"],
  );
  await assert.rejects(client.createEnvironment({ body }), ApiError);
  assert.equal(received.length, 3);
});

test("PATCH, PUT and DELETE are not retried, nor is a GET that was rejected", async (t) => {
  const { baseUrl, received } = await startStubApi(t, ({ method }, response) =>
    respond(response, method === "GET" ? 500 : 503, busy),
  );
  const client = createClient({ baseUrl, token: "t" });
  const params = { environment_id: "e" };
  await assert.rejects(client.updateEnvironment({ params, body: {} }), ApiError);
  await assert.rejects(
    client.putSecret({ params: { scope: "s", key: "k" }, body: { value: "v" } }),
    ApiError,
  );
  await assert.rejects(client.deleteEnvironment({ params }), ApiError);
  await assert.rejects(client.getEnvironment({ params }), ApiError);
  assert.equal(received.length, 4);
});

test("aborting the signal ends the backoff", async (t) => {
  const { baseUrl } = await startStubApi(t, (_, response) =>
    respond(response, 503, busy, { "retry-after": "30" }),
  );
  const signal = AbortSignal.timeout(50);
  await assert.rejects(createClient({ baseUrl }).getInfo({ signal }), { name: "TimeoutError" });
});
