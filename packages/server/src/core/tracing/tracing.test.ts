import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { createExporter } from "./otlp-exporter.ts";
import { readTraceParent } from "./trace-context.ts";
import { createTracer, type EndedSpan } from "./tracer.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";

test("traceparent is read by W3C Trace Context; anything else is ignored", () => {
  const spanId = "00f067aa0ba902b7";
  assert.deepEqual(readTraceParent(`00-${traceId}-${spanId}-01`), { traceId, spanId, isSampled: true });
  assert.deepEqual(readTraceParent(`00-${traceId}-${spanId}-00`), { traceId, spanId, isSampled: false });
  assert.deepEqual(readTraceParent(`cc-${traceId}-${spanId}-09-more`), { traceId, spanId, isSampled: true });
  for (const wrong of [
    undefined,
    "",
    ["00"],
    `ff-${traceId}-${spanId}-01`,
    `00-${"0".repeat(32)}-${spanId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId}-${spanId}`,
    `00-${"a".repeat(100_000)}`,
  ]) {
    assert.equal(readTraceParent(wrong), undefined);
  }
});

test("a share of the traces is collected, the same on every server", () => {
  let next = 0;
  const randomBytes = (size: number) => {
    next += 7;
    return Buffer.alloc(size, next % 256);
  };
  const tracer = (ratio: number) => createTracer({ collect: () => {}, clock: () => 0, randomBytes, ratio });
  const ids = Array.from({ length: 256 }, () => tracer(1).newTraceId());
  const sampled = (ratio: number) => ids.filter(tracer(ratio).isSampled).length;
  assert.deepEqual([sampled(0), sampled(0.25), sampled(1)], [0, 64, 256]);
});

const span = (name: string): EndedSpan => ({
  traceId,
  spanId: "00f067aa0ba902b7",
  parentId: undefined,
  name,
  kind: "server",
  started: 1.5,
  ended: 1,
  attributes: {},
  events: [],
  error: undefined,
});

test("spans are sent in parts; a collector that is unavailable costs them, and is reported", async (t) => {
  const received: number[] = [];
  let status = 200;
  const collector = createServer(async (request, response) => {
    const parts = await Array.fromAsync(request);
    const [{ scopeSpans }] = JSON.parse(Buffer.concat(parts).toString()).resourceSpans;
    received.push(scopeSpans[0].spans.length);
    assert.equal(scopeSpans[0].spans[0].startTimeUnixNano, "1500000");
    // A clock that was set back makes no negative duration.
    assert.equal(scopeSpans[0].spans[0].endTimeUnixNano, "1500000");
    response.writeHead(status).end();
  });
  await new Promise<void>((done) => collector.listen(0, "127.0.0.1", done));
  t.after(() => collector.close());
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const errors: unknown[] = [];
  const options = { endpoint, headers: {}, resource: {}, onError: (error: unknown) => errors.push(error) };
  const exporter = createExporter(options);
  for (let n = 0; n < 5000; n++) exporter.collect(span(String(n)));
  await exporter.stop();
  assert.deepEqual(received, Array(8).fill(512));
  assert.deepEqual(exporter.stats(), { sent: 4096, dropped: 904 });
  status = 503;
  const refused = createExporter(options);
  refused.collect(span("late"));
  await refused.stop();
  assert.deepEqual(refused.stats(), { sent: 0, dropped: 1 });
  assert.match(String(errors[0]), /status 503/);
});
