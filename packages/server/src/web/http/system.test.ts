import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { after, before, test } from "node:test";
import { lockFolder } from "../../core/concurrency/file-lock.ts";
import { freshDatabase } from "../../testing/postgres.ts";
import { engines, startTestServer, type TestServer } from "../../testing/server.ts";
import { run } from "../../testing/store.ts";
import { testFolder } from "../identity/test-dependencies.ts";
import { detailOf, eventually, send } from "./test-requests.ts";

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

test("/health is public, and 200 with status, live and ready", async () => {
  const got = await send(server.url, { path: "/health" });
  assert.equal(got.status, 200);
  assert.deepEqual(JSON.parse(got.text), { status: "ok", live: true, ready: true, detail: null });
});

for (const engine of engines) {
  test(`/info is public and describes the server: ${engine}`, async (t) => {
    const own = engine === "sqlite" ? server : await startTestServer({ engine });
    if (own !== server) t.after(() => own.close());
    const got = await send(own.url, { path: "/info" });
    assert.equal(got.status, 200);
    const { version, schema_version, ...rest } = JSON.parse(got.text);
    assert.deepEqual(rest, {
      name: "Lakehelm",
      platform: "embedded",
      platforms: ["embedded", "databricks", "spark"],
      store: engine,
      paused: false,
    });
    assert.match(version, /^\d+\.\d+\.\d+/);
    assert.ok(schema_version >= 1);
  });
}

test("admins read what the server runs with; credentials are only set or not", async (t) => {
  const own = await startTestServer({
    settings: { PLATFORM_QUERY_ROWS: "10000", OPENLINEAGE_URL: "http://ada:hunter2@lineage.internal/" },
  });
  t.after(() => own.close());
  const { settings } = await own.client.listSettings();
  const one = (name: string) => {
    const found = settings.find((setting) => setting.name === name);
    assert.ok(found?.description, name);
    const { description: _, ...rest } = found;
    return rest;
  };
  assert.deepEqual(one("PLATFORM_QUERY_ROWS"), {
    name: "PLATFORM_QUERY_ROWS",
    is_secret: false,
    is_set: true,
    value: "10000",
    default: "10000",
    source: "environment",
  });
  const token = { name: "PLATFORM_SERVICE_AUTH_TOKEN", is_secret: true, is_set: true, default: null };
  assert.deepEqual(one(token.name), { ...token, value: null, source: "environment" });
  assert.deepEqual([one("HOST").source, one("HOST").value], ["default", "127.0.0.1"]);
  assert.equal(one("DATABASE_URL").is_set, false);
  const text = JSON.stringify(settings);
  assert.ok(!text.includes("hunter2") && !text.includes(own.token));
  const user = await own.client.createUser({ body: { username: "grace", role: "operator" } });
  const { token: hers } = await own.client.createToken({ params: { user_id: user.id }, body: {} });
  const got = await send(own.url, {
    path: "/api/v1/server/settings",
    headers: { authorization: `Bearer ${hers}` },
  });
  assert.equal(got.status, 403);
});

test("a server is not ready before a server holds the data folder, and requests for data are refused until then", async (t) => {
  const folder = await testFolder(t);
  const lock = lockFolder(folder);
  t.after(lock.release);
  const own = await startTestServer({ engine: "postgres", settings: { PLATFORM_DATA_DIR: folder } });
  t.after(() => own.close());
  const statusOf = async (path: string) =>
    (await send(own.url, { path, headers: { authorization: `Bearer ${own.token}` } })).status;
  const { status, text } = await send(own.url, { path: "/health" });
  assert.equal(status, 503);
  assert.deepEqual(JSON.parse(text), {
    status: "unavailable",
    live: true,
    ready: false,
    detail: "The server is starting: no server holds the data folder yet.",
  });
  assert.equal(await statusOf("/api/v1/catalog"), 503);
  lock.release();
  await eventually(async () => (await statusOf("/health")) === 200, "it is ready");
  // The engine starts with the first request for data, which may take longer than a request waits for it.
  await eventually(async () => (await statusOf("/api/v1/catalog")) === 200, "data is served");
});

test("/health does not show the error of the database", async (t) => {
  const own = await startTestServer();
  t.after(() => own.close());
  await run(own.server.store, "alter table schema_version rename to hidden_name");
  await eventually(async () => (await send(own.url, { path: "/health" })).status === 503, "it is not ready");
  const { text } = await send(own.url, { path: "/health" });
  assert.deepEqual(JSON.parse(text), {
    status: "unavailable",
    live: true,
    ready: false,
    detail: "The database does not respond correctly.",
  });
  await run(own.server.store, "alter table hidden_name rename to schema_version");
});

