import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "@lakehelm/testing/until";
import type { ConformanceServer } from "./conformance-server.ts";
import { rows } from "./test-connector.ts";

/** Runs that fail: cancelled, timed out, rejected. The target is unchanged. */
export function failureTests(stage: ConformanceServer): void {
  const cancel = (run_id: string) => stage.client.cancelRun({ params: { run_id } });

  test("a run that is cancelled stops its work, and leaves the target as it was", async (t) => {
    const shop = await stage.open(t);
    shop.put(rows("Ada"));
    await shop.runToEnd();
    shop.put(rows("Ada", "Bob"));
    const hold = shop.hold();
    const run = await shop.run();
    await hold.reached;
    const asked = await cancel(run.id);
    assert.equal(asked.cancelled?.by, "internal-service");
    await hold.left;
    assert.equal((await stage.ended(run)).status, "cancelled");
    assert.deepEqual(await shop.read(stage.client), rows("Ada"));
    hold.release();
    assert.equal((await shop.runToEnd()).status, "succeeded");
    assert.deepEqual(await shop.read(stage.client), rows("Ada", "Bob"));
  });

  test("a queued run is cancelled before it begins", async (t) => {
    const shop = await stage.open(t);
    shop.put(rows("Ada"));
    const hold = shop.hold();
    const first = await shop.run();
    await hold.reached;
    const second = await shop.run();
    assert.equal((await cancel(second.id)).status, "cancelled");
    hold.release();
    assert.equal((await stage.ended(first)).status, "succeeded");
    assert.equal((await stage.ended(second)).attempt, 0);
  });

  test("a run that takes too long is stopped, and says so", async (t) => {
    const shop = await stage.open(t);
    shop.put(rows("Ada"));
    const hold = shop.hold();
    const run = await shop.run();
    await hold.reached;
    await stage.pass(601);
    await hold.left;
    const { status, error } = await stage.ended(run);
    assert.deepEqual([status, error], ["failed", "It took longer than 600 s and was stopped."]);
    hold.release();
    assert.equal(await shop.read(stage.client), undefined);
  });

  test("what may pass is tried again, and then the error is told in words; the next success clears it", async (t) => {
    const shop = await stage.open(t);
    shop.put(rows("Ada"));
    const reason = shop.refuse("for now");
    const { attempts } = (await shop.job()).definition;
    assert.ok(attempts > 1);
    const run = await shop.run();
    for (let attempt = 1; attempt < attempts; attempt++) {
      const again = await waiting(run.id, attempt);
      assert.match(again.error ?? "", reason);
      await stage.passTo(again.not_before);
    }
    const failed = await stage.ended(run);
    assert.deepEqual([failed.status, failed.attempt], ["failed", attempts]);
    assert.match(failed.error ?? "", reason);
    const connector = await shop.now();
    assert.equal(connector.error_message, failed.error);
    assert.equal(connector.status, "active");
    assert.equal((await shop.job()).failures, 1);
    shop.mend();
    assert.equal((await shop.runToEnd()).status, "succeeded");
    assert.equal((await shop.now()).error_message, null);
    assert.equal((await shop.job()).failures, 0);
  });

  test("what stays wrong until somebody changes it is not tried again", async (t) => {
    const shop = await stage.open(t);
    const reason = shop.refuse("for good");
    const failed = await shop.runToEnd();
    assert.deepEqual([failed.status, failed.attempt], ["failed", 1]);
    const { lines } = await stage.client.readRunLog({ params: { run_id: failed.id } });
    assert.ok(lines.some(({ level, line }) => level === "error" && reason.test(line)));
  });

  /** The run, once it is back in the queue after an attempt. */
  const waiting = (run_id: string, attempt: number) =>
    until(async () => {
      const run = await stage.client.getRun({ params: { run_id } });
      assert.notEqual(run.status, "failed", run.error ?? "");
      return run.status === "queued" && run.attempt === attempt ? run : undefined;
    });
}
