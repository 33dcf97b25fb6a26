import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { type TestContext, test } from "node:test";
import { engines, startTestServer, type TestServerOptions } from "../../testing/server.ts";
import { createIdempotency } from "./idempotency.ts";
import { detailOf, type Got, send } from "./test-requests.ts";

const hour = 60 * 60 * 1000;
const connectors = "/api/v1/connectors/";
const connector = (name: string) => ({
  name,
  target_type: "warehouse",
  target_config: { password: "s3cret" },
  created_by: "ada",
});

async function given(t: TestContext, options: TestServerOptions) {
  const server = await startTestServer(options);
  let running = server;
  t.after(() => running.close());
  const restart = async () => {
    running = await server.restart();
    return running;
  };
  const post = (
    key: string,
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<Got> =>
    send(server.url, {
      method: "POST",
      path,
      headers: {
        authorization: `Bearer ${server.token}`,
        "content-type": "application/json",
        "idempotency-key": key,
        ...headers,
      },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  const rows = () => server.server.store.engine.read({ sql: "select * from idempotency", parameters: [] });
  const total = async () => (await server.client.listConnectors()).total;
  return { server, post, rows, total, restart };
}

const replayed = ({ headers }: Got) => headers["idempotency-replayed"];

for (const engine of engines) {
  test(`${engine}: the same key and body replays the first answer, byte for byte`, async (t) => {
    const { server, post, total } = await given(t, { engine });
    const first = await post("k", connectors, connector("a"));
    assert.deepEqual([first.status, replayed(first)], [200, undefined]);
    const { id } = JSON.parse(first.text) as { id: string };
    // The answer is the first one, even if the resource has changed since.
    await server.client.updateConnector({
      params: { connector_id: id },
      body: { schedule_cron: "0 6 * * *" },
    });
    const again = await post("k", connectors, connector("a"));
    assert.deepEqual([again.status, replayed(again)], [200, "true"]);
    assert.equal(again.text, first.text);
    assert.equal(again.headers.etag, first.headers.etag);
    assert.equal(again.headers["content-type"], first.headers["content-type"]);
    assert.notEqual(again.headers["x-request-id"], first.headers["x-request-id"]);
    assert.equal(await total(), 1);
    assert.equal((await server.events("connector.created")).length, 1);
  });

  test(`${engine}: the same key with another body, environment or path is 409`, async (t) => {
    const { post, total } = await given(t, { engine });
    assert.equal((await post("k", connectors, connector("a"))).status, 200);
    for (const [body, headers] of [
      [connector("b"), {}],
      [{ ...connector("a"), target_config: { password: "other" } }, {}],
      [connector("a"), { "x-environment-id": "local" }],
    ] as const) {
      const got = await post("k", connectors, body, headers);
      assert.equal(got.status, 409);
      assert.equal(
        detailOf(got),
        "This Idempotency-Key was used for another request within the last 24 hours.",
      );
    }
    assert.equal(await total(), 1);
    // With another endpoint, the same key is independent.
    assert.equal((await post("k", "/api/v1/environments/", { name: "a" })).status, 200);
  });

  test(`${engine}: the same meaning in other bytes replays the first answer`, async (t) => {
    const { post, total } = await given(t, { engine });
    const { name, target_type, created_by } = connector("a");
    const target_config = { port: 5432, options: { b: [1, 2], a: { d: null, c: "x" } } };
    const first = await post("k", connectors, { name, target_type, target_config, created_by });
    assert.equal(first.status, 200);
    const { port, options } = target_config;
    const turned = { options: { a: { c: "x", d: null }, b: options.b }, port };
    for (const [path, body] of [
      [connectors, JSON.stringify({ created_by, target_config: turned, target_type, name }, null, 2)],
      [connectors, JSON.stringify({ name, target_type, target_config, created_by, unknown: 1 })],
      [connectors, { name, target_type, target_config, created_by, execution_mode: "batch" }],
      [connectors.slice(0, -1), { name, target_type, target_config, created_by }],
    ] as const) {
      const again = await post("k", path, body);
      assert.deepEqual([again.text, replayed(again)], [first.text, "true"], JSON.stringify(body));
    }
    for (const other of [
      { ...target_config, port: "5432" },
      { ...target_config, options: { ...options, b: [2, 1] } },
      { ...target_config, options: { ...options, a: {} } },
    ]) {
      const got = await post("k", connectors, { name, target_type, target_config: other, created_by });
      assert.equal(got.status, 409, JSON.stringify(other));
    }
    assert.equal(await total(), 1);
  });

  test(`${engine}: an integer may be written as the contract reads it`, async (t) => {
    const { server, post } = await given(t, { engine });
    const pipeline = (workers: string) =>
      `{"name":"p","libraries":[{"jar":"a.jar"}],"clusters":[{"num_workers":${workers}}]}`;
    const first = await post("k", "/api/v1/pipelines/", pipeline("2"));
    assert.equal(first.status, 200);
    for (const written of ["2.0", '"2"', "2e0"]) {
      assert.equal(replayed(await post("k", "/api/v1/pipelines/", pipeline(written))), "true", written);
    }
    assert.equal((await post("k", "/api/v1/pipelines/", pipeline("3"))).status, 409);
    assert.equal((await server.client.listPipelines()).total, 1);
  });

  test(`${engine}: an answer that an earlier release stored is still found`, async (t) => {
    const { server, post } = await given(t, { engine });
    const first = await post("k", connectors, connector("a"));
    const { store, vault } = server.deps;
    const digest = createHmac("sha256", vault.deriveKey("idempotency"));
    for (const part of [connectors, "", JSON.stringify(connector("a"))]) digest.update(part).update("\0");
    const rewrite = store.prepare((db, v: { request: string }) =>
      db.updateTable("idempotency").set({ request: v.request }),
    );
    const context = { actor: "test", requestId: null, time: new Date().toISOString() };
    await store.apply({ context, steps: [rewrite({ request: digest.digest("base64url") })], events: [] });
    const again = await post("k", connectors, connector("a"));
    assert.deepEqual([again.text, replayed(again)], [first.text, "true"]);
    assert.equal((await post("k", connectors, connector("b"))).status, 409);
  });

  test(`${engine}: concurrent requests with the same key create once and get the same answer`, async (t) => {
    const { server, post, total } = await given(t, { engine });
    const got = await Promise.all(Array.from({ length: 8 }, () => post("k", connectors, connector("a"))));
    assert.deepEqual(
      got.map(({ status, text }) => (status === 200 ? status : text)),
      got.map(() => 200),
    );
    assert.equal(new Set(got.map(({ text }) => text)).size, 1);
    assert.equal(got.filter((one) => replayed(one) === undefined).length, 1);
    assert.equal(await total(), 1);
    assert.equal((await server.events("connector.created")).length, 1);
  });

  test(`${engine}: keys of different callers are independent`, async (t) => {
    const { server, post } = await given(t, { engine });
    const { id } = await server.client.createUser({ body: { username: "ada" } });
    const { token } = await server.client.createToken({ params: { user_id: id }, body: {} });
    const mine = await post("k", connectors, connector("a"));
    const theirs = await post("k", connectors, connector("a"), { authorization: `Bearer ${token}` });
    assert.equal(mine.status, 200);
    // The request is not a replay: it is carried out, and the name is taken.
    assert.deepEqual(
      [theirs.status, detailOf(theirs)],
      [409, 'There is already a connector named "a" in the environment "local".'],
    );
  });

  test(`${engine}: a key can be used again after 24 hours`, async (t) => {
    let time = Date.parse("2026-03-01T12:00:00Z");
    const { server, post, rows } = await given(t, { engine, now: () => new Date(time) });
    const first = await post("k", connectors, connector("a"));
    time += 24 * hour - 1;
    assert.equal((await post("k", connectors, connector("a"))).text, first.text);
    time += 1;
    const { id } = JSON.parse(first.text) as { id: string };
    await server.client.deleteConnector({ params: { connector_id: id } });
    const again = await post("k", connectors, connector("a"));
    assert.deepEqual([again.status, replayed(again)], [200, undefined]);
    assert.notEqual(again.text, first.text);
    assert.equal((await rows()).length, 1, "the old answer is gone");
    time += 24 * hour;
    assert.equal((await post("other", connectors, connector("b"))).status, 200);
    assert.equal((await rows()).length, 1, "whoever keeps an answer drops the old ones");
  });

  test(`${engine}: a failed request is not stored, so its key can be used again`, async (t) => {
    const { server, post, rows } = await given(t, { engine });
    const { id } = await server.client.createConnector({ body: connector("a") });
    assert.equal((await post("k", connectors, connector("a"))).status, 409);
    assert.equal((await post("k", connectors, { ...connector("a"), name: 5 })).status, 422);
    assert.deepEqual(await rows(), []);
    await server.client.deleteConnector({ params: { connector_id: id } });
    const got = await post("k", connectors, connector("a"));
    assert.deepEqual([got.status, replayed(got)], [200, undefined]);
  });

  test(`${engine}: an answer with a token is never stored`, async (t) => {
    const { server, post, rows } = await given(t, {
      engine,
      settings: { PLATFORM_CLIENT_ID: "ci", PLATFORM_CLIENT_SECRET: "cs_9fQ2mXv7LpT4cYh8Rk3wBz-s3cret" },
    });
    const { id } = await server.client.createUser({ body: { username: "ada" } });
    const issue = () => post("k", `/api/v1/users/${id}/tokens`, {});
    const [one, two] = [await issue(), await issue()];
    assert.deepEqual([one.status, two.status], [200, 200]);
    assert.notEqual(one.text, two.text);
    const exchange = () =>
      post("k", "/api/v1/auth/token", { client_id: "ci", client_secret: "cs_9fQ2mXv7LpT4cYh8Rk3wBz-s3cret" });
    assert.deepEqual([(await exchange()).status, replayed(await exchange())], [200, undefined]);
    assert.deepEqual(await rows(), []);
  });

  test(`${engine}: the stored row reveals no secret of the request`, async (t) => {
    const { post, rows } = await given(t, { engine });
    await post("k", connectors, connector("a"));
    assert.doesNotMatch(JSON.stringify(await rows()), /s3cret/);
  });

  test(`${engine}: a stored answer survives a restart`, async (t) => {
    const { restart, post } = await given(t, { engine });
    const first = await post("k", connectors, connector("a"));
    const next = await restart();
    const again = await send(next.url, {
      method: "POST",
      path: connectors,
      headers: {
        authorization: `Bearer ${next.token}`,
        "content-type": "application/json",
        "idempotency-key": "k",
      },
      body: JSON.stringify(connector("a")),
    });
    assert.deepEqual([again.text, replayed(again)], [first.text, "true"]);
  });
}

test("a key must have 1 to 255 printable characters", async (t) => {
  const { post } = await given(t, {});
  for (const key of ["", "x".repeat(256), "caf\u00e9", "a\tb"]) {
    const got = await post(key, connectors, connector("a"));
    assert.equal(got.status, 400, JSON.stringify(key));
    assert.equal(detailOf(got), "Idempotency-Key must have 1 to 255 printable ASCII characters.");
  }
  assert.equal((await post("x".repeat(255), connectors, connector("a"))).status, 200);
});

test("a key has no effect on endpoints that do not create", async (t) => {
  const { server, post, rows } = await given(t, {});
  const { id } = await server.client.createConnector({ body: connector("a") });
  const pause = () => post("k", `${connectors}${id}/pause`, {});
  const [one, two] = [await pause(), await pause()];
  assert.deepEqual([one.status, two.status, replayed(two)], [200, 200, undefined]);
  assert.deepEqual(await rows(), []);
});

for (const engine of engines) {
  test(`${engine}: the oldest answers of a caller with too many are forgotten, those of others are not`, async (t) => {
    const { server, rows } = await given(t, { engine });
    const { store } = server.deps;
    let time = Date.now();
    const idempotency = createIdempotency(store, Buffer.alloc(32), () => new Date(time), 3);
    const context = { actor: "test", requestId: null, time: new Date().toISOString() };
    async function use(caller: string, key: string): Promise<void> {
      time += 1;
      const steps = idempotency
        .once(caller, "createConnector", key, { meaning: null, bytes: [] })
        .saveAnswer("{}", undefined);
      await store.apply({ context, steps, events: [] });
    }
    await use("bob", "first");
    for (let n = 0; n < 5; n++) await use("ada", `k${n}`);
    assert.deepEqual(await idempotency.quotas(), [
      { name: "idempotency_keys_per_caller", used: 5, limit: 3 },
    ]);
    await idempotency.clean(context);
    const left = (await rows()).map(({ key }) => key).sort();
    assert.deepEqual(left, ["first", "k2", "k3", "k4"]);
  });
}
