import assert from "node:assert/strict";
import { test } from "node:test";
import { engines, startTestServer } from "../../testing/server.ts";

for (const engine of engines) {
  test(`an event has a limited size, and the log with it is intact, on ${engine}`, async (t) => {
    const server = await startTestServer({ engine });
    t.after(() => server.close());
    const context = { actor: "test", requestId: null, time: new Date().toISOString() };
    const text = "x".repeat(1_000_000);
    const list = Array.from({ length: 100_000 }, (_, n) => n);
    const data = { name: "orders", text, list, deep: { a: { b: { c: { d: text } } } }, [text]: 1 };
    await server.deps.store.apply({
      context,
      steps: [],
      events: [
        { kind: "test.large", subject: "test/1", data },
        { kind: "test.small", subject: "test/1", data: { name: "orders", list: list.slice(0, 1000) } },
      ],
    });
    const [large] = await server.events("test.large");
    assert.equal(large?.data.name, "orders");
    assert.ok(JSON.stringify(large).length < 64 * 1024);
    const [small] = await server.events("test.small");
    assert.deepEqual(small?.data.list, list.slice(0, 1000), "a usual one is stored as it is");
    assert.equal((await server.client.verifyEvents()).intact, true);
    const metrics = await (await server.fetch("/metrics")).text();
    assert.match(metrics, /^lakehelm_quota_limit\{quota="event_length"\} 65536$/m);
    assert.match(metrics, /^lakehelm_quota_refused_total\{quota="event_length"\} 1$/m);
    const used = Number(/^lakehelm_quota_used\{quota="event_length"\} (\d+)$/m.exec(metrics)?.[1]);
    assert.ok(used > list.slice(0, 1000).length && used < 64 * 1024, `the longest has ${used}`);
  });
}
