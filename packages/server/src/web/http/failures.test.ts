import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { until } from "@lakehelm/testing/until";
import { engines, startTestServer } from "../../testing/server.ts";
import { startTestApp } from "./test-app.ts";
import { detailOf, send } from "./test-requests.ts";

const sentence = "Internal error. The server log has the details under this request id.";

test("a handler error is 500 with a message and the request id, logged once with its stack", async (t) => {
  const app = await startTestApp(t, {
    async getInfo() {
      throw new TypeError("x is not a function at /secret/path.ts");
    },
  });
  const got = await send(app.url, { path: "/info", headers: { "x-request-id": "unlucky" } });
  assert.equal(got.status, 500);
  assert.deepEqual(JSON.parse(got.text), { detail: sentence });
  assert.equal(got.headers["x-request-id"], "unlucky");
  const entries = app.logged.filter(({ level }) => Number(level) > 20);
  assert.equal(entries.length, 1);
  assert.equal(entries[0]?.request, "unlucky");
  assert.match(JSON.stringify(entries[0]), /x is not a function.*failures\.test\.ts/);
  const headers = { authorization: `Bearer ${app.token}` };
  assert.equal((await send(app.url, { path: "/nowhere", headers })).status, 404);
});

test("work that ends because its caller went away is no error", async (t) => {
  const started = new EventTarget();
  const app = await startTestApp(t, {
    async validateQuery({ signal }) {
      started.dispatchEvent(new Event("started"));
      await pause(60_000, undefined, { signal });
      return { body: { success: true, result: 0, message: null, error: null } };
    },
    async getInfo({ signal }) {
      started.dispatchEvent(new Event("started"));
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      throw signal.reason;
    },
  });
  const headers = { authorization: `Bearer ${app.token}`, "content-type": "application/json" };
  for (const [path, init] of [
    ["/info", {}],
    ["/api/automations/validate_query", { method: "POST", body: '{"query":"select 1"}' }],
  ] as const) {
    const caller = new AbortController();
    const isStarted = once(started, "started");
    const asked = fetch(`${app.url}${path}`, { ...init, headers, signal: caller.signal });
    await isStarted;
    caller.abort();
    await assert.rejects(asked, { name: "AbortError" });
    const ofPath = () => app.logged.filter((line) => line.path === path);
    await until(() => ofPath().some(({ msg }) => msg === "the client disconnected"));
    assert.deepEqual(
      ofPath().filter(({ level }) => Number(level) > 20),
      [],
    );
  }
});

test("in tests, an answer that does not match its schema is a 500", async (t) => {
  const app = await startTestApp(t, { getInfo: async () => ({ text: '{"name":"Lakehelm"}' }) });
  assert.equal((await send(app.url, { path: "/info" })).status, 500);
  assert.match(JSON.stringify(app.logged), /The answer of GET \/info/);
});

for (const engine of engines) {
  test(`${engine}: a store error is 500 on reads and writes, logged once, without a stack in the answer`, async (t) => {
    const server = await startTestServer({ engine });
    t.after(() => server.close());
    await server.server.store.engine.write([
      { sql: "alter table connectors rename to elsewhere", parameters: [] },
    ]);
    const body = JSON.stringify({
      name: "a",
      target_type: "warehouse",
      target_config: null,
      created_by: "ada",
    });
    const authorization = `Bearer ${server.token}`;
    for (const request of [
      { path: "/api/v1/connectors/1", headers: { authorization, "x-request-id": "reads" } },
      {
        method: "POST",
        path: "/api/v1/connectors/",
        headers: { authorization, "x-request-id": "writes", "content-type": "application/json" },
        body,
      },
    ]) {
      const got = await send(server.url, request);
      assert.equal(got.status, 500, got.text);
      assert.deepEqual(JSON.parse(got.text), { detail: sentence });
      const id = request.headers["x-request-id"];
      assert.equal(got.headers["x-request-id"], id);
      const lines = server.logged.filter((line) => line.includes(`"request":"${id}"`));
      const entries = lines.map((line) => JSON.parse(line)).filter(({ level }) => level > 20);
      assert.deepEqual(
        entries.map(({ level, msg }) => [level, msg]),
        [[50, "failed"]],
      );
    }
    assert.equal((await server.client.listEnvironments()).total, 1);
  });
}

test("no token, password or secret is logged, whatever the result of the request", async (t) => {
  const server = await startTestServer({
    settings: { PLATFORM_CLIENT_ID: "ci", PLATFORM_CLIENT_SECRET: "cs_9fQ2mXv7LpT4cYh8Rk3wBz-s3cret" },
  });
  t.after(() => server.close());
  const secrets: string[] = [server.token, "cs_9fQ2mXv7LpT4cYh8Rk3wBz-s3cret"];
  const secret = (name: string) => {
    const value = `s3cret-of-${name}`;
    secrets.push(value);
    return value;
  };
  const authorization = `Bearer ${server.token}`;
  const post = (path: string, body: unknown, headers: Record<string, string> = { authorization }) =>
    send(server.url, {
      method: "POST",
      path,
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const connector = {
    name: "a",
    target_type: "warehouse",
    target_config: { password: secret("config") },
    created_by: "ada",
  };
  const statuses = [
    (await post("/api/v1/connectors/", connector)).status,
    (await post("/api/v1/connectors/", connector)).status,
    (await post("/api/v1/connectors/", { ...connector, name: [secret("input")] })).status,
    (await post("/api/v1/auth/token", { username: "ada", password: secret("user") })).status,
    (await post("/api/v1/auth/token", { client_id: "ci", client_secret: secret("client") })).status,
    (await post("/api/v1/auth/token", { client_id: "ci", client_secret: "cs_9fQ2mXv7LpT4cYh8Rk3wBz-s3cret" }))
      .status,
    (await post("/api/v1/users", { username: "ada", password: secret("new-user") })).status,
    (await post("/api/v1/users", { username: "ada", password: secret("same-user") })).status,
    (await send(server.url, { path: "/info", headers: { authorization: `Bearer ${secret("bearer")}` } }))
      .status,
    (await send(server.url, { path: "/metrics", headers: { authorization: `Bearer ${secret("wrong")}` } }))
      .status,
    (await send(server.url, { path: "/metrics", headers: { "x-service-auth": secret("service") } })).status,
    (await send(server.url, { path: `/metrics?token=${secret("query")}`, headers: { authorization } }))
      .status,
    (await send(server.url, { path: `/nowhere?token=${secret("lost")}`, headers: { authorization } })).status,
  ];
  assert.deepEqual(statuses, [200, 409, 422, 401, 401, 200, 200, 409, 200, 401, 401, 200, 404]);
  await server.server.store.engine.write([
    { sql: "alter table connectors rename to elsewhere", parameters: [] },
  ]);
  const failed = await post("/api/v1/connectors/", {
    ...connector,
    target_config: { token: secret("failed") },
  });
  assert.equal(failed.status, 500);
  assert.equal(detailOf(failed), sentence);
  const log = server.logged.join("");
  assert.ok(log.length > 1000);
  assert.deepEqual(
    secrets.filter((one) => log.includes(one)),
    [],
  );
});
