import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConformanceServer } from "./conformance-server.ts";
import { rows, startedRuns } from "./test-connector.ts";

/** Declared resources run: on request and on schedule. */
export function runTests(server: ConformanceServer): void {
  const { ownScheduler, countsRows } = server.harness.capabilities;

  test("a new connector has a job with its next firings", async (t) => {
    const shop = await server.open(t, { execution_mode: "batch", schedule_cron: "30 6 * * *" });
    assert.equal((await shop.now()).status, "active");
    const job = await shop.job();
    assert.deepEqual(
      [job.kind, job.subject, job.name, job.paused, job.problem, job.last_run],
      ["connector", `connector/${shop.id}`, shop.connector.name, null, null, null],
    );
    const { firings } = await server.client.listFirings({ params: { job_id: job.id }, query: { count: 2 } });
    assert.match(firings[0] ?? "", /T06:30:00/);
    if (ownScheduler) assert.equal(firings[0], job.next_at);
    assert.equal(Date.parse(firings[1] ?? "") - Date.parse(firings[0] ?? ""), 24 * 3600 * 1000);
  });

  test("a run transfers the rows and counts them; the next run has nothing to do", {
    skip: !countsRows,
  }, async (t) => {
    const shop = await server.open(t);
    await shop.put(rows("Ada", "Bob", "Cleo"));
    const first = await shop.runToEnd();
    assert.equal(first.status, "succeeded", first.error ?? "");
    assert.deepEqual([first.metrics.rows_read, first.metrics.rows_inserted, first.attempt], [3, 3, 1]);
    assert.deepEqual(await shop.read(server.client), rows("Ada", "Bob", "Cleo"));
    const reached = (await shop.now()).datasets?.[0];
    assert.match(reached?.current_watermark ?? "", /^2026-01-01[ T]00:00:02/);
    assert.notEqual(reached?.current_watermark_time, null);

    const second = await shop.runToEnd();
    assert.equal(second.status, "succeeded");
    assert.deepEqual(
      [second.metrics.rows_inserted, second.metrics.rows_updated, second.metrics.rows_deleted],
      [0, 0, 0],
    );
    assert.deepEqual((await shop.now()).datasets?.[0], reached);
  });

  test("only rows that changed in the source change in the target", {
    skip: !countsRows,
  }, async (t) => {
    const shop = await server.open(t);
    await shop.put(rows("Ada", "Bob"));
    await shop.runToEnd();
    const [ada] = rows("Ada");
    const later = [
      { id: 2, name: "Robert", updated_at: "2026-01-02T00:00:00Z" },
      { id: 3, name: "Cleo", updated_at: "2026-01-02T00:00:00Z" },
    ];
    await shop.put([...(ada ? [ada] : []), ...later]);
    const { metrics } = await shop.runToEnd();
    assert.deepEqual([metrics.rows_inserted, metrics.rows_updated], [1, 1]);
    assert.deepEqual(await shop.read(server.client), [ada, ...later]);
  });

  test("a schedule fires once per slot", async (t) => {
    const shop = await server.open(t, { execution_mode: "batch", schedule_cron: server.hourly() });
    await shop.put(rows("Ada"));
    const { next_at } = await shop.job();
    await server.fire(next_at);
    const [fired, ...others] = await startedRuns(shop);
    assert.ok(fired);
    assert.deepEqual([fired.cause.trigger, fired.cause.by, others.length], ["cron", null, 0]);
    if (ownScheduler) assert.equal(fired.cause.time, next_at);
    assert.equal((await server.ended(fired)).status, "succeeded");
    assert.deepEqual(await shop.read(server.client), rows("Ada"));
    await server.advance(1);
    assert.equal((await shop.runs()).length, 1);
    if (ownScheduler)
      assert.equal(Date.parse((await shop.job()).next_at ?? "") - Date.parse(next_at ?? ""), 3600 * 1000);
  });

  test("deleting a connector removes its job and stops its run", async (t) => {
    const shop = await server.open(t);
    await shop.put(rows("Ada"));
    const hold = shop.hold();
    const run = await shop.run();
    await hold.reached;
    await server.client.deleteConnector({ params: { connector_id: shop.id } });
    await hold.left;
    assert.equal((await server.ended(run)).status, "cancelled");
    await assert.rejects(shop.job(), { status: 404 });
    await assert.rejects(shop.run(), { status: 404 });
    hold.release();
    assert.equal(await shop.read(server.client), undefined);
  });
}
