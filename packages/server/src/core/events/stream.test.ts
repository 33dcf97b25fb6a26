import assert from "node:assert/strict";
import test, { describe, type TestContext } from "node:test";
import type { Event } from "@lakehelm/contract";
import { createClient } from "@lakehelm/contract/client";
import { until } from "@lakehelm/testing/until";
import { engines, startTestServer, type TestServer, type TestServerOptions } from "../../testing/server.ts";
import { context } from "../../testing/store.ts";

interface StreamedEvent {
  readonly id: number;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

async function serverOf(t: TestContext, options: TestServerOptions = {}): Promise<TestServer> {
  const server = await startTestServer(options);
  t.after(() => server.close());
  return server;
}

function follow(server: TestServer, path = "", headers: Record<string, string> = {}, signal?: AbortSignal) {
  return server.fetch(`/api/v1/events${path}`, {
    headers: { accept: "text/event-stream", ...headers },
    ...(signal && { signal }),
  });
}

/** The blocks of a stream as they arrive; incomplete blocks are skipped. */
async function* blocks(response: Response): AsyncGenerator<string> {
  assert.ok(response.body);
  let text = "";
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const whole = text.split("\n\n");
    text = whole.pop() as string;
    yield* whole;
  }
}

async function* messages(response: Response): AsyncGenerator<StreamedEvent> {
  for await (const block of blocks(response)) {
    if (block.startsWith(":")) continue;
    const fields = new Map(block.split("\n").map((line) => line.split(/: (.*)/s, 2) as [string, string]));
    yield {
      id: Number(fields.get("id")),
      event: fields.get("event") as string,
      data: JSON.parse(fields.get("data") as string),
    };
  }
}

async function take(from: AsyncGenerator<StreamedEvent>, n: number): Promise<StreamedEvent[]> {
  const taken: StreamedEvent[] = [];
  while (taken.length < n) {
    const { value, done } = await from.next();
    assert.ok(!done, "the stream ended");
    taken.push(value);
  }
  return taken;
}

/** Forwards this many bytes, then breaks the connection. */
function cutAfter(bytes: number): TransformStream<Uint8Array, Uint8Array> {
  let left = bytes;
  return new TransformStream({
    transform(chunk, out) {
      out.enqueue(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) out.error(new Error("the connection broke"));
    },
  });
}

const emit = ({ server }: TestServer, kind: string, n: number) =>
  server.store.apply({ context, steps: [], events: [{ kind, subject: `test/${n}`, data: { n } }] });

