import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "@lakehelm/testing/until";
import type { ConformanceServer } from "./conformance-server.ts";
import { rows, startedRuns } from "./test-connector.ts";

/** Work that was interrupted continues: nothing is lost or duplicated. */
export function recoveryTests(server: ConformanceServer): void {
  const { ownScheduler, ownProcess, countsRows } = server.harness.capabilities;

  test("a run continues automatically after a crash", {
    skip: !ownProcess,
  }, async (t) => {
    const shop = await server.open(t);
    await shop.put(rows("Ada"));
    await shop.runToEnd();
    await shop.put(rows("Ada", "Bob", "Cleo"));
    const hold = shop.hold();
    const run = await shop.run();
    await hold.reached;
    await server.crash();
    await hold.left;
    hold.release();
    const again = await until(async () => {
      const [newest] = await shop.runs();
      return newest?.status === "queued" ? newest : undefined;
    });
    assert.deepEqual([again.id, again.attempt], [run.id, 1]);
    await server.advanceTo(again.not_before);
    const ended = await server.ended(run);
    assert.deepEqual([ended.status, ended.attempt, ended.metrics.rows_inserted], ["succeeded", 2, 2]);
    assert.deepEqual(await shop.read(server.client), rows("Ada", "Bob", "Cleo"));
  });

  test("a running and a queued run both finish after a restart", async (t) => {
    const shop = await server.open(t);
    await shop.put(rows("Ada"));
    const hold = shop.hold();
    const first = await shop.run();
    await hold.reached;
    const second = await shop.run();
    const restarted = server.restart();
    // A platform that runs it in another system goes on meanwhile.
    if (ownProcess) await hold.left;
    hold.release();
    await restarted;
    const ended = [await server.ended(first), await server.ended(second)];
    assert.deepEqual(
      ended.map(({ status, attempt }) => [status, attempt]),
      [
        ["succeeded", 1],
        ["succeeded", 1],
      ],
    );
    // Only the first run had something to do.
    if (countsRows) assert.deepEqual(ended.map(({ metrics }) => metrics.rows_inserted).sort(), [0, 1]);
    assert.deepEqual(await shop.read(server.client), rows("Ada"));
  });

  test("slots missed during downtime get one catch-up run", {
    skip: !ownScheduler,
  }, async (t) => {
    const shop = await server.open(t, { execution_mode: "batch", schedule_cron: "*/10 * * * *" });
    await shop.put(rows("Ada"));
    const due = Date.parse((await shop.job()).next_at ?? "");
    await server.restart((due - server.time().getTime()) / 1000 + 3000);
    const [caughtUp, ...others] = await startedRuns(shop);
    assert.ok(caughtUp);
    assert.equal(others.length, 0);
    const { from, missed, more } = caughtUp.cause.catch_up ?? {};
    assert.deepEqual([Date.parse(from ?? ""), more], [due, false]);
    // Six slots in 3000 seconds; the last one is just due, unless the start took longer than its minute.
    assert.ok(missed === 5 || missed === 6, `${missed} were missed`);
    assert.equal((await server.ended(caughtUp)).status, "succeeded");
    await server.advance(1);
    assert.equal((await shop.runs()).length, 1);
  });
}
