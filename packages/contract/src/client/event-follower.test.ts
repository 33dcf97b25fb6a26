import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import { fakeSleep, respond, startStubApi } from "./api.fixture.ts";
import { ApiError, createClient } from "./index.ts";

const message = (sequence: number, end = "\n") =>
  [
    `id: ${sequence}`,
    "event: connector.created",
    `data: {"sequence":${sequence},"id":"e${sequence}"}`,
    "",
    "",
  ].join(end);

function open(response: ServerResponse): ServerResponse {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  response.write(": connected\n\n");
  return response;
}

/** The sequences of the first `count` events. */
async function take(count: number, events: AsyncIterable<{ sequence: number }>): Promise<number[]> {
  const sequences: number[] = [];
  for await (const { sequence } of events) {
    sequences.push(sequence);
    if (sequences.length === count) break;
  }
  return sequences;
}

test("a stream cut within an event neither loses nor repeats an event", async (t) => {
  const { baseUrl, received } = await startStubApi(t, (_, response, position) => {
    const stream = open(response);
    if (position === 1) {
      stream.write(message(1) + message(2) + message(3).slice(0, -20), () => response.destroy());
    } else if (position === 2) {
      // The server repeats an event, then ends properly.
      stream.end(message(2) + message(3));
    } else stream.write(`: heartbeat\n\n${message(4)}`);
  });
  const { sleep } = fakeSleep();
  const client = createClient({ baseUrl, token: "t", sleep });
  assert.deepEqual(await take(4, client.followEvents({ kind: "connector.*" })), [1, 2, 3, 4]);
  assert.deepEqual(
    received.map(({ url, headers }) => [url, headers["last-event-id"], headers.accept]),
    [
      ["/api/v1/events?after=0&kind=connector.*", undefined, "text/event-stream"],
      ["/api/v1/events?after=2&kind=connector.*", "2", "text/event-stream"],
      ["/api/v1/events?after=3&kind=connector.*", "3", "text/event-stream"],
    ],
  );
});

test("bytes may be cut anywhere, and lines end in any of the three ways", async (t) => {
  const bytes = Buffer.from(
    `${message(1, "\r\n")}${message(2, "\r")}data: {"sequence":3,\ndata: "id":"ü😀"}\nid:3\n\n`,
  );
  const { baseUrl } = await startStubApi(t, async (_, response) => {
    open(response);
    for (const byte of bytes) {
      response.write(Buffer.of(byte));
      await new Promise(setImmediate);
    }
  });
  const events = createClient({ baseUrl, token: "t" }).followEvents();
  const ids: string[] = [];
  for await (const { id } of events) if (ids.push(id) === 3) break;
  assert.deepEqual(ids, ["e1", "e2", "ü😀"]);
});

test("it starts after a given sequence number", async (t) => {
  const { baseUrl, received } = await startStubApi(t, (_, response) => open(response).write(message(8)));
  assert.deepEqual(await take(1, createClient({ baseUrl, token: "t" }).followEvents({ after: 7 })), [8]);
  assert.equal(received[0]?.url, "/api/v1/events?after=7");
});

test("it reconnects to a restarting server for as long as it takes", async (t) => {
  const { baseUrl, received } = await startStubApi(t, (_, response, position) => {
    if (position === 1) return open(response).end(message(1));
    if (position < 8) return respond(response, position % 2 ? 500 : 503, { detail: "Starting." });
    open(response).write(message(2));
  });
  const { sleep, waits } = fakeSleep();
  const client = createClient({ baseUrl, token: "t", sleep, retries: 0, random: () => 1 });
  assert.deepEqual(await take(2, client.followEvents()), [1, 2]);
  assert.equal(received.length, 8);
  assert.ok(waits.includes(200) && waits.includes(6400), String(waits));
});

test("it reconnects when a connection is idle", async (t) => {
  // On a busy machine a connection may be idle before its event arrives; the next connection then requests that event
  // again.
  const { baseUrl, received } = await startStubApi(t, ({ url }, response) =>
    open(response).write(message(/after=0/.test(url) ? 1 : 2)),
  );
  const { sleep } = fakeSleep();
  const client = createClient({ baseUrl, token: "t", sleep });
  assert.deepEqual(await take(2, client.followEvents({ idleMs: 60 })), [1, 2]);
  assert.ok(received.length >= 2);
});

test("a rejected request ends it, and so does a server that was never reachable", async (t) => {
  const { baseUrl, received } = await startStubApi(t, (_, response) =>
    respond(response, 403, { detail: "No." }),
  );
  const { sleep } = fakeSleep();
  await assert.rejects(take(1, createClient({ baseUrl, token: "t", sleep }).followEvents()), {
    kind: "forbidden",
  });
  assert.equal(received.length, 1);
  const unreachable = createClient({ baseUrl: "http://127.0.0.1:1", sleep });
  await assert.rejects(
    take(1, unreachable.followEvents()),
    (error) => error instanceof ApiError && error.kind === "network",
  );
});

test("leaving the loop or aborting the signal closes the connection", async (t) => {
  let closed = 0;
  const { baseUrl } = await startStubApi(t, (_, response) => {
    response.on("close", () => closed++);
    open(response).write(message(1));
  });
  const client = createClient({ baseUrl, token: "t" });
  await take(1, client.followEvents());
  const controller = new AbortController();
  const reason = new Error("enough");
  setTimeout(() => controller.abort(reason), 50);
  await assert.rejects(take(2, client.followEvents({ signal: controller.signal })), reason);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(closed, 2);
});

test("a log is followed to its end over a lost connection, each line once", async (t) => {
  const line = (n: number) => `id: ${n}\nevent: line\ndata: {"n":${n},"line":"l${n}"}\n\n`;
  const { baseUrl, received } = await startStubApi(t, (_, response, position) => {
    if (position === 1) open(response).end(line(1) + line(2));
    else open(response).end(`${line(2)}${line(3)}id: 3\nevent: end\ndata: {"status":"succeeded"}\n\n`);
  });
  const { sleep } = fakeSleep();
  const log = createClient({ baseUrl, token: "t", sleep }).followLog("readRunLog", {
    params: { run_id: "r1" },
  });
  const lines = await Array.fromAsync(log, ({ line: text }) => text);
  assert.deepEqual(lines, ["l1", "l2", "l3"]);
  assert.deepEqual(
    received.map(({ url }) => url),
    ["/api/v1/runs/r1/log", "/api/v1/runs/r1/log?after=2"],
  );
});