for (const engine of engines) {
  describe(engine, () => {
    test("a stream sends stored events, then new ones, and filters both", async (t) => {
      const server = await serverOf(t, { engine });
      for (const n of [1, 2]) await emit(server, "test.matching", n);
      await emit(server, "other.kind", 3);
      await server.server.events.seal();
      const response = await follow(server, "?kind=test.*");
      assert.equal(response.status, 200);
      assert.match(String(response.headers.get("content-type")), /^text\/event-stream/);
      const stream = messages(response);

      assert.deepEqual(
        (await take(stream, 2)).map(({ data }) => data.data),
        [{ n: 1 }, { n: 2 }],
      );
      await emit(server, "other.kind", 4);
      await emit(server, "test.matching", 5);
      const [next] = await take(stream, 1);

      assert.deepEqual(next?.data.data, { n: 5 });
      assert.equal(next?.event, "test.matching");
      assert.equal(next?.id, next?.data.sequence);
      const { events } = await server.client.readEvents({ query: { after: (next?.id ?? 0) - 1, limit: 1 } });
      assert.deepEqual(next?.data, events[0]);
    });

    test("no event is lost or repeated across forced reconnects while 500 changes are written", async (t) => {
      const server = await serverOf(t, { engine });
      await server.server.events.seal();
      const first = await server.server.events.head();
      let written = 0;
      const write = async () => {
        while (written < 500) await emit(server, "test.burst", ++written);
      };
      const writers = Promise.all(Array.from({ length: 10 }, write));

      const received: StreamedEvent[] = [];
      let connections = 0;
      while (received.length < 500) {
        const cut = new AbortController();
        const last = received.at(-1)?.id ?? first;
        const response = await follow(server, "", { "last-event-id": String(last) }, cut.signal);
        // A different number each time: some cuts fall into stored events, some into new ones.
        let left = 1 + ((connections++ * 37) % 60);
        for await (const message of messages(response)) {
          received.push(message);
          if (--left === 0 || received.length === 500) break;
        }
        cut.abort();
      }
      await writers;

      assert.ok(connections > 5, `${connections} connections`);
      assert.deepEqual(
        received.map(({ id }) => id),
        Array.from({ length: 500 }, (_, n) => first + 1 + n),
      );
      const numbers = received.map(({ data }) => (data.data as { n: number }).n);
      assert.equal(new Set(numbers).size, 500);
    });

    test("the client continues after connections that break in the middle of an event", async (t) => {
      const server = await serverOf(t, { engine });
      await server.server.events.seal();
      const after = await server.server.events.head();
      let connections = 0;
      const breaking: typeof fetch = async (...request) => {
        const response = await fetch(...request);
        connections += 1;
        return new Response(response.body?.pipeThrough(cutAfter(1_000)) ?? null, response);
      };
      const { url: baseUrl, token } = server;
      const client = createClient({ baseUrl, token, fetch: breaking, sleep: async () => {} });

      const writes = Promise.all(Array.from({ length: 30 }, (_, n) => emit(server, "test.burst", n)));
      const received: Event[] = [];
      for await (const event of client.followEvents({ after, kind: "test.*" })) {
        if (received.push(event) === 30) break;
      }
      await writes;

      assert.ok(connections > 5, `${connections} connections`);
      assert.deepEqual(
        received.map(({ sequence }) => sequence),
        Array.from({ length: 30 }, (_, n) => after + 1 + n),
      );
    });

    test("a stream ends when the server stops", async () => {
      const server = await startTestServer({ engine });
      const response = await follow(server);
      const stream = messages(response);
      await emit(server, "test.happened", 1);
      const receivedEvent = async () => {
        const { value, done } = await stream.next();
        assert.ok(!done, "the stream ended before its event");
        return value.event === "test.happened";
      };
      await until(receivedEvent, 0);

      const closing = server.close();

      assert.equal((await stream.next()).done, true);
      await closing;
    });
  });
}

test("Last-Event-ID continues after that event and overrides `after`", async (t) => {
  const server = await serverOf(t);
  for (const n of [1, 2, 3]) await emit(server, "test.happened", n);
  await server.server.events.seal();
  const head = await server.server.events.head();

  const stream = messages(await follow(server, "?after=0", { "last-event-id": String(head - 1) }));

  assert.equal((await take(stream, 1))[0]?.id, head);
});

test("a Last-Event-ID that is not a sequence is rejected", async (t) => {
  const server = await serverOf(t);
  for (const id of ["x", "-1", "1.5", "9".repeat(16)]) {
    const response = await follow(server, "", { "last-event-id": id });
    assert.equal(response.status, 400);
    assert.deepEqual(await response.json(), {
      detail: "Last-Event-ID must be the sequence of an event.",
    });
  }
});

test("an idle stream sends a heartbeat every 15 seconds", async (t) => {
  const server = await serverOf(t);
  await server.server.events.seal();
  const head = await server.server.events.head();
  t.mock.timers.enable({ apis: ["setInterval"] });
  const stream = blocks(await follow(server, `?after=${head}`));
  assert.equal((await stream.next()).value, ": connected");

  for (let n = 0; n < 2; n++) {
    const next = stream.next();
    t.mock.timers.tick(14_999);
    assert.equal(await Promise.race([next, new Promise((quiet) => setImmediate(quiet, "quiet"))]), "quiet");
    t.mock.timers.tick(1);
    assert.equal((await next).value, ": heartbeat");
  }
  t.mock.timers.reset();
});
