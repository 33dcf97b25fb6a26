import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestServer, type TestServer, unique } from "../../testing/server.ts";
import { detailOf, openWire, send } from "./test-requests.ts";

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const auth = () => ({ authorization: `Bearer ${server.token}` });
const follow = async (path: string, more = "") => {
  const wire = await openWire(server.url);
  wire.write(
    `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.token}\r\n` +
      `Accept: text/event-stream\r\n${more}\r\n`,
  );
  return wire;
};
const create = () => server.client.createEnvironment({ body: { name: unique("told") } });

test("events are JSON unless the client accepts an event stream", async () => {
  for (const accept of [undefined, "*/*", "application/json", "text/html"]) {
    const got = await send(server.url, {
      path: "/api/v1/events",
      headers: { ...auth(), ...(accept && { accept }) },
    });
    assert.equal(got.status, 200);
    assert.equal(got.headers["content-type"], "application/json; charset=utf-8");
  }
});

test("a stream sends stored and then new events, each once and in order", async () => {
  await create();
  const wire = await follow("/api/v1/events");
  await wire.until(/: connected\n\n.*id: 1\n/s);
  assert.match(wire.received, /content-type: text\/event-stream; charset=utf-8\r\n/i);
  assert.match(wire.received, /cache-control: no-store\r\n/i);
  assert.match(wire.received, /x-request-id: [0-9a-f-]{36}\r\n/i);
  const { id } = await create();
  const [, sequence] = await wire.until(
    new RegExp(`id: (\\d+)\\nevent: environment.created\\ndata: \\{.*${id}.*\\n\\n`),
  );
  const ids = [...wire.received.matchAll(/^id: (\d+)$/gm)].map(([, at]) => Number(at));
  assert.deepEqual(
    ids,
    Array.from({ length: Number(sequence) }, (_, n) => n + 1),
  );
  wire.socket.destroy();
});

test("Last-Event-ID continues after that event and overrides after", async () => {
  await server.server.events.seal();
  const head = (await server.events()).length;
  const wire = await follow("/api/v1/events?after=0", `Last-Event-ID: ${head}\r\n`);
  await wire.until(/: connected/);
  await create();
  await wire.until(/id: \d+\n/);
  const [first] = [...wire.received.matchAll(/^id: (\d+)$/gm)].map(([, at]) => Number(at));
  assert.equal(first, head + 1);
  wire.socket.destroy();
  const odd = await send(server.url, {
    path: "/api/v1/events",
    headers: { ...auth(), accept: "text/event-stream", "last-event-id": "x" },
  });
  assert.deepEqual([odd.status, detailOf(odd)], [400, "Last-Event-ID must be the sequence of an event."]);
});

test("a stream request is rejected like any other: 401, 422", async () => {
  const accept = "text/event-stream";
  const stranger = await send(server.url, { path: "/api/v1/events", headers: { accept } });
  assert.equal(stranger.status, 401);
  const invalid = await send(server.url, { path: "/api/v1/events?after=-1", headers: { ...auth(), accept } });
  assert.equal(invalid.status, 422);
  assert.equal(invalid.headers["content-type"], "application/json; charset=utf-8");
});

test("a server that stops closes its streams", async () => {
  const own = await startTestServer();
  const wire = await openWire(own.url);
  wire.write(
    `GET /api/v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${own.token}\r\nAccept: text/event-stream\r\n\r\n`,
  );
  await wire.until(/id: 1\n/);
  await own.close();
  assert.match(await wire.ended(), /0\r\n\r\n$/, "the last chunk says that nothing is missing");
});