test("while PostgreSQL is unreachable, /health and requests are 503; they recover when it is back", async (t) => {
  const database = await freshDatabase(`lakehelm_${randomUUID().replaceAll("-", "")}`);
  t.after(() => database.drop());
  const line = await openLine(new URL(database.url));
  t.after(() => line.cut());
  const address = new URL(database.url);
  address.port = String(line.port);
  const own = await startTestServer({ settings: { DATABASE_URL: address.href } });
  const health = () => send(own.url, { path: "/health" });
  assert.equal((await health()).status, 200);

  await line.cut();
  await eventually(async () => (await health()).status === 503, "it is not ready");
  const { text } = await health();
  assert.deepEqual(JSON.parse(text), {
    status: "unavailable",
    live: true,
    ready: false,
    detail: "The database is unreachable.",
  });
  const authorization = `Bearer ${own.token}`;
  for (const request of [
    { path: "/api/v1/connectors/", headers: { authorization } },
    {
      method: "POST",
      path: "/api/v1/environments/",
      headers: { authorization, "content-type": "application/json" },
      body: '{"name":"lost"}',
    },
  ]) {
    const got = await send(own.url, request);
    assert.deepEqual([got.status, detailOf(got)], [503, "The database is unreachable."]);
  }
  assert.equal((await send(own.url, { path: "/info" })).status, 200);

  await line.mend();
  await eventually(async () => (await health()).status === 200, "it is ready again");
  assert.equal((await own.client.listEnvironments()).total, 1, "nothing was half made");
  await own.close();
});

/** A TCP proxy to the database that can be cut off and restored. */
async function openLine(to: URL) {
  const sockets = new Set<Socket>();
  const relay = createServer((from) => {
    const onward = connect({ host: to.hostname, port: Number(to.port) });
    for (const [one, other] of [
      [from, onward],
      [onward, from],
    ] as const) {
      sockets.add(one);
      one.on("error", () => {});
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  const { port } = relay.address() as AddressInfo;
  return {
    port,
    async cut() {
      if (!relay.listening) return;
      const closed = once(relay, "close");
      relay.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    async mend() {
      relay.listen(port, "127.0.0.1");
      await once(relay, "listening");
    },
  };
}

test("/metrics needs a token, and is the Prometheus text format", async () => {
  assert.equal((await send(server.url, { path: "/metrics" })).status, 401);
  await server.fetch("/nowhere");
  await server.client.listEnvironments();
  const response = await server.fetch("/metrics");
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  const text = await response.text();
  assert.match(text, /^lakehelm_http_requests_total\{endpoint="none",status="404"\} \d+$/m);
  assert.match(text, /^lakehelm_http_requests_total\{endpoint="listEnvironments",status="200"\} \d+$/m);
  assert.match(text, /^process_resident_memory_bytes \d+$/m);
  assert.match(text, /^# TYPE lakehelm_outbox_pending gauge$/m);
});

const pages = [
  "/docs",
  "/docs/",
  "/redoc",
  "/openapi.json",
  "/docs/start.js",
  "/docs/swagger-ui.js",
  "/docs/swagger-ui.css",
];

test("documentation pages are public in development", async () => {
  for (const path of pages) {
    const got = await send(server.url, { path });
    assert.equal(got.status, 200, path);
    assert.match(String(got.headers["x-request-id"]), /^[0-9a-f-]{36}$/);
  }
  const docs = await send(server.url, { path: "/docs" });
  assert.equal(docs.headers["content-type"], "text/html; charset=utf-8");
  assert.match(String(docs.headers["content-security-policy"]), /default-src 'none'/);
  assert.equal(docs.headers["x-content-type-options"], "nosniff");
  assert.equal(docs.headers["referrer-policy"], "no-referrer");
  const openApi = await send(server.url, { path: "/openapi.json" });
  assert.equal(openApi.headers["content-type"], "application/json; charset=utf-8");
  assert.equal(JSON.parse(openApi.text).openapi.slice(0, 3), "3.1");
});

test("documentation pages require a token in production", async (t) => {
  const own = await startTestServer({ settings: { PLATFORM_ENV: "production" } });
  t.after(() => own.close());
  for (const path of pages) {
    const closed = await send(own.url, { path });
    assert.equal(closed.status, 401, path);
    assert.equal(closed.headers["www-authenticate"], "Bearer", path);
    assert.equal((await own.fetch(path)).status, 200, path);
  }
  assert.equal((await send(own.url, { path: "/health" })).status, 200);
});
