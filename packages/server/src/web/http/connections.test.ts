import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import type { StreamMessage } from "../../core/stream-message.ts";
import { startTestServer, type TestServer } from "../../testing/server.ts";
import { startTestApp } from "./test-app.ts";
import { eventually, openWire, send } from "./test-requests.ts";

let server: TestServer;
/** A request must arrive within 300 ms: too short for any other test on a busy machine. */
let impatient: TestServer;
before(async () => {
  server = await startTestServer();
  impatient = await startTestServer({ settings: { PLATFORM_REQUEST_TIMEOUT_MS: "300" } });
});
after(async () => {
  await server.close();
  await impatient.close();
});

const post = (path: string, more: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.token}\r\n` +
  `Content-Type: application/json\r\n${more}\r\n\r\n`;
const get = (path: string, token = server.token) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
const errors = ({ logged } = server) =>
  logged.filter((line) => (JSON.parse(line) as { level: number }).level >= 50);
const names = async () => (await server.client.listConnectors()).connectors.map(({ name }) => name);
const connector = (name: string) => ({
  name,
  target_type: "warehouse",
  target_config: null,
  created_by: "ada",
});

test("slow headers are 408", async () => {
  const wire = await openWire(impatient.url);
  wire.write("GET /health HTTP/1.1\r\nHost:");
  const got = await wire.ended();
  assert.match(got, /^HTTP\/1\.1 408 Request Timeout\r\n/);
  assert.match(got, /\{"detail":"The request took too long to arrive."\}$/);
});

test("a slow body is 408 and creates nothing", async () => {
  const body = JSON.stringify(connector("dribbled"));
  const wire = await openWire(impatient.url);
  wire.write(post("/api/v1/connectors/", `Content-Length: ${body.length}`));
  const dribble = setInterval(() => wire.write(body[0] as string), 20);
  const got = await wire.ended().finally(() => clearInterval(dribble));
  assert.match(got, /^HTTP\/1\.1 408 /);
  assert.deepEqual((await impatient.client.listConnectors()).connectors, []);
  assert.deepEqual(errors(impatient), []);
});

test("an aborted upload creates nothing, logs no error and does not affect other requests", async () => {
  const body = JSON.stringify(connector("aborted"));
  const wire = await openWire(server.url);
  const before_ = server.logged.length;
  wire.write(post("/api/v1/connectors/", `Content-Length: ${body.length + 1}\r\nX-Request-Id: cut-off`));
  wire.write(body);
  wire.socket.destroy();
  const lines = () => server.logged.slice(before_).filter((line) => line.includes("cut-off"));
  await eventually(() => lines().length > 0, "the server notices");
  assert.match(lines()[0] as string, /"msg":"the client disconnected"/);
  assert.deepEqual(await names(), []);
  assert.deepEqual(errors(), []);
});

test("a body with broken framing is 400 and creates nothing", async () => {
  const wire = await openWire(server.url);
  wire.write(`${post("/api/v1/connectors/", "Transfer-Encoding: chunked")}5\r\n{"nam\r\nzz\r\n`);
  assert.match(await wire.ended(), /^HTTP\/1\.1 400 .*\{"detail":"The request is not valid HTTP."\}$/s);
  assert.deepEqual(await names(), []);
});

test("pipelined requests are answered in order", async () => {
  const wire = await openWire(server.url);
  wire.write(get("/api/v1/environments/local") + get("/nowhere") + get("/health", "wrong") + get("/info"));
  await wire.until(/"paused":false\}$/);
  const statuses = [...wire.received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  assert.deepEqual(statuses, ["200", "404", "200", "200"]);
  wire.socket.destroy();
});

test("invalid bytes after a request do not affect its answer", async () => {
  const wire = await openWire(server.url);
  wire.write(`${get("/info")}${get("/info")}\x00\x01noise\r\n\r\n`);
  const got = await wire.ended();
  const statuses = [...got.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  assert.deepEqual(statuses, ["200", "200", "405"]);
  assert.match(got, /"paused":false\}HTTP.*"paused":false\}HTTP.*\{"detail":"Unknown HTTP method."\}$/s);
});

test("a connection stays usable after every error", async () => {
  const wire = await openWire(server.url);
  let consumed = 0;
  const ask = async (sent: string): Promise<string> => {
    wire.write(sent);
    const [, status = "", length = ""] = await wire.until(
      new RegExp(`^.{${consumed}}HTTP/1\\.1 (\\d+).*?content-length: (\\d+)\\r\\n.*?\\r\\n\\r\\n`, "s"),
    );
    const head = wire.received.indexOf("\r\n\r\n", consumed) + 4;
    await wire.until(new RegExp(`^.{${head + Number(length)}}`, "s"));
    assert.doesNotMatch(wire.received.slice(consumed, head), /connection: close/i);
    consumed = wire.received.length;
    return status;
  };
  const create = (body: string) => post("/api/v1/environments/", `Content-Length: ${body.length}`) + body;
  assert.equal(await ask(get("/info")), "200");
  assert.equal(await ask(get("/api/v1/connectors/", "wrong")), "401");
  assert.equal(await ask(create("{}").replace(server.token, "wrong")), "401");
  assert.equal(await ask(get("/nowhere")), "404");
  assert.equal(await ask(get("/api/v1/connectors/").replace("GET", "DELETE")), "405");
  assert.equal(await ask(create("{")), "422");
  assert.equal(await ask(create('{"name":"local"}')), "409");
  assert.equal(await ask(get("/api/v1/environments/local")), "200");
  wire.socket.destroy();
});

