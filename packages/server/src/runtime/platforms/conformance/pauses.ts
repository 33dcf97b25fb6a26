import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "@lakehelm/testing/until";
import type { ConformanceServer } from "./conformance-server.ts";
import { rows, startedRuns } from "./test-connector.ts";

/** A pause is a user's decision: it is visible, it holds, and it outlives changes of the paused resource. */
export function pauseTests(server: ConformanceServer): void {
  const { ownScheduler } = server.harness.capabilities;
  const hourly = { execution_mode: "batch", schedule_cron: "0 * * * *" } as const;
  const pausedUntil = "2099-01-01T00:00:00Z";
  const pause = (connector_id: string) =>
    server.client.pauseConnector({
      params: { connector_id },
      body: { reason: "stocktaking", until: pausedUntil },
    });
  const resume = (connector_id: string) => server.client.resumeConnector({ params: { connector_id } });

  test("a paused connector runs nothing; its job shows who paused it, why, until when, and the missed slots", {
    skip: !ownScheduler,
  }, async (t) => {
    const shop = await server.open(t, hourly);
    assert.equal((await pause(shop.id)).status, "paused");
    const { next_at } = await shop.job();
    await server.advanceTo(next_at);
    await server.advance(2 * 3600);
    const paused = await until(async () => {
      const { paused } = await shop.job();
      return paused?.missed === 3 ? paused : undefined;
    });
    assert.deepEqual(
      [paused.by, paused.reason, Date.parse(paused.until ?? "")],
      ["internal-service", "stocktaking", Date.parse(pausedUntil)],
    );
    assert.equal(Date.parse(paused.last_missed ?? "") - Date.parse(next_at ?? ""), 2 * 3600 * 1000);
    assert.deepEqual(await shop.runs(), []);
  });

  test("a resumed connector runs at its next slot and not for missed ones", {
    skip: !ownScheduler,
  }, async (t) => {
    const shop = await server.open(t, hourly);
    await shop.put(rows("Ada"));
    await pause(shop.id);
    await server.advanceTo((await shop.job()).next_at);
    await until(async () => (await shop.job()).paused?.missed || undefined);
    assert.equal((await resume(shop.id)).status, "active");
    const { paused, next_at } = await shop.job();
    assert.equal(paused, null);
    assert.deepEqual(await shop.runs(), []);
    await server.advanceTo(next_at);
    const [fired, ...others] = await startedRuns(shop);
    assert.deepEqual([fired?.cause.time, fired?.cause.catch_up, others.length], [next_at, undefined, 0]);
    if (fired) assert.equal((await server.ended(fired)).status, "succeeded");
  });

  test("a paused connector can be run manually", async (t) => {
    const shop = await server.open(t, hourly);
    await shop.put(rows("Ada"));
    await pause(shop.id);
    assert.equal((await shop.runToEnd()).status, "succeeded");
    assert.notEqual((await shop.job()).paused, null);
  });

  test("an update keeps the pause", async (t) => {
    const shop = await server.open(t, hourly);
    await pause(shop.id);
    const changed = await server.client.updateConnector({
      params: { connector_id: shop.id },
      body: { schedule_cron: "15 * * * *" },
    });
    assert.equal(changed.status, "paused");
    const { paused, definition } = await shop.job();
    assert.equal(paused?.reason, "stocktaking");
    assert.deepEqual(definition.trigger, { kind: "cron", cron: "15 * * * *", timezone: "UTC" });
  });
}
