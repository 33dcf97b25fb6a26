import assert from "node:assert/strict";
import test, { describe } from "node:test";
import { query } from "../../testing/store.ts";
import type { Trigger } from "./definition.ts";
import type { Executor } from "./executor.ts";
import { brief, engines, testJobs } from "./test-jobs.ts";

const daily: Trigger = { kind: "cron", cron: "0 6 * * *", timezone: "UTC" };
const everyMinute: Trigger = { kind: "cron", cron: "* * * * *", timezone: "UTC" };
const startAt = "2026-03-01T05:00:00.000Z";

for (const engine of engines) {
  describe(engine, () => {
    test("a schedule queues one run for its slot, and none before", async (t) => {
      const { at, install, runs, jobs, told } = await testJobs(t, { engine, startAt });
      const id = await install(daily);

      await at("2026-03-01T05:59:59.999Z");
      assert.deepEqual(await runs(), []);
      await at("2026-03-01T06:00:00.040Z");
      await at("2026-03-01T06:00:01.000Z");

      const [run, ...others] = await runs();
      assert.ok(run);
      assert.deepEqual(others, []);
      assert.deepEqual(run.cause, { trigger: "cron", by: null, time: "2026-03-01T06:00:00.000Z" });
      assert.equal(run.queued_at, "2026-03-01T06:00:00.040Z");
      assert.equal((await jobs.views.get(id))?.next_at, "2026-03-02T06:00:00.000Z");
      assert.deepEqual(await told(), ["run.queued", "run.started"]);
    });

    test("a slot is skipped, and says why, while the run before goes on; the next one is not", async (t) => {
      const { at, install, runs, executor, jobs, told } = await testJobs(t, { engine, startAt });
      await install(everyMinute);
      await at("2026-03-01T05:01:00.000Z");
      await at("2026-03-01T05:02:00.000Z");
      (await executor.next()).finish();
      await jobs.idle();
      await at("2026-03-01T05:03:00.000Z");

      const all = await runs();
      assert.deepEqual(all.map(brief), [
        "succeeded 2026-03-01T05:01:00.000Z 1",
        "skipped 2026-03-01T05:02:00.000Z 0",
        "running 2026-03-01T05:03:00.000Z 1",
      ]);
      assert.match(all[1]?.error ?? "", /still running/);
      assert.equal((await told()).filter((kind) => kind === "run.skipped").length, 1);
    });

    test("a job that lets its runs overlap skips nothing", async (t) => {
      const { at, install, runs } = await testJobs(t, { engine, startAt });
      await install(everyMinute, { overlap: true });
      await at("2026-03-01T05:01:00.000Z");
      await at("2026-03-01T05:02:00.000Z");
      assert.deepEqual(
        (await runs()).map(({ status }) => status),
        ["running", "running"],
      );
    });

    test("slots that were missed while nobody was there get one run, which tells of them", async (t) => {
      const { at, install, runs, told } = await testJobs(t, { engine, startAt });
      await install(daily);
      await at("2026-03-04T09:00:00.000Z");
      await at("2026-03-04T09:00:01.000Z");

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
      assert.deepEqual(await told(), ["job.missed", "run.queued", "run.started"]);
    });

    test("a slot that has just come is not missed with those before it", async (t) => {
      const { at, install, runs } = await testJobs(t, { engine, startAt });
      await install(daily);
      await at("2026-03-03T06:00:02.000Z");
      assert.deepEqual((await runs())[0]?.cause.catch_up, {
        missed: 2,
        more: false,
        from: "2026-03-01T06:00:00.000Z",
        to: "2026-03-02T06:00:00.000Z",
      });
    });

    test("a paused schedule runs nothing, counts what it would have run, and makes up for none of it", async (t) => {
      const { at, install, runs, jobs, deps, by, told } = await testJobs(t, { engine, startAt });
      const id = await install(daily);
      const { steps, events } = jobs.steps.pause(id, { reason: "migration", until: null }, by());
      await deps.store.apply({ context: by(), steps, events });
      await at("2026-03-02T06:00:00.100Z");
      await at("2026-03-03T06:00:00.100Z");

      assert.deepEqual((await jobs.views.get(id))?.paused, {
        by: "ada",
        at: startAt,
        reason: "migration",
        until: null,
        missed: 3,
        last_missed: "2026-03-03T06:00:00.000Z",
      });
      await deps.store.apply({ context: by(), ...jobs.steps.resume(id, by()) });
      await at("2026-03-03T06:00:01.000Z");
      assert.deepEqual(await runs(), []);
      assert.equal((await jobs.views.get(id))?.paused, null);
      await at("2026-03-04T06:00:00.000Z");
      assert.deepEqual((await runs()).map(brief), ["running 2026-03-04T06:00:00.000Z 1"]);
      assert.deepEqual(await told(), ["job.paused", "job.resumed", "run.queued", "run.started"]);
    });

    test("a pause ends by itself when its time is over, and tells so", async (t) => {
      const { at, install, runs, jobs, deps, by, told } = await testJobs(t, { engine, startAt });
      const id = await install(daily);
      const until = "2026-03-02T12:00:00.000Z";
      await deps.store.apply({ context: by(), ...jobs.steps.pause(id, { reason: null, until }, by()) });

      await at("2026-03-02T12:00:00.000Z");
      assert.equal((await jobs.views.get(id))?.paused, null);
      assert.deepEqual(await runs(), []);
      await at("2026-03-03T06:00:00.000Z");
      assert.deepEqual((await runs()).map(brief), ["running 2026-03-03T06:00:00.000Z 1"]);
      assert.deepEqual(await told(), ["job.paused", "job.resumed", "run.queued", "run.started"]);
    });

    test("slots after the end of a pause are caught up where nobody was there; those of the pause are not", async (t) => {
      const { at, install, runs, jobs, deps, by } = await testJobs(t, { engine, startAt });
      const id = await install(daily);
      const until = "2026-03-02T06:00:00.000Z";
      await deps.store.apply({ context: by(), ...jobs.steps.pause(id, { reason: null, until }, by()) });

      await at("2026-03-05T09:00:00.000Z");
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

    test("a second pause is in place of the first", async (t) => {
      const { at, install, jobs, deps, by } = await testJobs(t, { engine, startAt });
      const id = await install(daily);
      const pause = (reason: string, until: string) =>
        deps.store.apply({ context: by(), ...jobs.steps.pause(id, { reason, until }, by()) });
      await pause("one", "2026-03-02T12:00:00.000Z");
      await pause("two", "2026-03-03T12:00:00.000Z");
      await at("2026-03-02T12:00:00.000Z");
      assert.equal((await jobs.views.get(id))?.paused?.reason, "two");
      await at("2026-03-03T12:00:00.000Z");
      assert.equal((await jobs.views.get(id))?.paused, null);
    });

    test("another definition takes effect at once, and a pause stays", async (t) => {
      const { at, install, runs, jobs, deps, by } = await testJobs(t, { engine, startAt });
      const id = await install(daily);
      await deps.store.apply({
        context: by(),
        ...jobs.steps.pause(id, { reason: "later", until: null }, by()),
      });
      await install({ ...daily, cron: "0 7 * * *" }, {}, id);

      const job = await jobs.views.get(id);
      assert.equal(job?.next_at, "2026-03-01T07:00:00.000Z");
      assert.equal(job?.paused?.reason, "later");
      await at("2026-03-01T07:00:00.000Z");
      assert.deepEqual(await runs(), []);
    });

    test("a slot that is due is not lost when the job is installed again as it was", async (t) => {
      const { at, install, runs, deps } = await testJobs(t, { engine, startAt });
      const id = await install(daily);
      deps.system.pass(Date.parse("2026-03-01T06:00:00.500Z") - Date.parse(startAt));
      await install(daily, {}, id);
      await at("2026-03-01T06:00:01.000Z");
      assert.deepEqual((await runs()).map(brief), ["running 2026-03-01T06:00:00.000Z 1"]);
    });

    test("a removed job runs nothing more: a queued run is cancelled, a running one stopped", async (t) => {
      const { at, install, runs, jobs, executor, deps, by } = await testJobs(t, {
        engine,
        startAt,
        settings: { PLATFORM_RUNS_AT_ONCE: "1" },
      });
      const ids = [await install(everyMinute), await install(everyMinute)];
      await at("2026-03-01T05:01:00.000Z");
      for (const id of ids)
        await deps.store.apply({ context: by(), steps: jobs.steps.remove(id, by()), events: [] });
      await at("2026-03-01T05:02:00.000Z");
      const work = await executor.next();
      assert.equal(work.signal.aborted, true);
      work.fail(new Error("stopped"));
      await jobs.idle();
      await at("2026-03-01T05:03:00.000Z");

      assert.deepEqual(
        (await runs()).map(({ status }) => status),
        ["cancelled", "cancelled"],
      );
      assert.deepEqual(await query(deps.store, "select id from jobs"), []);
    });

    test("a clock that is set back runs no slot twice", async (t) => {
      const { at, install, runs, jobs, executor, deps } = await testJobs(t, { engine, startAt });
      const id = await install(daily);
      await at("2026-03-01T06:00:00.000Z");
      (await executor.next()).finish();
      await jobs.idle();
      deps.system.pass(-600_000);
      await install({ ...daily, timezone: "Etc/UTC" }, {}, id);
      await at("2026-03-01T06:00:00.000Z");
      await at("2026-03-02T06:00:00.000Z");
      assert.deepEqual((await runs()).map(brief), [
        "succeeded 2026-03-01T06:00:00.000Z 1",
        "running 2026-03-02T06:00:00.000Z 1",
      ]);
    });
  });
}

test("two servers race for the same slots: each slot has one run, and each run one server", async (t) => {
  const begun: string[][] = [[], []];
  const noting = (n: number): Executor => ({
    async execute({ id }) {
      begun[n]?.push(id);
      return { metrics: {} };
    },
  });
  const first = await testJobs(t, { engine: "postgres", startAt, executor: noting(0) });
  const second = await first.another({ executor: noting(1) });
  for (let n = 0; n < 30; n++) await first.install(everyMinute, {}, `connector-r${n}`);

  for (let minute = 1; minute <= 3; minute++) {
    first.deps.system.pass(60_000);
    // Each works on four at once: the others follow.
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
  assert.equal(new Set(begun.flat()).size, 90);
  assert.equal(begun.flat().length, 90);
  for (const some of begun) assert.ok(some.length > 0);
});
