import assert from "node:assert/strict";
import test, { describe } from "node:test";
import { query } from "../../testing/store.ts";
import type { Executor } from "./executor.ts";
import type { Trigger } from "./job-steps.ts";
import { brief, engines, testJobs } from "./test-jobs.ts";

const daily: Trigger = { kind: "cron", cron: "0 6 * * *", timezone: "UTC" };
const everyMinute: Trigger = { kind: "cron", cron: "* * * * *", timezone: "UTC" };
const startAt = "2026-03-01T05:00:00.000Z";

for (const engine of engines) {
  describe(engine, () => {
    test("a schedule queues one run per slot, when it is due", async (t) => {
      const { advanceTo, install, runs, jobs, eventKinds } = await testJobs(t, { engine, startAt });
      const id = await install(daily);

      await advanceTo("2026-03-01T05:59:59.999Z");
      assert.deepEqual(await runs(), []);
      await advanceTo("2026-03-01T06:00:00.040Z");
      await advanceTo("2026-03-01T06:00:01.000Z");

      const [run, ...others] = await runs();
      assert.ok(run);
      assert.deepEqual(others, []);
      assert.deepEqual(run.cause, { trigger: "cron", by: null, time: "2026-03-01T06:00:00.000Z" });
      assert.equal(run.queued_at, "2026-03-01T06:00:00.040Z");
      assert.equal((await jobs.views.get(id))?.next_at, "2026-03-02T06:00:00.000Z");
      assert.deepEqual(await eventKinds(), ["run.queued", "run.started"]);
    });

    test("a slot is skipped with a reason while the previous run is running; the next slot runs", async (t) => {
      const { advanceTo, install, runs, executor, jobs, eventKinds } = await testJobs(t, { engine, startAt });
      await install(everyMinute);
      await advanceTo("2026-03-01T05:01:00.000Z");
      await advanceTo("2026-03-01T05:02:00.000Z");
      (await executor.next()).finish();
      await jobs.idle();
      await advanceTo("2026-03-01T05:03:00.000Z");

      const all = await runs();
      assert.deepEqual(all.map(brief), [
        "succeeded 2026-03-01T05:01:00.000Z 1",
        "skipped 2026-03-01T05:02:00.000Z 0",
        "running 2026-03-01T05:03:00.000Z 1",
      ]);
      assert.match(all[1]?.error ?? "", /still running/);
      assert.equal((await eventKinds()).filter((kind) => kind === "run.skipped").length, 1);
    });

    test("a run that catches up is not skipped: it waits for the run that the outage held up", async (t) => {
      const { advanceTo, install, runs, executor } = await testJobs(t, { engine, startAt });
      await install(everyMinute);
      await advanceTo("2026-03-01T05:01:00.000Z");
      const held = await executor.next();
      await advanceTo("2026-03-01T05:03:00.000Z");
      await advanceTo("2026-03-01T05:03:59.000Z");
      assert.equal((await runs()).at(-1)?.status, "skipped", "it is on time");
      await install({ ...daily, cron: "30 5 * * *" }, {}, "connector-2");
      await advanceTo("2026-03-01T05:30:00.000Z");
      const before = (await runs()).filter(({ job_id }) => job_id === "connector-2").map(brief);
      assert.deepEqual(before, ["running 2026-03-01T05:30:00.000Z 1"]);
      await advanceTo("2026-03-02T05:31:30.000Z");
      const after = (await runs()).filter(({ job_id }) => job_id === "connector-2").map(brief);
      assert.deepEqual(after, [...before, "queued 2026-03-02T05:30:00.000Z 0"]);
      held.finish();
    });

    test("a job with overlapping runs skips no slot", async (t) => {
      const { advanceTo, install, runs } = await testJobs(t, { engine, startAt });
      await install(everyMinute, { overlap: true });
      await advanceTo("2026-03-01T05:01:00.000Z");
      await advanceTo("2026-03-01T05:02:00.000Z");
      assert.deepEqual(
        (await runs()).map(({ status }) => status),
        ["running", "running"],
      );
    });

    test("a paused server queues no slot, starts no run, and catches up once it is resumed", async (t) => {
      let isPaused = true;
      const options = { engine, startAt, isPaused: () => isPaused, mayRun: () => !isPaused };
      const { advanceTo, install, runs, runNow, eventKinds } = await testJobs(t, options);
      await runNow(await install(daily, { overlap: true }));
      await advanceTo("2026-03-01T06:00:01.000Z");
      assert.deepEqual(
        (await runs()).map(({ status, cause }) => [status, cause.trigger]),
        [["queued", "manual"]],
      );
      isPaused = false;
      await advanceTo("2026-03-01T06:00:02.000Z");
      assert.deepEqual(await eventKinds(), ["run.queued", "run.queued", "run.started", "run.started"]);
    });

    test("slots missed while no server was running get one catch-up run", async (t) => {
      const { advanceTo, install, runs, eventKinds } = await testJobs(t, { engine, startAt });
      await install(daily);
      await advanceTo("2026-03-04T09:00:00.000Z");
      await advanceTo("2026-03-04T09:00:01.000Z");

      const [run, ...others] = await runs();
      assert.deepEqual(others, []);
      assert.deepEqual(run?.cause, {
        trigger: "cron",
        by: null,
        time: "2026-03-04T06:00:00.000Z",
        catch_up: {
          missed: 4,
          more: false,
          from: "2026-03-01T06:00:00.000Z",
          to: "2026-03-04T06:00:00.000Z",
        },
      });
      assert.deepEqual(await eventKinds(), ["job.missed", "run.queued", "run.started"]);
    });

    test("a slot that is due now does not count as missed", async (t) => {
      const { advanceTo, install, runs } = await testJobs(t, { engine, startAt });
      await install(daily);
      await advanceTo("2026-03-03T06:00:02.000Z");
      assert.deepEqual((await runs())[0]?.cause.catch_up, {
        missed: 2,
        more: false,
        from: "2026-03-01T06:00:00.000Z",
        to: "2026-03-02T06:00:00.000Z",
      });
    });

    test("a paused schedule runs nothing, counts the missed slots and does not catch up on them", async (t) => {
      const { advanceTo, install, runs, jobs, deps, context, eventKinds } = await testJobs(t, {
        engine,
        startAt,
      });
      const id = await install(daily);
      const { steps, events } = jobs.steps.pause(id, { reason: "migration", until: null }, context());
      await deps.store.apply({ context: context(), steps, events });
      await advanceTo("2026-03-02T06:00:00.100Z");
      await advanceTo("2026-03-03T06:00:00.100Z");

      assert.deepEqual((await jobs.views.get(id))?.paused, {
        by: "ada",
        at: startAt,
        reason: "migration",
        until: null,
        missed: 3,
        last_missed: "2026-03-03T06:00:00.000Z",
      });
      await deps.store.apply({ context: context(), ...jobs.steps.resume(id, context()) });
      await advanceTo("2026-03-03T06:00:01.000Z");
      assert.deepEqual(await runs(), []);
      assert.equal((await jobs.views.get(id))?.paused, null);
      await advanceTo("2026-03-04T06:00:00.000Z");
      assert.deepEqual((await runs()).map(brief), ["running 2026-03-04T06:00:00.000Z 1"]);
      assert.deepEqual(await eventKinds(), ["job.paused", "job.resumed", "run.queued", "run.started"]);
    });

    test("an inactive environment gets no runs of a schedule, and does not catch up on them; a running one finishes", async (t) => {
      let active = true;
      const isActive = async () => active;
      const { advanceTo, install, runs, executor, jobs } = await testJobs(t, { engine, startAt, isActive });
      const id = await install(everyMinute);
      await advanceTo("2026-03-01T05:01:00.000Z");
      active = false;
      (await executor.next()).finish();
      await jobs.idle();
      await advanceTo("2026-03-01T05:02:00.000Z");
      await advanceTo("2026-03-01T05:09:30.000Z");
      assert.deepEqual((await runs()).map(brief), ["succeeded 2026-03-01T05:01:00.000Z 1"]);
      assert.equal((await jobs.views.get(id))?.next_at, "2026-03-01T05:10:00.000Z");
      active = true;
      await advanceTo("2026-03-01T05:10:00.000Z");
      assert.deepEqual((await runs()).map(brief), [
        "succeeded 2026-03-01T05:01:00.000Z 1",
        "running 2026-03-01T05:10:00.000Z 1",
      ]);
    });

    test("a live job of an inactive environment starts again within a minute after it is active", async (t) => {
      let active = true;
      const isActive = async () => active;
      const { advanceTo, install, runs, executor, jobs } = await testJobs(t, { engine, startAt, isActive });
      await install({ kind: "live", pause_seconds: 0, backoff_seconds: 1, max_backoff_seconds: 60 });
      await advanceTo("2026-03-01T05:00:01.000Z");
      active = false;
      (await executor.next()).finish();
      await jobs.idle();
      await advanceTo("2026-03-01T05:10:00.000Z");
      assert.deepEqual(
        (await runs()).map(({ status }) => status),
        ["succeeded"],
      );
      active = true;
      await advanceTo("2026-03-01T05:11:00.000Z");
      assert.deepEqual(
        (await runs()).map(({ status }) => status),
        ["succeeded", "running"],
      );
    });

    test("an expired pause ends automatically with an event", async (t) => {
      const { advanceTo, install, runs, jobs, deps, context, eventKinds } = await testJobs(t, {
        engine,
        startAt,
      });
      const id = await install(daily);
      const until = "2026-03-02T12:00:00.000Z";
      await deps.store.apply({
        context: context(),
        ...jobs.steps.pause(id, { reason: null, until }, context()),
      });

      await advanceTo("2026-03-02T12:00:00.000Z");
      assert.equal((await jobs.views.get(id))?.paused, null);
      assert.deepEqual(await runs(), []);
      await advanceTo("2026-03-03T06:00:00.000Z");
      assert.deepEqual((await runs()).map(brief), ["running 2026-03-03T06:00:00.000Z 1"]);
      assert.deepEqual(await eventKinds(), ["job.paused", "job.resumed", "run.queued", "run.started"]);
    });

    test("after downtime, slots after the end of a pause are caught up and slots during it are not", async (t) => {
      const { advanceTo, install, runs, jobs, deps, context } = await testJobs(t, { engine, startAt });
      const id = await install(daily);
      const until = "2026-03-02T06:00:00.000Z";
      await deps.store.apply({
        context: context(),
        ...jobs.steps.pause(id, { reason: null, until }, context()),
      });

      await advanceTo("2026-03-05T09:00:00.000Z");
      const [run, ...others] = await runs();
      assert.deepEqual(others, []);
      assert.deepEqual(run?.cause.catch_up, {
        missed: 3,
        more: false,
        from: "2026-03-03T06:00:00.000Z",
        to: "2026-03-05T06:00:00.000Z",
      });
      const [resumed] = await query(deps.store, "select body from pending_events where kind = 'job.resumed'");
      assert.match(String(resumed?.body), /"missed":2,"last_missed":"2026-03-02T06:00:00.000Z"/);
    });

    test("a second pause replaces the first", async (t) => {
      const { advanceTo, install, jobs, deps, context } = await testJobs(t, { engine, startAt });
      const id = await install(daily);
      const pause = (reason: string, until: string) =>
        deps.store.apply({ context: context(), ...jobs.steps.pause(id, { reason, until }, context()) });
      await pause("one", "2026-03-02T12:00:00.000Z");
      await pause("two", "2026-03-03T12:00:00.000Z");
      await advanceTo("2026-03-02T12:00:00.000Z");
      assert.equal((await jobs.views.get(id))?.paused?.reason, "two");
      await advanceTo("2026-03-03T12:00:00.000Z");
      assert.equal((await jobs.views.get(id))?.paused, null);
    });

    test("a new definition takes effect immediately, and a pause is kept", async (t) => {
      const { advanceTo, install, runs, jobs, deps, context } = await testJobs(t, { engine, startAt });
      const id = await install(daily);
      await deps.store.apply({
        context: context(),
        ...jobs.steps.pause(id, { reason: "later", until: null }, context()),
      });
      await install({ ...daily, cron: "0 7 * * *" }, {}, id);

      const job = await jobs.views.get(id);
      assert.equal(job?.next_at, "2026-03-01T07:00:00.000Z");
      assert.equal(job?.paused?.reason, "later");
      await advanceTo("2026-03-01T07:00:00.000Z");
      assert.deepEqual(await runs(), []);
    });

    test("installing an unchanged job again does not lose a due slot", async (t) => {
      const { advanceTo, install, runs, deps } = await testJobs(t, { engine, startAt });
      const id = await install(daily);
      deps.system.advance(Date.parse("2026-03-01T06:00:00.500Z") - Date.parse(startAt));
      await install(daily, {}, id);
      await advanceTo("2026-03-01T06:00:01.000Z");
      assert.deepEqual((await runs()).map(brief), ["running 2026-03-01T06:00:00.000Z 1"]);
    });

    test("removing a job cancels its queued run and stops its running one", async (t) => {
      const { advanceTo, install, runs, jobs, executor, deps, context } = await testJobs(t, {
        engine,
        startAt,
        settings: { PLATFORM_RUNS_AT_ONCE: "1" },
      });
      const ids = [await install(everyMinute), await install(everyMinute)];
      await advanceTo("2026-03-01T05:01:00.000Z");
      for (const id of ids)
        await deps.store.apply({ context: context(), steps: jobs.steps.remove(id, context()), events: [] });
      await advanceTo("2026-03-01T05:02:00.000Z");
      const work = await executor.next();
      assert.equal(work.signal.aborted, true);
      work.fail(new Error("stopped"));
      await jobs.idle();
      await advanceTo("2026-03-01T05:03:00.000Z");

      assert.deepEqual(
        (await runs()).map(({ status }) => status),
        ["cancelled", "cancelled"],
      );
      assert.deepEqual(await query(deps.store, "select id from jobs"), []);
    });

    test("no slot runs twice after the clock was set back", async (t) => {
      const { advanceTo, install, runs, jobs, executor, deps } = await testJobs(t, { engine, startAt });
      const id = await install(daily);
      await advanceTo("2026-03-01T06:00:00.000Z");
      (await executor.next()).finish();
      await jobs.idle();
      deps.system.advance(-600_000);
      await install({ ...daily, timezone: "Etc/UTC" }, {}, id);
      await advanceTo("2026-03-01T06:00:00.000Z");
      await advanceTo("2026-03-02T06:00:00.000Z");
      assert.deepEqual((await runs()).map(brief), [
        "succeeded 2026-03-01T06:00:00.000Z 1",
        "running 2026-03-02T06:00:00.000Z 1",
      ]);
    });
  });
}

