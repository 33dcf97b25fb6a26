import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { engines, type TestJobs, testJobs } from "../../runtime/jobs/test-jobs.ts";
import { healthOf } from "./health.ts";

const minute = 60;

/** Jobs whose runs end as the test defines, and their history afterwards. */
async function given(t: TestContext, engine: (typeof engines)[number]) {
  const fixture = await testJobs(t, { engine, settings: { PLATFORM_RUNS_AT_ONCE: "200" } });
  const since = fixture.context().time;
  const history = async (jobId: string, from = since) => {
    const [found] = await fixture.jobs.history.of([{ jobId, since: from }]);
    assert.ok(found);
    return found;
  };
  return {
    on: fixture,
    since,
    history,
    health: async (jobId: string) => healthOf(await history(jobId), fixture.deps.system.now()),
    install: (id: string) => fixture.install({ kind: "manual" }, {}, id),
    run: (jobId: string, ending: "succeeds" | "fails" | "is cancelled", parameters = {}) =>
      run(fixture, jobId, ending, parameters),
  };
}

async function run(fixture: TestJobs, jobId: string, ending: string, parameters: object): Promise<string> {
  const job = await fixture.jobs.rows.get(jobId);
  assert.ok(job);
  const call = { context: fixture.context(), saveAnswer: () => [] };
  const { id } = await fixture.jobs.rules.runNow(job, { parameters: { ...parameters } }, call);
  await fixture.jobs.tick();
  const work = await fixture.executor.next();
  work.signal.addEventListener("abort", () => work.fail(new Error("stopped")));
  if (ending === "succeeds") work.finish();
  if (ending === "fails") work.fail(new Error("no such table"));
  if (ending === "is cancelled") await fixture.jobs.rules.cancel(id, fixture.context());
  await fixture.jobs.idle();
  return fixture.context().time;
}

for (const engine of engines) {
  test(`health on ${engine}: unknown, healthy, unhealthy and healthy again`, async (t) => {
    const { on: fixture, health, install, run } = await given(t, engine);
    const job = await install("pipeline-orders");
    const unknown = {
      status: "UNKNOWN",
      last_update_time: null,
      last_success_time: null,
      last_failure_time: null,
      consecutive_failures: 0,
      is_stale: false,
    };
    assert.deepEqual(await health(job), unknown);
    await run(job, "is cancelled");
    await run(job, "fails", { validate_only: true });
    await run(job, "succeeds", { validate_only: true });
    assert.deepEqual(await health(job), unknown);

    const first = await run(job, "succeeds");
    const healthy = { ...unknown, status: "HEALTHY", last_update_time: first, last_success_time: first };
    assert.deepEqual(await health(job), healthy);
    await fixture.advance(minute);
    await run(job, "fails");
    await run(job, "is cancelled");
    await fixture.advance(minute);
    const failed = await run(job, "fails");
    assert.deepEqual(await health(job), {
      ...healthy,
      status: "UNHEALTHY",
      last_update_time: failed,
      last_failure_time: failed,
      consecutive_failures: 2,
    });
    await fixture.advance(minute);
    const last = await run(job, "succeeds");
    assert.deepEqual(await health(job), {
      ...healthy,
      last_update_time: last,
      last_success_time: last,
      last_failure_time: failed,
    });
  });

  test(`stale on ${engine}: no success for longer than twice the median interval of at least three`, async (t) => {
    const { on: fixture, health, install, run } = await given(t, engine);
    const job = await install("pipeline-orders");
    const isStaleAfter = async (seconds: number) => {
      await fixture.advance(seconds);
      return (await health(job)).is_stale;
    };
    await run(job, "succeeds");
    await fixture.advance(10 * minute);
    await run(job, "succeeds");
    assert.equal(await isStaleAfter(60 * minute), false, "two successes do not show an interval");
    await run(job, "succeeds");
    // Intervals of 10 and 60 minutes: the median is 35.
    assert.equal(await isStaleAfter(70 * minute), false);
    assert.equal(await isStaleAfter(1), true);
    await run(job, "fails");
    assert.equal((await health(job)).is_stale, true, "a failure does not count as a success");
    await run(job, "succeeds");
    assert.equal((await health(job)).is_stale, false);
  });

  test(`the history of many jobs on ${engine}: the last five runs of each, newest first`, async (t) => {
    const { on: fixture, since, history, install, run } = await given(t, engine);
    const many = Array.from({ length: 61 }, (_, n) => `pipeline-${n}`);
    const [busy = "", reused = "", text = ""] = many;
    await Promise.all([busy, reused, text].map(install));
    for (let n = 0; n < 7; n++) await run(busy, n < 2 ? "fails" : "succeeds", { n });
    await run(reused, "succeeds");
    // The parameter's name inside a string value does not count.
    await run(text, "succeeds", { note: '"validate_only":true' });
    await fixture.advance(1);
    const later = fixture.context().time;
    await run(reused, "fails");

    const found = await fixture.jobs.history.of(many.map((jobId) => ({ jobId, since })));
    assert.deepEqual(found.map(({ latest }) => latest.map(({ cause }) => cause.parameters?.n)).slice(0, 1), [
      [6, 5, 4, 3, 2],
    ]);
    assert.deepEqual(
      found.slice(0, 4).map(({ succeeded, failures }) => [succeeded.length, failures]),
      [
        [5, 0],
        [1, 1],
        [1, 0],
        [0, 0],
      ],
    );
    assert.equal(found.length, many.length);
    // If a pipeline reuses the id of a deleted pipeline, the runs of the deleted pipeline do not count.
    const { latest, succeeded, failures } = await history(reused, later);
    assert.deepEqual([latest.length, succeeded.length, failures], [1, 0, 1]);
  });
}
