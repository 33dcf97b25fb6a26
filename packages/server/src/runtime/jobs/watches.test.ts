import assert from "node:assert/strict";
import { mkdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test, { describe, type TestContext } from "node:test";
import type { TableVersion } from "@lakehelm/engine";
import { testFolder } from "../../web/identity/test-parts.ts";
import type { Trigger } from "./definition.ts";
import { engines, type TestJobs, testJobs } from "./test-jobs.ts";

const orders = "shop.sales.orders";
const items = "shop.sales.items";
const onTables: Trigger = {
  kind: "table_update",
  tables: [orders, items],
  condition: "any",
  quiet_seconds: 10,
  minimum_seconds: 60,
};

/** Tables that a test changes. */
function testTables() {
  const versions = new Map<string, TableVersion>();
  return {
    tableVersions: async () => [...versions.values()],
    change({ deps }: TestJobs, ...names: string[]) {
      const at = deps.system.now().toISOString();
      for (const name of names) {
        versions.set(name, { name, version: (versions.get(name)?.version ?? 0) + 1, at });
      }
    },
  };
}

async function onFiles(t: TestContext, more: Partial<Extract<Trigger, { kind: "file_arrival" }>> = {}) {
  const folder = await testFolder(t);
  const trigger: Trigger = {
    kind: "file_arrival",
    path: folder,
    quiet_seconds: 10,
    minimum_seconds: 0,
    ...more,
  };
  const put = (name: string, text: string) => writeFile(join(folder, name), text);
  return { folder, trigger, put };
}

const causes = async ({ runs }: TestJobs) => (await runs()).map(({ cause }) => cause.tables ?? cause.files);

async function finishNext({ executor, jobs }: TestJobs): Promise<void> {
  (await executor.next()).finish();
  await jobs.idle();
}

for (const engine of engines) {
  describe(engine, () => {
    test("a changed table runs the job once it has been quiet; what was there before does not", async (t) => {
      const tables = testTables();
      const at = await testJobs(t, { engine, tableVersions: tables.tableVersions });
      tables.change(at, orders);
      await at.install(onTables);
      await at.pass(100);
      assert.deepEqual(await causes(at), []);

      tables.change(at, orders);
      await at.pass(9);
      tables.change(at, orders);
      await at.pass(9);
      assert.deepEqual(await causes(at), []);
      await at.pass(1);
      assert.deepEqual(await causes(at), [[orders]]);
      await finishNext(at);
      await at.pass(1000);
      assert.deepEqual(await causes(at), [[orders]]);
    });

    test("a table that changes after the job was made, and before anybody looked, runs it", async (t) => {
      const tables = testTables();
      const at = await testJobs(t, { engine, tableVersions: tables.tableVersions });
      tables.change(at, items);
      await at.install(onTables);
      at.deps.system.pass(1000);
      tables.change(at, orders);
      await at.pass(10);
      assert.deepEqual(await causes(at), [[orders]]);
    });

    test("between two runs for tables lies the least distance", async (t) => {
      const tables = testTables();
      const at = await testJobs(t, { engine, tableVersions: tables.tableVersions });
      await at.install(onTables);
      await at.pass(1);
      tables.change(at, orders);
      await at.pass(10);
      await finishNext(at);
      tables.change(at, items);
      await at.pass(59);
      assert.equal((await at.runs()).length, 1);
      await at.pass(1);
      assert.deepEqual(await causes(at), [[orders], [items]]);
    });

    test("where all tables must have changed, one is not enough, even over time", async (t) => {
      const tables = testTables();
      const at = await testJobs(t, { engine, tableVersions: tables.tableVersions });
      await at.install({ ...onTables, condition: "all" });
      await at.pass(1);
      tables.change(at, orders);
      await at.pass(500);
      assert.deepEqual(await causes(at), []);
      tables.change(at, items);
      await at.pass(10);
      assert.deepEqual(await causes(at), [[orders, items]]);
    });

    test("what changes during a run, or during a pause, is run for afterwards", async (t) => {
      const tables = testTables();
      const at = await testJobs(t, { engine, tableVersions: tables.tableVersions });
      const { jobs, deps, by } = at;
      const id = await at.install({ ...onTables, minimum_seconds: 0 });
      await at.pass(1);
      tables.change(at, orders);
      await at.pass(10);
      tables.change(at, items);
      await at.pass(50);
      assert.deepEqual(await causes(at), [[orders]]);
      await finishNext(at);
      await at.pass(1);
      await finishNext(at);
      assert.deepEqual(await causes(at), [[orders], [items]]);

      await deps.store.apply({ context: by(), ...jobs.steps.pause(id, { reason: null, until: null }, by()) });
      tables.change(at, orders);
      await at.pass(10);
      await at.pass(10);
      assert.equal((await jobs.views.get(id))?.paused?.missed, 1);
      assert.equal((await at.runs()).length, 2);
      await deps.store.apply({ context: by(), ...jobs.steps.resume(id, by()) });
      await at.pass(1);
      assert.deepEqual(await causes(at), [[orders], [items], [orders]]);
    });

    test("a file counts when it has stopped growing", async (t) => {
      const { folder, trigger, put } = await onFiles(t);
      const at = await testJobs(t, { engine });
      await at.install(trigger);
      await put("a.csv", "1");
      await at.pass(1);
      await at.pass(9);
      await put("a.csv", "1,2");
      await at.pass(2);
      await at.pass(9);
      assert.deepEqual(await causes(at), []);
      await at.pass(1);
      assert.deepEqual(await causes(at), [[join(folder, "a.csv")]]);
    });

    test("each file is run for once, and again when it has changed; folders in the folder are not", async (t) => {
      const { folder, trigger, put } = await onFiles(t);
      const at = await testJobs(t, { engine });
      await at.install(trigger);
      await mkdir(join(folder, "deeper"));
      await put("a.csv", "1");
      await put("b.csv", "1");
      await at.pass(1);
      await at.pass(10);
      await finishNext(at);
      await at.pass(100);
      assert.deepEqual(await causes(at), [[join(folder, "a.csv"), join(folder, "b.csv")]]);

      await utimes(join(folder, "b.csv"), 1_700_000_000, 1_700_000_000);
      await rm(join(folder, "a.csv"));
      await at.pass(2);
      await at.pass(10);
      await finishNext(at);
      // The deleted one comes back unchanged.
      await put("a.csv", "1");
      await at.pass(2);
      await at.pass(10);
      assert.deepEqual((await causes(at)).slice(1), [[join(folder, "b.csv")], [join(folder, "a.csv")]]);
    });

    test("a glob goes as deep as it says", async (t) => {
      const { folder, trigger } = await onFiles(t);
      const at = await testJobs(t, { engine });
      await at.install({ ...trigger, path: `${folder}/**/*.csv` });
      await mkdir(join(folder, "a", "b"), { recursive: true });
      for (const name of ["a/1.csv", "a/b/2.csv", "a/b/3.txt"]) await writeFile(join(folder, name), "");
      await at.pass(1);
      await at.pass(10);
      assert.deepEqual(await causes(at), [[join(folder, "a/1.csv"), join(folder, "a/b/2.csv")]]);
    });

    test("a single file is waited for as well", async (t) => {
      const { folder, trigger, put } = await onFiles(t);
      const at = await testJobs(t, { engine });
      await put("orders.csv", "1");
      await put("other.csv", "1");
      const path = join(folder, "orders.csv");
      await at.install({ ...trigger, path });
      await at.pass(1);
      await at.pass(10);
      assert.deepEqual(await causes(at), [[path]]);
    });

    test("what was run for is still known after a restart; what was growing is looked at anew", async (t) => {
      const { folder, trigger, put } = await onFiles(t);
      const at = await testJobs(t, { engine });
      await at.install(trigger);
      await put("a.csv", "1");
      await at.pass(1);
      await at.pass(10);
      await finishNext(at);
      await put("b.csv", "1");
      await at.pass(5);
      const next = await at.another();
      await next.pass(6);
      assert.equal((await next.runs()).length, 1);
      await next.pass(10);
      assert.deepEqual((await causes(next))[1], [join(folder, "b.csv")]);
    });

    test("a folder that is not there shows on the job until it is", async (t) => {
      const { folder, trigger, put } = await onFiles(t);
      const at = await testJobs(t, { engine });
      const id = await at.install({ ...trigger, path: join(folder, "later") });
      await at.pass(1);
      await at.pass(2);
      const problem = `The folder ${join(folder, "later")} cannot be read: it does not exist.`;
      assert.equal((await at.jobs.views.get(id))?.problem, problem);
      await mkdir(join(folder, "later"));
      await put("later/a.csv", "1");
      await at.pass(2);
      assert.equal((await at.jobs.views.get(id))?.problem, null);
      assert.deepEqual(await at.told(), ["job.problem_found", "job.problem_solved"]);
      await at.pass(10);
      assert.deepEqual(await causes(at), [[join(folder, "later/a.csv")]]);
    });
  });
}

test("thousands of files come in runs of a thousand", async (t) => {
  const { trigger, put } = await onFiles(t);
  const at = await testJobs(t, { engine: "sqlite" });
  await at.install(trigger);
  await Promise.all(Array.from({ length: 2100 }, (_, n) => put(`${n}.csv`, "")));
  await at.pass(1);
  for (let n = 0; n < 3; n++) {
    await at.pass(60);
    await finishNext(at);
  }
  await at.pass(60);
  const files = (await causes(at)).map((some) => some?.length);
  assert.deepEqual(files, [1000, 1000, 100]);
});
