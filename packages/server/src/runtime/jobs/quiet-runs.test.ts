import assert from "node:assert/strict";
import test, { describe } from "node:test";
import type { Run } from "@lakehelm/contract";
import { live } from "./job-steps.ts";
import { engines, type TestJobs, testJobs } from "./test-jobs.ts";

const rows = (inserted = 0): Run["metrics"] => ({
  rows_read: 3,
  rows_inserted: inserted,
  rows_updated: 0,
  rows_deleted: 0,
  rows_rejected: 0,
});

/** Runs the job once more, with these metrics at its end. */
async function runAgain(at: TestJobs, metrics: Run["metrics"]): Promise<void> {
  await at.advance(1);
  (await at.executor.next()).finish(metrics);
  await at.jobs.idle();
}

for (const engine of engines) {
  describe(engine, () => {
    test("runs of a live connector that move nothing have one record and one event", async (t) => {
      const at = await testJobs(t, { engine });
      await at.install(live);
      await runAgain(at, rows(5));
      for (let n = 0; n < 20; n++) await runAgain(at, rows());

      const [moved, quiet, ...others] = await at.runs();
      assert.deepEqual(others, []);
      assert.equal(moved?.quiet, undefined);
      assert.deepEqual(quiet?.quiet, { runs: 20, since: "2026-03-01T12:00:02.000Z" });
      assert.equal(quiet.ended_at, "2026-03-01T12:00:21.000Z");
      assert.deepEqual(await at.eventKinds(), ["run.succeeded", "run.succeeded"]);

      await runAgain(at, rows(1));
      await runAgain(at, rows());
      const all = await at.runs();
      assert.deepEqual(
        all.map((run) => run.quiet?.runs ?? 0),
        [0, 20, 0, 1],
        "a run that moves rows ends the series",
      );
      assert.equal((await at.eventKinds()).length, 4);
    });

    test("failures, and the success after them, are never folded", async (t) => {
      const at = await testJobs(t, { engine });
      const job = await at.install(live);
      await runAgain(at, rows());
      await at.advance(1);
      (await at.executor.next()).fail(new Error("no route to host"));
      await at.jobs.idle();
      await at.advance(300);
      (await at.executor.next()).finish(rows());
      await at.jobs.idle();
      assert.deepEqual(
        (await at.runs()).map(({ status, quiet }) => [status, quiet?.runs]),
        [
          ["succeeded", 1],
          ["failed", undefined],
          ["succeeded", undefined],
        ],
      );
      assert.deepEqual(await at.eventKinds(), ["run.succeeded", "run.failed", "run.succeeded"]);
      assert.equal((await at.jobs.rows.get(job))?.failures, 0);
    });

    // Without an event, nothing else tells the timer that the job is due again: it would look a minute later.
    test("a live job runs again at once after a run without an event", { timeout: 45_000 }, async (t) => {
      const at = await testJobs(t, { engine, realTime: true });
      t.after(async () => {
        const stopped = at.jobs.stop();
        for (const work of at.executor.started) work.fail(new Error("The test is over."));
        await stopped;
      });
      await at.install({ kind: "live", pause_seconds: 0, backoff_seconds: 1, max_backoff_seconds: 60 });
      at.jobs.start();
      for (let n = 0; n < 4; n++) (await at.executor.next()).finish(rows());
      assert.ok(await at.executor.next());
    });

    const everyMinute = { kind: "cron", cron: "* * * * *", timezone: "UTC" } as const;
    /** Runs the job at its next minute, with these metrics at its end. */
    async function runNextMinute(at: TestJobs, metrics: Run["metrics"]): Promise<void> {
      await at.advance(60);
      (await at.executor.next()).finish(metrics);
      await at.jobs.idle();
    }
    const all = ["run.queued", "run.started", "run.succeeded"];

    test("runs on a schedule that move nothing have one record, and the events of the first", async (t) => {
      const at = await testJobs(t, { engine });
      await at.install(everyMinute);
      for (let n = 0; n < 20; n++) await runNextMinute(at, rows());
      const [quiet, ...others] = await at.runs();
      assert.deepEqual([quiet?.quiet?.runs, others], [20, []]);
      assert.deepEqual(await at.eventKinds(), all);

      await runNextMinute(at, rows(3));
      assert.deepEqual(await at.eventKinds(), [...all, "run.succeeded"]);
      await runNextMinute(at, rows());
      assert.deepEqual(await at.eventKinds(), [...all, "run.succeeded", ...all]);
      assert.deepEqual(
        (await at.runs()).map((run) => run.quiet?.runs ?? 0),
        [20, 0, 1],
      );
    });

    test("a run after a quiet one that fails has its event, and the next one all of them", async (t) => {
      const at = await testJobs(t, { engine });
      await at.install(everyMinute);
      for (let n = 0; n < 2; n++) await runNextMinute(at, rows());
      await at.advance(60);
      (await at.executor.next()).fail(new Error("no route to host"));
      await at.jobs.idle();
      await runNextMinute(at, rows());
      assert.deepEqual(await at.eventKinds(), [...all, "run.failed", ...all]);
      assert.equal((await at.runs()).length, 3);
    });

    if (engine === "postgres")
      test("a server that has not seen the quiet run before announces the next one, and ends it with an event", async (t) => {
        const at = await testJobs(t, { engine });
        await at.install(everyMinute);
        await runNextMinute(at, rows());
        await runNextMinute(await at.another(), rows());
        assert.deepEqual(await at.eventKinds(), [...all, ...all]);
        assert.equal((await at.runs()).length, 1);
      });

    test("no run is folded of which somebody wants to know", async (t) => {
      const at = await testJobs(t, { engine });
      const notify = { on_success: ["alerts"], on_failure: [], on_recovery: [] };
      await at.install(everyMinute, { notify });
      for (let n = 0; n < 2; n++) await runNextMinute(at, rows());
      assert.equal((await at.runs()).length, 2);
      assert.deepEqual(await at.eventKinds(), [...all, ...all]);
    });

    test("runs that somebody starts are never folded", async (t) => {
      const at = await testJobs(t, { engine });
      const job = await at.install({ kind: "manual" });
      for (let n = 0; n < 2; n++) {
        await at.runNow(job);
        (await at.executor.next()).finish(rows());
        await at.jobs.idle();
      }
      assert.equal((await at.runs()).length, 2);
      assert.equal((await at.eventKinds()).length, 6);
    });
  });
}
