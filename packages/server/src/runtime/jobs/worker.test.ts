import assert from "node:assert/strict";
import test, { describe } from "node:test";
import { until } from "@lakehelm/testing/until";
import { StateUnavailable } from "../../core/errors.ts";
import { run } from "../../testing/store.ts";
import { live, type Trigger } from "./job-steps.ts";
import { brief, engines, retryableError, testJobs } from "./test-jobs.ts";

const manual: Trigger = { kind: "manual" };

for (const engine of engines) {
  describe(engine, () => {
    test("a run succeeds with its metrics, its lines and its events", async (t) => {
      const at = await testJobs(t, { engine });
      const { jobs, executor, advance, eventKinds } = at;
      const { id } = await at.runNow(await at.install(manual));
      const work = await executor.next();
      work.line("info", "43 rows\0 moved");
      work.progress({ read: 20 });
      await advance(2);
      assert.deepEqual((await jobs.rules.read(id)).metrics, { read: 20 });
      work.finish({ read: 43, watermark: "2026-03-01" });
      await jobs.idle();

      const ended = await jobs.rules.read(id);
      assert.equal(brief(ended), "succeeded 2026-03-01T12:00:00.000Z 1");
      assert.equal(ended.started_at, "2026-03-01T12:00:00.000Z");
      assert.equal(ended.ended_at, "2026-03-01T12:00:02.000Z");
      assert.deepEqual(ended.metrics, { read: 43, watermark: "2026-03-01" });
      assert.deepEqual(await at.lines(id), ["info: 43 rows␀ moved"]);
      assert.deepEqual(await eventKinds(), ["run.queued", "run.started", "run.succeeded"]);
    });

    test("queued runs of one job start in order", async (t) => {
      const at = await testJobs(t, { engine, settings: { PLATFORM_RUNS_AT_ONCE: "40" } });
      const { jobs, executor } = at;
      const queued: string[] = [];
      for (let n = 0; n < 10; n++) {
        const job = await jobs.rows.get(await at.install(manual));
        assert.ok(job);
        for (const order of ["first", "second", "third"]) {
          const { id } = await jobs.rules.runNow(
            job,
            { reason: order },
            { context: at.context(), saveAnswer: () => [] },
          );
          if (order === "first") queued.push(id);
        }
      }
      await jobs.tick();
      const running = (await at.runs()).filter(({ status }) => status === "running");
      assert.deepEqual(running.map(({ id }) => id).sort(), queued.sort());
      for (const _ of running) (await executor.next()).finish({});
      await jobs.idle();
    });

    test("a retryable error is retried with backoff, and the run fails after the last attempt", async (t) => {
      const at = await testJobs(t, { engine });
      const { jobs, executor, advance, runs } = at;
      const job = await at.install(manual, { attempts: 3, backoff_seconds: 10, max_backoff_seconds: 15 });
      const { id } = await at.runNow(job);
      const waits: number[] = [];
      for (const attempt of [1, 2]) {
        (await executor.next()).fail(retryableError(`rejected ${attempt}`));
        await jobs.idle();
        const { status, not_before, error } = await jobs.rules.read(id);
        assert.deepEqual([status, error], ["queued", `rejected ${attempt}`]);
        waits.push((Date.parse(not_before ?? "") - at.deps.system.now().getTime()) / 1000);
        await advance(waits.at(-1) as number);
      }
      (await executor.next()).fail(retryableError("rejected 3"));
      await jobs.idle();

      const [first = 0, second = 0] = waits;
      assert.ok(first >= 5 && first <= 10, `${first}`);
      assert.ok(second >= 7.5 && second <= 15, `${second}`);
      const [only] = await runs();
      assert.deepEqual([only?.status, only?.attempt, only?.error], ["failed", 3, "rejected 3"]);
      assert.match(
        (await at.lines(id))[0] ?? "",
        /^warn: Attempt 1 failed; the next one starts in .* s: rejected 1$/,
      );
      assert.equal((await jobs.views.get(job))?.failures, 1);
      // Each retry is in the record and in the event log.
      const retries = only?.metrics.retries as { attempt: number; error: string; at: string }[];
      assert.deepEqual(
        retries.map(({ attempt, error }) => `${attempt} ${error}`),
        ["1 rejected 1", "2 rejected 2"],
      );
      const started = ["run.started", "run.retried"];
      const kinds = ["run.queued", ...started, ...started, "run.started", "run.failed"];
      assert.deepEqual(await at.eventKinds(), kinds);
    });

    test("the record of a run that succeeds in the end lists its last 20 retries, with short errors", async (t) => {
      const at = await testJobs(t, { engine });
      const { jobs, executor, advance } = at;
      const job = await at.install(manual, { attempts: 30, backoff_seconds: 0 });
      const { id } = await at.runNow(job);
      for (let attempt = 1; attempt < 25; attempt++) {
        const work = await executor.next();
        work.progress({ read: attempt });
        work.fail(retryableError("x".repeat(10_000)));
        await jobs.idle();
        await advance(1);
      }
      (await executor.next()).finish({ read: 43 });
      await jobs.idle();
      const { status, error, metrics, attempt } = await jobs.rules.read(id);
      assert.deepEqual([status, error, metrics.read, attempt], ["succeeded", null, 43, 25]);
      const retries = metrics.retries as { attempt: number; error: string }[];
      assert.deepEqual([retries.length, retries[0]?.attempt, retries.at(-1)?.attempt], [20, 5, 24]);
      assert.ok(retries.every((retry) => retry.error.length < 600));
    });

    test("a run that fails because the database is away is retried, and that attempt does not count", async (t) => {
      const at = await testJobs(t, { engine });
      const { id } = await at.runNow(await at.install(manual, { attempts: 1 }));
      const away = new StateUnavailable("The database is unreachable.", new Error("read ECONNRESET"));
      (await at.executor.next()).fail(new Error("The settings were not read.", { cause: away }));
      await at.jobs.idle();
      const [waiting] = await at.runs();
      assert.deepEqual([waiting?.id, waiting?.status, waiting?.attempt], [id, "queued", 0]);
      await at.advance(300);
      (await at.executor.next()).finish();
      await at.jobs.idle();
      assert.equal((await at.runs())[0]?.status, "succeeded");
    });

    test("a permanent error fails the run immediately", async (t) => {
      const at = await testJobs(t, { engine });
      const { id } = await at.runNow(await at.install(manual));
      (await at.executor.next()).fail(new Error('The column "note" of orders is missing.'));
      await at.jobs.idle();
      const { status, attempt, error } = await at.jobs.rules.read(id);
      assert.deepEqual([status, attempt, error], ["failed", 1, 'The column "note" of orders is missing.']);
      assert.deepEqual(await at.eventKinds(), ["run.queued", "run.started", "run.failed"]);
    });

    test("a cancelled run is running until its work has stopped", async (t) => {
      const at = await testJobs(t, { engine });
      const { jobs, executor, context } = at;
      const { id } = await at.runNow(await at.install(manual));
      const work = await executor.next();
      const requested = await jobs.rules.cancel(id, context());
      assert.deepEqual(requested.cancelled, { by: "ada", at: context().time });
      assert.equal(work.signal.aborted, true);
      assert.equal((await jobs.rules.read(id)).status, "running");
      work.fail(new Error("stopped"));
      await jobs.idle();

      const { status, error } = await jobs.rules.read(id);
      assert.deepEqual([status, error], ["cancelled", null]);
      assert.deepEqual(await at.eventKinds(), ["run.queued", "run.started", "run.cancelled"]);
    });

    test("a queued run is cancelled immediately; an ended run cannot be cancelled", async (t) => {
      const at = await testJobs(t, { engine, mayRun: () => false });
      const { id } = await at.runNow(await at.install(manual));
      assert.equal((await at.jobs.rules.cancel(id, at.context())).status, "cancelled");
      assert.equal((await at.jobs.rules.cancel(id, at.context())).status, "cancelled");
      const other = await at.runNow(await at.install(manual));
      await run(at.deps.store, `update runs set status = 'succeeded' where id = '${other.id}'`);
      await assert.rejects(at.jobs.rules.cancel(other.id, at.context()), /has already ended \(succeeded\)/);
      assert.equal(at.executor.started.length, 0);
    });

    test("an attempt that takes too long is stopped and fails", async (t) => {
      const at = await testJobs(t, { engine });
      const { id } = await at.runNow(await at.install(manual, { timeout_seconds: 60 }));
      const work = await at.executor.next();
      await at.advance(59);
      assert.equal(work.signal.aborted, false);
      await at.advance(1);
      assert.equal(work.signal.aborted, true);
      work.fail(retryableError("stopped"));
      await at.jobs.idle();
      const { status, error } = await at.jobs.rules.read(id);
      assert.deepEqual([status, error], ["failed", "It took longer than 60 s and was stopped."]);
    });

    test("two runs of one job run one after the other", async (t) => {
      const at = await testJobs(t, { engine });
      const job = await at.install(manual);
      await at.runNow(job);
      const { id } = await at.runNow(job);
      const work = await at.executor.next();
      await at.advance(1);
      assert.equal((await at.jobs.rules.read(id)).status, "queued");
      work.finish();
      await at.jobs.idle();
      await at.advance(1);
      assert.equal((await at.executor.next()).run.id, id);
    });

    test("a server runs at most PLATFORM_RUNS_AT_ONCE runs, and only in its environments", async (t) => {
      const allowed = new Set<string>();
      const at = await testJobs(t, {
        engine,
        settings: { PLATFORM_RUNS_AT_ONCE: "2" },
        mayRun: () => allowed,
      });
      for (const id of [await at.install(manual), await at.install(manual), await at.install(manual)]) {
        await at.runNow(id);
      }
      const statuses = async () => (await at.runs()).map(({ status }) => status);
      assert.deepEqual(await statuses(), ["queued", "queued", "queued"]);
      allowed.add(at.environmentId);
      await at.advance(1);
      assert.deepEqual(await statuses(), ["running", "running", "queued"]);
    });

    test("an attempt that fails because its server may no longer run it does not count", async (t) => {
      let may = true;
      const at = await testJobs(t, { engine, mayRun: () => may });
      const { id } = await at.runNow(await at.install(manual));
      const work = await at.executor.next();

      may = false;
      work.fail(new Error("The engine was stopped."));
      await at.jobs.idle();

      const { status, error } = await at.jobs.rules.read(id);
      assert.deepEqual([status, error], ["queued", null]);
      may = true;
      await at.advance(1);
      assert.equal((await at.executor.next()).run.attempt, 1);
    });

    test("an executor that throws synchronously fails its run", async (t) => {
      const broken = () => {
        throw new Error("Jobs of the kind connector cannot be run here.");
      };
      const at = await testJobs(t, { engine, executor: { execute: broken } });
      const { id } = await at.runNow(await at.install(manual));
      await at.jobs.idle();
      const { status, error } = await at.jobs.rules.read(id);
      assert.deepEqual([status, error], ["failed", "Jobs of the kind connector cannot be run here."]);
    });

    test("a live job runs again after a pause, which grows while it fails", async (t) => {
      const at = await testJobs(t, { engine });
      const job = await at.install(live);
      const rests: number[] = [];
      async function end(how: "finish" | "fail"): Promise<void> {
        const work = await at.executor.next();
        if (how === "finish") work.finish();
        else work.fail(new Error("no connection"));
        await at.jobs.idle();
        const next = Date.parse((await at.jobs.views.get(job))?.next_at ?? "");
        rests.push((next - at.deps.system.now().getTime()) / 1000);
        await at.advance(rests.at(-1) as number);
      }
      await at.advance(0);
      await end("finish");
      for (let n = 0; n < 10; n++) await end("fail");
      const [afterSuccess, first = 0, second = 0, third = 0] = rests;
      assert.equal(afterSuccess, 1);
      assert.ok(
        first >= 0.5 && first <= 1 && second >= 1 && second <= 2 && third >= 2 && third <= 4,
        `${rests}`,
      );
      const last = rests.at(-1) as number;
      assert.ok(last >= 150 && last <= 300, `${rests}`);
      await end("finish");
      assert.equal(rests.at(-1), 1);
      assert.equal((await at.runs()).length, 13);
    });

    test("a paused live job does not run until it is resumed", async (t) => {
      const at = await testJobs(t, { engine });
      const { jobs, deps, context } = at;
      const job = await at.install(live);
      await at.advance(0);
      await deps.store.apply({
        context: context(),
        ...jobs.steps.pause(job, { reason: null, until: null }, context()),
      });
      (await at.executor.next()).finish();
      await jobs.idle();
      await at.advance(10);
      assert.equal((await at.runs()).length, 1);
      await deps.store.apply({ context: context(), ...jobs.steps.resume(job, context()) });
      await at.advance(1);
      assert.equal((await at.runs()).length, 2);
    });
  });
}

test("the timers start a run at each slot of a job", async (t) => {
  const at = await testJobs(t, { engine: "sqlite", realTime: true });
  at.jobs.start();
  t.after(() => at.jobs.stop());
  await at.install({ kind: "cron", cron: "* * * * * *", timezone: "UTC" });
  const first = await at.executor.next();
  assert.match(first.run.cause.time, /\.000Z$/);
  first.finish();
  (await at.executor.next()).finish();
  await until(async () => (await at.runs()).filter(({ status }) => status === "succeeded").length === 2);
});
