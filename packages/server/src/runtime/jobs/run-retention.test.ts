import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { pino } from "pino";
import { eventKey } from "../../core/events/chain.ts";
import { createArchive } from "../../core/retention/archive.ts";
import { verifyArchive } from "../../core/retention/archive-verification.ts";
import { createRetention } from "../../core/retention/retention.ts";
import { archivedLines } from "../../testing/archive.ts";
import { query, run } from "../../testing/store.ts";
import { engines, type TestJobs, testJobs } from "./test-jobs.ts";

const manual = { kind: "manual" } as const;
const day = 86_400;
const key = eventKey(Buffer.alloc(32, 7));

/** Jobs whose runs are kept as the settings say, and an archive. */
async function retained(t: TestContext, engine: (typeof engines)[number], settings: Record<string, string>) {
  const at = await testJobs(t, { engine, settings });
  const folder = await mkdtemp(join(tmpdir(), "lakehelm-archive-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const archive = createArchive({ folder, key, now: at.deps.system.now, reserveBytes: 0 });
  const retentionWith = (files: typeof archive | undefined) =>
    createRetention(at.deps, {
      now: at.deps.system.now,
      sources: at.jobs.retention,
      archive: files,
      mayRun: () => true,
      log: pino({ level: "silent" }),
    });
  const records = async (kind: string) =>
    (await archivedLines(join(folder, kind))).map((line) => JSON.parse(line));
  return { at, folder, archive, retention: retentionWith(archive), retentionWith, records };
}

async function runOnce(at: TestJobs, job: string, line: string): Promise<void> {
  await at.runNow(job);
  const work = await at.executor.next();
  work.line("info", line);
  work.finish();
  await at.jobs.idle();
  await at.advance(1);
}

for (const engine of engines) {
  suite(`retention of runs on ${engine}`, () => {
    test("old runs are archived with their logs, except the last one of each existing job", async (t) => {
      const { at, retention, records, folder } = await retained(t, engine, { PLATFORM_RUNS_KEPT_DAYS: "10" });
      const [often, once, gone] = [
        await at.install(manual),
        await at.install(manual),
        await at.install(manual),
      ];
      for (const job of [once, often, gone, often]) await runOnce(at, job, `of ${job}`);
      await run(at.deps.store, `delete from jobs where id = '${gone}'`);
      const before = await at.runs();
      await at.advance(11 * day);

      await retention.run();

      const kept = await at.runs();
      assert.deepEqual(
        kept.map(({ job_id }) => job_id),
        [once, often],
      );
      const archived = await records("runs");
      assert.deepEqual(
        archived.map((record) => record.run),
        before.filter(({ id }) => !kept.some((one) => one.id === id)),
      );
      assert.deepEqual(
        archived.map(({ log }) => log.map(({ line }: { line: string }) => line)),
        archived.map((record) => [`of ${record.run.job_id}`]),
      );
      const [{ body } = { body: "{}" }] = await query(
        at.deps.store,
        "select body from pending_events where kind = 'retention.archived'",
      );
      const { data } = JSON.parse(String(body));
      assert.deepEqual([data.records, data.count], ["runs", 2]);
      const [verdict] = await verifyArchive(folder, key);
      assert.deepEqual([verdict?.problems, verdict?.records], [[], 2]);
    });

    test("only the last runs of a job are kept; older ones are archived", async (t) => {
      const { at, retention, records } = await retained(t, engine, { PLATFORM_RUNS_KEPT: "3" });
      const job = await at.install(manual);
      for (let n = 0; n < 5; n++) await runOnce(at, job, `run ${n}`);
      await retention.run();
      const kept = (await at.runs()).map(({ id }) => id);
      const logged = await query(at.deps.store, "select run_id, line from run_log order by run_id");
      assert.deepEqual(
        logged.map(({ run_id, line }) => [run_id, line]),
        kept.map((id, n) => [id, `run ${n + 2}`]),
      );
      assert.equal(kept.length, 3);
      assert.equal((await records("runs")).length, 2);
      await retention.run();
      assert.equal((await at.runs()).length, 3);
    });

    test("the last success of a job is kept while only its failures are recent", async (t) => {
      const { at, retention } = await retained(t, engine, {
        PLATFORM_RUNS_KEPT: "3",
        PLATFORM_RUNS_KEPT_DAYS: "10",
      });
      const job = await at.install(manual);
      for (const line of ["first", "second"]) await runOnce(at, job, line);
      const [, lastSuccess] = await at.runs();
      for (let n = 0; n < 4; n++) {
        await at.advance(5 * day);
        await at.runNow(job);
        (await at.executor.next()).fail(new Error("No such table."));
        await at.jobs.idle();
      }
      await retention.run();
      const kept = await at.runs();
      assert.equal(kept[0]?.id, lastSuccess?.id);
      assert.equal(kept.filter(({ status }) => status === "succeeded").length, 1);
      await run(at.deps.store, `delete from jobs where id = '${job}'`);
      await at.advance(11 * day);
      await retention.run();
      assert.deepEqual(await at.runs(), []);
    });

    test("a log that is older than its run's limit for logs leaves a line that says where it is", async (t) => {
      const { at, retention, records } = await retained(t, engine, { PLATFORM_RUN_LOGS_KEPT_DAYS: "5" });
      const job = await at.install(manual);
      await runOnce(at, job, "first");
      await at.advance(6 * day);
      await runOnce(at, job, "second");
      for (const _ of [1, 2]) await retention.run();
      const [old = "", recent = ""] = (await at.runs()).map(({ id }) => id);
      const [line = "", ...more] = await at.lines(old);
      assert.match(
        line,
        /^info: The only line of this log are in the archive: run_logs\/\d{4}-\d\d\/run_logs-.*\.jsonl\.gz\.$/,
      );
      assert.deepEqual(more, []);
      assert.deepEqual(await at.lines(recent), ["info: second"]);
      const archived = await records("run_logs");
      assert.deepEqual(
        archived.map(({ run_id, log }) => [run_id, log[0].line]),
        [[old, "first"]],
      );
    });

    test("a file without the removal of its runs is completed, not written again", async (t) => {
      const { at, retention, retentionWith, records, archive } = await retained(t, engine, {
        PLATFORM_RUNS_KEPT: "1",
      });
      const job = await at.install(manual);
      for (let n = 0; n < 3; n++) await runOnce(at, job, `run ${n}`);
      const crashing = retentionWith({
        ...archive,
        async write(...args) {
          await archive.write(...args);
          throw new Error("killed");
        },
      });
      await crashing.run();
      assert.equal((await at.runs()).length, 3);
      assert.equal(crashing.stats().find(({ kind }) => kind === "runs")?.isFailing, true);
      // In the meantime another run is surplus.
      await runOnce(at, job, "run 3");
      await retention.run();
      assert.equal((await at.runs()).length, 1);
      assert.deepEqual(
        (await records("runs")).map(({ log }) => log[0].line),
        ["run 0", "run 1", "run 2"],
      );
    });

    test("nothing is removed while the archive cannot be written, and all without an archive", async (t) => {
      const { at, folder, retention, retentionWith } = await retained(t, engine, { PLATFORM_RUNS_KEPT: "1" });
      const job = await at.install(manual);
      for (let n = 0; n < 3; n++) await runOnce(at, job, `run ${n}`);
      await writeFile(join(folder, "runs"), "a file is in the way");
      await retention.run();
      assert.equal((await at.runs()).length, 3);
      assert.equal(retention.stats().find(({ kind }) => kind === "runs")?.failures, 1);
      await retentionWith(undefined).run();
      assert.equal((await at.runs()).length, 1);
      assert.deepEqual(await readdir(folder), ["runs"]);
    });
  });
}
