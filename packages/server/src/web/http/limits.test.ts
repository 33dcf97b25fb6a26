import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { startTestServer } from "../../testing/server.ts";

async function opened(url: string, localAddress?: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), ...(localAddress && { localAddress }) });
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

/** Whether the server answers on this connection, or has closed it. */
async function isServed(socket: Socket): Promise<boolean> {
  socket.write("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const answered = once(socket, "data").then(() => true);
  const closed = once(socket, "close").then(() => false);
  return Promise.race([answered, closed]);
}

test("one address gets no more than its connections, and others still connect", async (t) => {
  const server = await startTestServer({ settings: { PLATFORM_CONNECTIONS_PER_ADDRESS: "5" } });
  t.after(() => server.close());
  const mine = await Promise.all(Array.from({ length: 5 }, () => opened(server.url, "127.0.0.9")));
  for (const socket of mine) assert.equal(await isServed(socket), true);
  assert.equal(await isServed(await opened(server.url, "127.0.0.9")), false);
  assert.equal((await fetch(`${server.url}/health`)).status, 200);
  mine[0]?.destroy();
  await until(async () => {
    const again = await opened(server.url, "127.0.0.9");
    const kept = await isServed(again);
    again.destroy();
    return kept;
  }, 20);
  for (const socket of mine) socket.destroy();
});

test("if all connections are taken, idle ones are closed for new callers", async (t) => {
  const server = await startTestServer({ settings: { PLATFORM_CONNECTIONS: "3" } });
  t.after(() => server.close());
  const { host } = new URL(server.url);
  for (let n = 0; n < 3; n++) {
    const socket = await opened(server.url, "127.0.0.9");
    t.after(() => socket.destroy());
    socket.write(`GET /health HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await once(socket, "data");
  }
  const status = async () => (await fetch(`${server.url}/health`).catch(() => undefined))?.status === 200;
  await until(status, 20);
});

test("event streams are limited for a caller, and an ended one makes room", async (t) => {
  const server = await startTestServer({ settings: { PLATFORM_STREAMS_PER_CALLER: "2" } });
  t.after(() => server.close());
  const follow = async () => {
    const stop = new AbortController();
    const response = await server.fetch("/api/v1/events", {
      headers: { accept: "text/event-stream" },
      signal: stop.signal,
    });
    // The client ends a stream whose response is no longer used.
    return { response, status: response.status, retryAfter: response.headers.get("retry-after"), stop };
  };
  const first = await follow();
  const second = await follow();
  t.after(() => second.stop.abort());
  assert.deepEqual([first.status, second.status], [200, 200]);
  const third = await follow();
  assert.deepEqual([third.status, third.retryAfter], [429, "5"]);
  const metrics = await (await server.fetch("/metrics")).text();
  assert.match(metrics, /^lakehelm_quota_used\{quota="event_streams_per_caller"\} 2$/m);
  assert.match(metrics, /^lakehelm_quota_limit\{quota="event_streams_per_caller"\} 2$/m);
  assert.match(metrics, /^lakehelm_quota_refused_total\{quota="event_streams_per_caller"\} 1$/m);
  assert.match(metrics, /^lakehelm_quota_limit\{quota="connections"\} 4000$/m);
  assert.match(metrics, /^lakehelm_quota_limit\{quota="runs"\} 8$/m);
  assert.match(metrics, /^lakehelm_quota_limit\{quota="queued_runs_per_caller"\} 10000$/m);
  assert.match(metrics, /^lakehelm_quota_limit\{quota="process_log_bytes"\} 268435456$/m);
  assert.match(metrics, /^lakehelm_quota_limit\{quota="queries"\} 264$/m);
  assert.match(metrics, /^lakehelm_quota_used\{quota="code_generations"\} 0$/m);
  assert.match(metrics, /^lakehelm_quota_limit\{quota="plans"\} 259$/m);
  first.stop.abort();
  await until(async () => {
    const again = await follow();
    again.stop.abort();
    return again.status === 200;
  }, 20);
});