test("with two servers, each slot has one run and each run one server", async (t) => {
  const started: string[][] = [[], []];
  const recordingExecutor = (n: number): Executor => ({
    async execute({ id }) {
      started[n]?.push(id);
      return { metrics: {} };
    },
  });
  const first = await testJobs(t, { engine: "postgres", startAt, executor: recordingExecutor(0) });
  const second = await first.another({ executor: recordingExecutor(1) });
  for (let n = 0; n < 30; n++) await first.install(everyMinute, {}, `connector-r${n}`);

  for (let minute = 1; minute <= 3; minute++) {
    first.deps.system.advance(60_000);
    // Each server works on four runs at once: the others follow.
    for (let round = 0; round < 12; round++) {
      await Promise.all([first.jobs.tick(), second.jobs.tick(), first.jobs.tick()]);
      await Promise.all([first.jobs.idle(), second.jobs.idle()]);
    }
  }

  const runs = await first.runs();
  assert.equal(new Set(runs.map(({ job_id, cause }) => `${job_id} ${cause.time}`)).size, 90);
  assert.deepEqual(
    new Set(runs.map(({ status, attempt }) => `${status} ${attempt}`)),
    new Set(["succeeded 1"]),
  );
  assert.equal(runs.length, 90);
  assert.equal(new Set(started.flat()).size, 90);
  assert.equal(started.flat().length, 90);
  for (const some of started) assert.ok(some.length > 0);
});