test("each of many concurrent requests gets its own answer", async () => {
  const some = Array.from({ length: 60 }, (_, n) => `many-${n}`);
  const made = await Promise.all(
    some.map((name) =>
      server.client.createEnvironment({ body: { name }, headers: { "x-request-id": name } }),
    ),
  );
  assert.deepEqual(
    made.map(({ name }) => name),
    some,
  );
  const read = await Promise.all(
    some.map(async (name) => {
      const headers = { "x-request-id": name };
      const path = { params: { environment_id: name }, headers };
      return server.client.withResponse.getEnvironment(path);
    }),
  );
  assert.deepEqual(
    read.map(({ requestId, body }) => [requestId, body.name]),
    some.map((name) => [name, name]),
  );
});

test("a client that disconnects during a download stops the read without an error", async (t) => {
  let closed = false;
  const endless = new Readable({
    read: () => void endless.push(Buffer.alloc(65_536)),
    destroy: (error, done) => {
      closed = true;
      done(error);
    },
  });
  const app = await startTestApp(t, {
    getFile: async () => ({ stream: endless, contentType: "application/octet-stream" }),
  });
  const wire = await openWire(app.url);
  wire.write(get("/api/v1/files/a", app.token));
  await wire.until(/^HTTP\/1\.1 200 /);
  wire.socket.destroy();
  await eventually(() => closed, "the file is closed");
  await eventually(() => app.logged.some(({ msg }) => msg === "answered"), "the request is done");
  assert.deepEqual(
    app.logged.map(({ msg }) => msg),
    ["the client disconnected", "answered"],
  );
  assert.match(app.metrics(), /requests_total\{endpoint="getFile",status="499"\} 1/);
});

test("a read error during a download breaks off the response and is logged once", async (t) => {
  let pushed = 0;
  const failing = new Readable({
    read() {
      if (pushed++ === 0) this.push("first");
      else this.destroy(new Error("the disk failed"));
    },
  });
  const app = await startTestApp(t, {
    getFile: async () => ({ stream: failing, contentType: "application/octet-stream" }),
  });
  await assert.rejects(
    send(app.url, { path: "/api/v1/files/a", headers: { authorization: `Bearer ${app.token}` } }),
    { code: "ECONNRESET" },
  );
  const errors = app.logged.filter(({ level }) => Number(level) >= 50);
  assert.equal(errors.length, 1);
  assert.match(JSON.stringify(errors[0]), /the disk failed/);
});

test("a stream ends when its client disconnects, even during a burst", async (t) => {
  let ended = false;
  async function* burst(): AsyncGenerator<StreamMessage> {
    try {
      for (let n = 1; ; n++) {
        yield { id: String(n), event: "x", data: "x".repeat(10_000) };
        // The messages come without a pause: the reader may disconnect between any two of them.
        await new Promise((next) => setImmediate(next));
      }
    } finally {
      ended = true;
    }
  }
  const app = await startTestApp(t, { readEvents: async () => ({ messages: burst() }) });
  const wire = await openWire(app.url);
  wire.write(get("/api/v1/events", app.token));
  await wire.until(/id: 3\n/);
  wire.socket.destroy();
  await eventually(() => ended, "the stream ends");
  assert.deepEqual(
    app.logged.filter(({ level }) => Number(level) >= 50),
    [],
  );
});

test("a client that stops reading applies backpressure", async (t) => {
  let taken = 0;
  async function* burst(): AsyncGenerator<StreamMessage> {
    for (;;) {
      taken += 1;
      yield { id: String(taken), event: "x", data: "x".repeat(100_000) };
      await new Promise((next) => setImmediate(next));
    }
  }
  const app = await startTestApp(t, { readEvents: async () => ({ messages: burst() }) });
  const wire = await openWire(app.url);
  wire.socket.pause();
  wire.write(get("/api/v1/events", app.token));
  let before_ = -1;
  await eventually(async () => {
    const still = taken === before_ && taken > 0;
    before_ = taken;
    await new Promise((next) => setTimeout(next, 50));
    return still && taken === before_;
  }, "the stream waits");
  assert.ok(taken < 1000, `${taken} messages were taken`);
  wire.socket.resume();
  await eventually(() => taken > before_, "it continues");
  wire.socket.destroy();
});
