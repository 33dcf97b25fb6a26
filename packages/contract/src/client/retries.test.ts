import assert from "node:assert/strict";
import { test } from "node:test";
import { answer, fakeSleep, playApi } from "./api.fixture.ts";
import { ApiError, createClient } from "./index.ts";

const body = { name: "e" };
const busy = { detail: "Busy." };

for (const status of [429, 502, 503, 504]) {
  test(`a GET that met ${status} is repeated, each time after twice the wait`, async (t) => {
    const { baseUrl, received } = await playApi(t, (_, response, position) =>
      answer(response, position < 4 ? status : 200, busy),
    );
    const { sleep, waits } = fakeSleep();
    const client = createClient({ baseUrl, retries: 3, sleep, random: () => 1 });
    await client.getInfo();
    assert.equal(received.length, 4);
    assert.deepEqual(waits, [200, 400, 800]);
  });
}

test("half of a wait is left to chance", async (t) => {
  const { baseUrl } = await playApi(t, (_, response, position) =>
    answer(response, position < 2 ? 503 : 200, busy),
  );
  const { sleep, waits } = fakeSleep();
  await createClient({ baseUrl, sleep, random: () => 0 }).getInfo();
  assert.deepEqual(waits, [100]);
});

test("a connection that breaks is repeated", async (t) => {
  const { baseUrl, received } = await playApi(t, (_, response, position) =>
    position === 1 ? response.destroy() : answer(response, 200, {}),
  );
  const { sleep } = fakeSleep();
  await createClient({ baseUrl, sleep }).getInfo();
  assert.equal(received.length, 2);
});

test("it gives up after the retries it was given, and throws what it met last", async (t) => {
  const { baseUrl, received } = await playApi(t, (_, response) => answer(response, 503, busy));
  const { sleep } = fakeSleep();
  await assert.rejects(createClient({ baseUrl, retries: 1, sleep }).getInfo(), ApiError);
  assert.equal(received.length, 2);
});

test("Retry-After is honoured, as seconds and as a date", async (t) => {
  const later = new Date(Date.now() + 5_000).toUTCString();
  const { baseUrl } = await playApi(t, (_, response, position) => {
    if (position === 1) return answer(response, 429, busy, { "retry-after": "7" });
    if (position === 2) return answer(response, 503, busy, { "retry-after": later });
    answer(response, 200, {});
  });
  const { sleep, waits } = fakeSleep();
  await createClient({ baseUrl, sleep }).getInfo();
  assert.equal(waits[0], 7_000);
  assert.ok((waits[1] ?? 0) > 3_000 && (waits[1] ?? 0) <= 5_000, String(waits[1]));
});

test("a server that asks for more than a minute is not waited for", async (t) => {
  const { baseUrl, received } = await playApi(t, (_, response) =>
    answer(response, 429, busy, { "retry-after": "3600" }),
  );
  const error = await createClient({ baseUrl })
    .getInfo()
    .catch((thrown) => thrown);
  assert.equal(error.retryAfterSeconds, 3600);
  assert.equal(received.length, 1);
});

test("a POST is repeated with an idempotency key, the same one, and never without", async (t) => {
  const { baseUrl, received } = await playApi(t, ({ headers }, response, position) =>
    answer(response, headers["idempotency-key"] && position > 1 ? 200 : 503, busy),
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

test("PATCH, PUT and DELETE are not repeated, nor is a GET that was refused", async (t) => {
  const { baseUrl, received } = await playApi(t, ({ method }, response) =>
    answer(response, method === "GET" ? 500 : 503, busy),
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

test("a signal that ends while it waits ends the waiting", async (t) => {
  const { baseUrl } = await playApi(t, (_, response) => answer(response, 503, busy, { "retry-after": "30" }));
  const signal = AbortSignal.timeout(50);
  await assert.rejects(createClient({ baseUrl }).getInfo({ signal }), { name: "TimeoutError" });
});
