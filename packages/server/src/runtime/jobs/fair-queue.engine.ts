import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { until } from "@lakehelm/testing/until";
import { keyOf } from "../../core/store/collection.ts";
import { unique } from "../../testing/server.ts";
import { addEnvironment, query, run } from "../../testing/store.ts";
import { definitionOf } from "./job-steps.ts";
import { createRunRows } from "./run-rows.ts";
import { engines, type TestJobs, testJobs } from "./test-jobs.ts";

/** Queues runs of separate jobs, which a caller requests. */
async function queue(at: TestJobs, actor: string, count: number, environmentId = at.environmentId) {
  const { jobs, deps } = at;
  const context = () => ({ ...at.context(), actor });
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const id = `connector-${actor}-${environmentId}-${n}`;
    const definition = definitionOf({ kind: "manual" }, deps.settings);
    const job = {
      id,
      environmentId,
      kind: "connector",
      subject: `connector/${id}`,
      name: id,
      definition,
    } as const;
    await deps.store.apply({ context: context(), steps: jobs.steps.install(job, context()), events: [] });
    const stored = await jobs.rows.get(id);
    assert.ok(stored);
    ids.push((await jobs.rules.runNow(stored, {}, { context: context(), saveAnswer: () => [] })).id);
  }
  return ids;
}

const running = async (at: TestJobs) =>
  (await at.runs()).filter(({ status }) => status === "running").map(({ id }) => id);

/** Ends a run that was started. */
async function finish({ executor, jobs }: TestJobs, id: string | undefined): Promise<void> {
  const ended = async () => (await jobs.rules.find(id ?? ""))?.status === "succeeded";
  await until(async () => executor.started.some(({ run }) => run.id === id));
  executor.started.find(({ run }) => run.id === id)?.finish();
  await until(ended);
}

/** Waits until the run starts: the slot of an ended run is released right after the outcome is written. */
const nextStarts = (at: TestJobs, id: string | undefined) =>
  until(async () => {
    await at.jobs.tick();
    return (await running(at)).includes(id ?? "");
  });

const copiesOfTheRun = (count: number) => `
  with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
  insert into runs (id, job_id, environment_id, slot, status, cause, attempt, queued_at, not_before, metrics, caller)
  select 'copy-' || n, job_id, environment_id, 'copy-' || n, status, cause, attempt, queued_at, not_before, metrics, caller
  from runs, numbers`;

for (const engine of engines) {
  describe(`the queue of runs on ${engine}`, () => {
    test("hanging runs of one caller do not hold up another caller", async (t) => {
      const at = await testJobs(t, { engine });
      const hanging = await queue(at, "mallory", 12);
      await at.jobs.tick();
      assert.deepEqual(await running(at), hanging.slice(0, 4), "a single caller uses all shared slots");
      const [first, second] = await queue(at, "ada", 2);
      await at.jobs.tick();
      assert.deepEqual((await running(at)).slice(4), [first], "and another one still starts");
      await finish(at, first);
      await nextStarts(at, second);
      assert.deepEqual((await running(at)).slice(4), [second], "one after the other");
    });

    test("a run is found behind hundreds of another caller, and they take turns", async (t) => {
      const at = await testJobs(t, { engine, settings: { PLATFORM_RUNS_AT_ONCE: "2" } });
      const many = await queue(at, "mallory", 150);
      const few = await queue(at, "ada", 2);
      await at.jobs.tick();
      assert.deepEqual(await running(at), [many[0], few[0]]);
      await finish(at, few[0]);
      await nextStarts(at, few[1]);
      assert.deepEqual(await running(at), [many[0], few[1]], "the caller with fewer running ones is next");
    });

    test("hanging runs of one environment do not hold up another environment of the same caller", async (t) => {
      const at = await testJobs(t, { engine });
      const other = await addEnvironment(at.deps.store, unique("other"));
      await queue(at, "ci", 12);
      await at.jobs.tick();
      const [first] = await queue(at, "ci", 1, other);
      await at.jobs.tick();
      assert.deepEqual((await running(at)).slice(4), [first]);
    });

    test("the queued runs of a caller are counted up to a limit", async (t) => {
      const at = await testJobs(t, { engine });
      await queue(at, "ada", 3);
      await queue(at, "bob", 1);
      const { hasWaiting } = createRunRows(at.deps.store);
      assert.deepEqual(
        await Promise.all([
          hasWaiting(keyOf("ada"), 3),
          hasWaiting(keyOf("ada"), 4),
          hasWaiting(keyOf("eve"), 1),
        ]),
        [true, false, false],
      );
    });

    test("a caller with the most queued runs gets 429, others do not, and the usage says so", async (t) => {
      const at = await testJobs(t, { engine });
      await queue(at, "ada", 1);
      await run(at.deps.store, copiesOfTheRun(9_998));
      await queue(at, "bob", 1);
      const { rules } = at.jobs;
      assert.deepEqual(await rules.queuedUsage(), { used: 9_999, limit: 10_000, refused: 0 });
      await queue(at, "ada", 1);
      await assert.rejects(queue(at, "ada", 1), { kind: "tooMany", message: /ada has 10000 queued runs/ });
      await queue(at, "bob", 1);
      assert.deepEqual(await rules.queuedUsage(), { used: 10_000, limit: 10_000, refused: 1 });
    });

    test("a run that a trigger started counts for whoever installed its job", async (t) => {
      const at = await testJobs(t, { engine });
      await at.install({ kind: "cron", cron: "* * * * *", timezone: "UTC" });
      await at.advance(61);
      const rows = await query({ engine: at.deps.store.engine }, "select caller from runs");
      assert.deepEqual(
        rows.map(({ caller }) => caller),
        [keyOf("ada")],
      );
    });
  });
}
