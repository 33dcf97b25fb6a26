import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { eventKey } from "../../core/events/chain.ts";
import { verifyArchive } from "../../core/retention/archive-verification.ts";
import { archivedLines } from "../../testing/archive.ts";
import { engines, startTestServer } from "../../testing/server.ts";
import { startReceiver } from "./test-receiver.ts";

const dayMs = 86_400_000;

for (const engine of engines) {
  test(`old messages to channels move to the archive on ${engine}`, async (t) => {
    const clock = { ms: Date.parse("2026-03-01T12:00:00.000Z") };
    let server = await startTestServer({
      engine,
      now: () => new Date(clock.ms),
      settings: { PLATFORM_PRIVATE_ADDRESSES: "127.0.0.1" },
    });
    t.after(() => server.close());
    const receiver = await startReceiver(t);
    receiver.respond = ({ text }) => ({ status: text.includes("desk 1") ? 410 : 200 });
    await server.client.createAutomation({ body: { alias: "desk" } });
    const automation = { automation_alias: "desk", environment: "local" };
    await server.client.bindChat({ body: { ...automation, channel_id: "ops", channel_url: receiver.url } });
    for (const version of ["1", "2"]) {
      await server.client.syncAutomationRelease({ body: { ...automation, metadata: { version } } });
    }
    const listed = async () =>
      (await server.client.listDeliveries({ query: { sort: "created" } })).deliveries;
    await until(async () => {
      const states = (await listed()).map(({ state }) => state);
      return states.join() === "dead,delivered";
    });
    const [dead, delivered] = await listed();

    const archived = async () => {
      const events = await server.events("retention.archived", "retention/deliveries");
      return events.map(({ data }) => [data.count] as const);
    };
    server = await server.restart({}, () => {
      clock.ms += 8 * dayMs;
    });
    for (const _ of [1, 2]) await server.server.retain();
    assert.deepEqual(await listed(), [dead]);
    const [[count] = [0], ...more] = await archived();
    assert.deepEqual([count, more], [1, []]);
    const archive = join(server.dataDir, "archive");
    const [line = ""] = await archivedLines(join(archive, "deliveries"));
    assert.deepEqual(JSON.parse(line), delivered);

    server = await server.restart({}, () => {
      clock.ms += 23 * dayMs;
    });
    await server.server.retain();
    assert.deepEqual(await listed(), []);
    assert.equal((await server.rows()).outbox?.length, 0);
    const key = eventKey(server.deps.vault.deriveKey("event log"));
    const verdicts = await verifyArchive(archive, key);
    const { problems, records } = verdicts.find(({ kind }) => kind === "deliveries") ?? {};
    assert.deepEqual([problems, records], [[], 2]);
  });
}
