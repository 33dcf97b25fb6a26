import assert from "node:assert/strict";
import test, { describe } from "node:test";
import type { Run } from "@lakehelm/contract";
import { until } from "@lakehelm/testing/until";
import { createNews } from "../../core/store/other-servers.ts";
import { VersionConflict } from "../../core/store/store.ts";
import type { Trigger } from "./job-steps.ts";
import { createLostRunCheck } from "./recovery.ts";
import { createRunRows } from "./run-rows.ts";
import { brief, engines, retryableError, testJobs } from "./test-jobs.ts";

const manual: Trigger = { kind: "manual" };

for (const engine of engines) {
  describe(engine, () => {
    test("lost runs are searched while a run is executing or something was written, and otherwise not", async (t) => {
      const at = await testJobs(t, { engine });
      const { others } = at.deps.store.engine;
      // A new connection of the listener counts as news.
      await until(() => others?.isListening() ?? true);
      const runs = createRunRows(at.deps.store);
      const questions: string[] = [];
      const check = createLostRunCheck({
        hasNews: createNews({ ...at.deps.store.engine, others: undefined }),
        areRunning: () => {
          questions.push("running?");
          return runs.areRunning();
        },
        recover: async () => {
          questions.push("lost?");
          return 0;
        },
      });
      const asked = async () => {
        questions.length = 0;
        await check();
        return questions.join(" ");
      };
      assert.equal(await asked(), "running?", "at the start it does not know");
      assert.deepEqual([await asked(), await asked()], ["", ""]);
      await at.runNow(await at.install(manual));
      const work = await at.executor.next();
      assert.deepEqual([await asked(), await asked()], ["running? lost?", "running? lost?"]);
      work.finish({});
      await at.jobs.idle();
      assert.equal(await asked(), "running?");
      assert.equal(await asked(), "");
    });

    test("a server that may no longer run jobs of an environment stops the run and requeues it", async (t) => {
      let may = true;
      const at = await testJobs(t, { engine, mayRun: () => may });
      const { id } = await at.runNow(await at.install(manual));
      const work = await at.executor.next();
      may = false;
      await at.advance(1);
      assert.equal(work.signal.aborted, true);
      work.fail(new Error("stopped"));
      await at.jobs.idle();
      await at.advance(1);
      const { status, attempt } = await at.jobs.rules.read(id);
      assert.deepEqual([status, attempt], ["queued", 0]);
      may = true;
      await at.advance(1);
      assert.equal((await at.executor.next()).run.id, id);
    });

    test("a server that stops requeues its run without counting an attempt", async (t) => {
      const at = await testJobs(t, { engine });
      const { id } = await at.runNow(await at.install(manual));
      const work = await at.executor.next();
      work.signal.addEventListener("abort", () => work.fail(new Error("stopped")));
      await at.jobs.stop();
      const { status, attempt, error } = await at.jobs.rules.read(id);
      assert.deepEqual([status, attempt, error], ["queued", 0, null]);

      const next = await at.another();
      await next.advance(1);
      (await next.executor.next()).finish({ read: 1 });
      await next.jobs.idle();
      assert.equal(brief(await next.jobs.rules.read(id)), "succeeded 2026-03-01T12:00:00.000Z 1");
    });

    test("a checkpoint is available to the next attempt and to a cancellation between attempts", async (t) => {
      const at = await testJobs(t, { engine });
      const { id } = await at.runNow(await at.install(manual));
      const work = await at.executor.next();
      await work.checkpoint({ done: ["first"] });
      assert.deepEqual((await at.jobs.rules.read(id)).metrics, { done: ["first"] });
      work.signal.addEventListener("abort", () => work.fail(new Error("stopped")));
      await at.jobs.stop();

      const abandoned: unknown[] = [];
      const execute = () => Promise.reject(new Error("it must not be called"));
      const next = await at.another({
        executor: { execute, abandon: async (run) => void abandoned.push([run.id, run.metrics]) },
      });
      assert.equal((await next.jobs.rules.cancel(id, next.context())).status, "cancelled");
      assert.deepEqual(abandoned, [[id, { done: ["first"] }]]);
    });

    test("the run of a job that was deleted between attempts, or while its server was down, is abandoned", async (t) => {
      const at = await testJobs(t, { engine });
      const { deps } = at;
      const [queued, running] = [await at.install(manual), await at.install(manual)];
      const ids: string[] = [];
      for (const job of [queued, running]) ids.push((await at.runNow(job)).id);
      const works = [await at.executor.next(), await at.executor.next()];
      const put = works.find(({ run }) => run.id === ids[0]);
      put?.fail(retryableError("the database is unreachable"));
      await until(async () => (await at.jobs.rules.read(ids[0] ?? "")).status === "queued");
      for (const job of [queued, running]) {
        const steps = at.jobs.steps.remove(job, at.context());
        await deps.store.apply({ context: at.context(), steps, events: [] });
      }

      const abandoned: string[] = [];
      const execute = () => Promise.reject(new Error("it must not be called"));
      const abandon = async (run: Run) => void abandoned.push(run.id);
      const next = await at.another({ executor: { execute, abandon } });
      await next.advance(60);
      assert.deepEqual(abandoned.sort(), ids.sort());
      for (const id of ids) assert.equal((await next.jobs.rules.read(id)).status, "cancelled");
    });

    test("a checkpoint of a server that has lost the run is rejected", async (t) => {
      const lost = await testJobs(t, { engine });
      await lost.runNow(await lost.install(manual));
      const before = await lost.executor.next();
      const next = await lost.another();
      await next.advance(engine === "sqlite" ? 1 : 31);
      const work = await next.executor.next();
      await work.checkpoint({ by: "the new owner" });
      await assert.rejects(before.checkpoint({ by: "the former owner" }), VersionConflict);
      assert.equal((await next.jobs.rules.read(work.run.id)).metrics.by, "the new owner");
    });

    test("the run of a crashed server continues on another server as the next attempt", async (t) => {
      const lost = await testJobs(t, { engine });
      const { id } = await lost.runNow(await lost.install(manual));
      await lost.executor.next();

      const next = await lost.another();
      await next.advance(engine === "sqlite" ? 1 : 31);
      const work = await next.executor.next();
      assert.deepEqual([work.run.id, work.run.attempt], [id, 2]);
      work.finish();
      await next.jobs.idle();
      assert.equal((await next.jobs.rules.read(id)).status, "succeeded");
      assert.deepEqual(await next.lines(id), [
        "warn: The server crashed during attempt 1. The run starts again.",
      ]);
    });

    test("a run whose server crashes repeatedly fails", async (t) => {
      let at = await testJobs(t, { engine });
      const { id } = await at.runNow(await at.install(manual, { attempts: 1 }));
      for (const attempt of [1, 2, 3]) {
        assert.equal((await at.executor.next()).run.attempt, attempt);
        at = await at.another();
        await at.advance(31);
      }
      const { status, error } = await at.jobs.rules.read(id);
      assert.equal(status, "failed");
      assert.match(error ?? "", /crashed during attempt 3\. It has failed too often to be retried\.$/);
    });
  });
}

test("a server that misses its heartbeat stops its runs", async (t) => {
  const lost = await testJobs(t, { engine: "postgres" });
  const { id } = await lost.runNow(await lost.install(manual));
  const work = await lost.executor.next();
  const next = await lost.another();
  await next.advance(31);
  const taken = await next.executor.next();
  assert.equal(taken.run.id, id);
  // The first server was only suspended.
  await lost.jobs.tick();
  assert.equal(work.signal.aborted, true);
  work.finish({ read: 1 });
  await lost.jobs.idle();
  assert.equal((await next.jobs.rules.read(id)).status, "running");
  taken.finish({ read: 2 });
  await next.jobs.idle();
  const { metrics } = await next.jobs.rules.read(id);
  assert.equal(metrics.read, 2);
  const [retry] = metrics.retries as { attempt: number; error: string }[];
  assert.deepEqual([retry?.attempt, retry?.error], [1, "The server crashed during attempt 1."]);
});
