import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "@lakehelm/testing/until";
import type { ConformanceServer } from "./conformance-server.ts";
import { rows, startedRuns } from "./test-connector.ts";

/** Work that was interrupted continues: nothing is lost or duplicated. */
export function recoveryTests(stage: ConformanceServer): void {
  test("a crash in the midst of a run: it is taken up again by itself", async (t) => {
    const shop = await stage.open(t);
    shop.put(rows("Ada"));
    await shop.runToEnd();
    shop.put(rows("Ada", "Bob", "Cleo"));
    const hold = shop.hold();
    const run = await shop.run();
    await hold.reached;
    await stage.crash();
    await hold.left;
    hold.release();
    const again = await until(async () => {
      const [newest] = await shop.runs();
      return newest?.status === "queued" ? newest : undefined;
    });
    assert.deepEqual([again.id, again.attempt], [run.id, 1]);
    await stage.passTo(again.not_before);
    const ended = await stage.ended(run);
    assert.deepEqual([ended.status, ended.attempt, ended.metrics.rows_inserted], ["succeeded", 2, 2]);
    assert.deepEqual(await shop.read(stage.client), rows("Ada", "Bob", "Cleo"));
  });

  test("a restart with a run under way and one in the queue: both are run to their end", async (t) => {
    const shop = await stage.open(t);
    shop.put(rows("Ada"));
    const hold = shop.hold();
    const first = await shop.run();
    await hold.reached;
    const second = await shop.run();
    const restarted = stage.restart();
    await hold.left;
    hold.release();
    await restarted;
    const ended = [await stage.ended(first), await stage.ended(second)];
    assert.deepEqual(
      ended.map(({ status, attempt }) => [status, attempt]),
      [
        ["succeeded", 1],
        ["succeeded", 1],
      ],
    );
    // Only the first run had something to do.
    assert.deepEqual(ended.map(({ metrics }) => metrics.rows_inserted).sort(), [0, 1]);
    assert.deepEqual(await shop.read(stage.client), rows("Ada"));
  });

  test("slots that were missed while nobody was there: one run stands for them, and tells it", async (t) => {
    const shop = await stage.open(t, { execution_mode: "batch", schedule_cron: "*/10 * * * *" });
    shop.put(rows("Ada"));
    const due = Date.parse((await shop.job()).next_at ?? "");
    await stage.restart((due - stage.time().getTime()) / 1000 + 3000);
    const [caughtUp, ...others] = await startedRuns(shop);
    assert.ok(caughtUp);
    assert.equal(others.length, 0);
    const { from, missed, more } = caughtUp.cause.catch_up ?? {};
    assert.deepEqual([Date.parse(from ?? ""), more], [due, false]);
    // Six slots in 3000 seconds; the last one is just due, unless the start took longer than its minute.
    assert.ok(missed === 5 || missed === 6, `${missed} were missed`);
    assert.equal((await stage.ended(caughtUp)).status, "succeeded");
    await stage.pass(1);
    assert.equal((await shop.runs()).length, 1);
  });
}
