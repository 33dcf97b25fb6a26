import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "@lakehelm/testing/until";
import type { ConformanceServer } from "./conformance-server.ts";
import { rows } from "./test-connector.ts";

/** Runs that fail: cancelled, timed out, rejected. The target is unchanged. */
export function failureTests(server: ConformanceServer): void {
  const { ownScheduler } = server.harness.capabilities;
  const cancel = (run_id: string) => server.client.cancelRun({ params: { run_id } });

  test("a cancelled run stops and leaves the target unchanged", async (t) => {
    const shop = await server.open(t);
    await shop.put(rows("Ada"));
    await shop.runToEnd();
    await shop.put(rows("Ada", "Bob"));
    const hold = shop.hold();
    const run = await shop.run();
    await hold.reached;
    const requested = await cancel(run.id);
    assert.equal(requested.cancelled?.by, "internal-service");
    await hold.left;
    assert.equal((await server.ended(run)).status, "cancelled");
    assert.deepEqual(await shop.read(server.client), rows("Ada"));
    hold.release();
    assert.equal((await shop.runToEnd()).status, "succeeded");
    assert.deepEqual(await shop.read(server.client), rows("Ada", "Bob"));
  });

  test("a run that waits for another one can be cancelled", async (t) => {
    const shop = await server.open(t);
    await shop.put(rows("Ada"));
    const hold = shop.hold();
    const first = await shop.run();
    await hold.reached;
    const second = await shop.run();
    await cancel(second.id);
    const { status, attempt } = await server.ended(second);
    assert.equal(status, "cancelled");
    if (ownScheduler) assert.equal(attempt, 0);
    hold.release();
    assert.equal((await server.ended(first)).status, "succeeded");
  });

  test("a run that exceeds its timeout is stopped with an error", {
    skip: !ownScheduler,
  }, async (t) => {
    const shop = await server.open(t);
    await shop.put(rows("Ada"));
    const hold = shop.hold();
    const run = await shop.run();
    await hold.reached;
    await server.advance(601);
    await hold.left;
    const { status, error } = await server.ended(run);
    assert.deepEqual([status, error], ["failed", "It took longer than 600 s and was stopped."]);
    hold.release();
    assert.equal(await shop.read(server.client), undefined);
  });

  test("a retryable error is retried until the run fails; the next success clears the error", {
    skip: !ownScheduler,
  }, async (t) => {
    const shop = await server.open(t);
    await shop.put(rows("Ada"));
    const reason = await shop.failReads("retryable");
    const { attempts } = (await shop.job()).definition;
    assert.ok(attempts > 1);
    const run = await shop.run();
    for (let attempt = 1; attempt < attempts; attempt++) {
      const again = await waiting(run.id, attempt);
      assert.match(again.error ?? "", reason);
      const { status, error_message } = await shop.now();
      assert.deepEqual(
        [status, error_message],
        ["active", null],
        "an attempt that is repeated is no failure",
      );
      await server.advanceTo(again.not_before);
    }
    const failed = await server.ended(run);
    assert.deepEqual([failed.status, failed.attempt], ["failed", attempts]);
    assert.match(failed.error ?? "", reason);
    const connector = await shop.now();
    assert.equal(connector.error_message, failed.error);
    assert.equal(connector.status, "failing");
    assert.equal((await shop.job()).failures, 1);
    await shop.restore();
    assert.equal((await shop.runToEnd()).status, "succeeded");
    const { status, error_message } = await shop.now();
    assert.deepEqual([status, error_message], ["active", null]);
    assert.equal((await shop.job()).failures, 0);
  });

  test("a permanent error is not retried, except by a user", async (t) => {
    const shop = await server.open(t);
    const reason = await shop.failReads("permanent");
    const failed = await shop.runToEnd();
    assert.deepEqual([failed.status, failed.attempt], ["failed", 1]);
    const { lines } = await server.client.readRunLog({ params: { run_id: failed.id } });
    assert.ok(lines.some(({ level, line }) => level === "error" && reason.test(line)));
    assert.equal((await shop.now()).status, "failing");
    await shop.restore();
    await shop.put(rows("Ada"));
    const retried = await server.client.retryRun({ params: { run_id: failed.id } });
    assert.equal(retried.cause.retry_of, failed.id);
    assert.equal((await server.ended(retried)).status, "succeeded");
    const { status, error_message } = await shop.now();
    assert.deepEqual([status, error_message], ["active", null]);
  });

  /** The run, once it is back in the queue after an attempt. */
  const waiting = (run_id: string, attempt: number) =>
    until(async () => {
      const run = await server.client.getRun({ params: { run_id } });
      assert.notEqual(run.status, "failed", run.error ?? "");
      return run.status === "queued" && run.attempt === attempt ? run : undefined;
    });
}
