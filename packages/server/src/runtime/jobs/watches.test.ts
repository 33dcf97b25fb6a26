import assert from "node:assert/strict";
import { mkdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test, { describe, type TestContext } from "node:test";
import type { TableVersion } from "@lakehelm/engine";
import { testFolder } from "../../web/identity/test-dependencies.ts";
import type { Trigger } from "./job-steps.ts";
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
    test("a changed table runs the job after the quiet period; earlier changes do not", async (t) => {
      const tables = testTables();
      const at = await testJobs(t, { engine, tableVersions: tables.tableVersions });
      tables.change(at, orders);
      await at.install(onTables);
      await at.advance(100);
      assert.deepEqual(await causes(at), []);

      tables.change(at, orders);
      await at.advance(9);
      tables.change(at, orders);
      await at.advance(9);
      assert.deepEqual(await causes(at), []);
      await at.advance(1);
      assert.deepEqual(await causes(at), [[orders]]);
      await finishNext(at);
      await at.advance(1000);
      assert.deepEqual(await causes(at), [[orders]]);
    });

    test("a change between the creation of the job and the first poll runs it", async (t) => {
      const tables = testTables();
      const at = await testJobs(t, { engine, tableVersions: tables.tableVersions });
      tables.change(at, items);
      await at.install(onTables);
      at.deps.system.advance(1000);
      tables.change(at, orders);
      await at.advance(10);
      assert.deepEqual(await causes(at), [[orders]]);
    });

    test("runs of a table trigger are at least minimum_seconds apart", async (t) => {
      const tables = testTables();
      const at = await testJobs(t, { engine, tableVersions: tables.tableVersions });
      await at.install(onTables);
      await at.advance(1);
      tables.change(at, orders);
      await at.advance(10);
      await finishNext(at);
      tables.change(at, items);
      await at.advance(59);
      assert.equal((await at.runs()).length, 1);
      await at.advance(1);
      assert.deepEqual(await causes(at), [[orders], [items]]);
    });

    test("with the condition all, the job runs when every table has changed", async (t) => {
      const tables = testTables();
      const at = await testJobs(t, { engine, tableVersions: tables.tableVersions });
      await at.install({ ...onTables, condition: "all" });
      await at.advance(1);
      tables.change(at, orders);
      await at.advance(500);
      assert.deepEqual(await causes(at), []);
      tables.change(at, items);
      await at.advance(10);
      assert.deepEqual(await causes(at), [[orders, items]]);
    });

    test("a change during a run or a pause runs the job afterwards", async (t) => {
      const tables = testTables();
      const at = await testJobs(t, { engine, tableVersions: tables.tableVersions });
      const { jobs, deps, context } = at;
      const id = await at.install({ ...onTables, minimum_seconds: 0 });
      await at.advance(1);
      tables.change(at, orders);
      await at.advance(10);
      tables.change(at, items);
      await at.advance(50);
      assert.deepEqual(await causes(at), [[orders]]);
      await finishNext(at);
      await at.advance(1);
      await finishNext(at);
      assert.deepEqual(await causes(at), [[orders], [items]]);

      await deps.store.apply({
        context: context(),
        ...jobs.steps.pause(id, { reason: null, until: null }, context()),
      });
      tables.change(at, orders);
      await at.advance(10);
      await at.advance(10);
      assert.equal((await jobs.views.get(id))?.paused?.missed, 1);
      assert.equal((await at.runs()).length, 2);
      await deps.store.apply({ context: context(), ...jobs.steps.resume(id, context()) });
      await at.advance(1);
      assert.deepEqual(await causes(at), [[orders], [items], [orders]]);
    });

    test("changes in an inactive environment run the jobs when it is active again", async (t) => {
      const tables = testTables();
      const { trigger, put } = await onFiles(t);
      let active = false;
      const options = { tableVersions: tables.tableVersions, isActive: async () => active };
      const at = await testJobs(t, { engine, ...options });
      await at.install(onTables);
      await at.install(trigger);
      await at.advance(1);
      tables.change(at, orders);
      await put("a.csv", "id\n");
      for (let n = 0; n < 3; n++) await at.advance(60);
      assert.deepEqual(await at.runs(), []);
      active = true;
      for (let n = 0; n < 3; n++) await at.advance(60);
      assert.deepEqual((await causes(at)).length, 2);
    });

    test("a file triggers a run when it has stopped growing", async (t) => {
      const { folder, trigger, put } = await onFiles(t);
      const at = await testJobs(t, { engine });
      await at.install(trigger);
      await put("a.csv", "1");
      await at.advance(1);
      await at.advance(9);
      await put("a.csv", "1,2");
      await at.advance(2);
      await at.advance(9);
      assert.deepEqual(await causes(at), []);
      await at.advance(1);
      assert.deepEqual(await causes(at), [[join(folder, "a.csv")]]);
    });

    test("each file triggers one run, and another one after a change; subfolders trigger none", async (t) => {
      const { folder, trigger, put } = await onFiles(t);
      const at = await testJobs(t, { engine });
      await at.install(trigger);
      await mkdir(join(folder, "deeper"));
      await put("a.csv", "1");
      await put("b.csv", "1");
      await at.advance(1);
      await at.advance(10);
      await finishNext(at);
      await at.advance(100);
      assert.deepEqual(await causes(at), [[join(folder, "a.csv"), join(folder, "b.csv")]]);

      await utimes(join(folder, "b.csv"), 1_700_000_000, 1_700_000_000);
      await rm(join(folder, "a.csv"));
      await at.advance(2);
      await at.advance(10);
      await finishNext(at);
      // The deleted file comes back unchanged.
      await put("a.csv", "1");
      await at.advance(2);
      await at.advance(10);
      assert.deepEqual((await causes(at)).slice(1), [[join(folder, "b.csv")], [join(folder, "a.csv")]]);
    });

    test("a glob matches files in subfolders", async (t) => {
      const { folder, trigger } = await onFiles(t);
      const at = await testJobs(t, { engine });
      await at.install({ ...trigger, path: `${folder}/**/*.csv` });
      await mkdir(join(folder, "a", "b"), { recursive: true });
      for (const name of ["a/1.csv", "a/b/2.csv", "a/b/3.txt"]) await writeFile(join(folder, name), "");
      await at.advance(1);
      await at.advance(10);
      assert.deepEqual(await causes(at), [[join(folder, "a/1.csv"), join(folder, "a/b/2.csv")]]);
    });

    test("the path of a trigger can be a single file", async (t) => {
      const { folder, trigger, put } = await onFiles(t);
      const at = await testJobs(t, { engine });
      await put("orders.csv", "1");
      await put("other.csv", "1");
      const path = join(folder, "orders.csv");
      await at.install({ ...trigger, path });
      await at.advance(1);
      await at.advance(10);
      assert.deepEqual(await causes(at), [[path]]);
    });

    test("after a restart, processed files stay processed and growing files are observed again", async (t) => {
      const { folder, trigger, put } = await onFiles(t);
      const at = await testJobs(t, { engine });
      await at.install(trigger);
      await put("a.csv", "1");
      await at.advance(1);
      await at.advance(10);
      await finishNext(at);
      await put("b.csv", "1");
      await at.advance(5);
      const next = await at.another();
      await next.advance(6);
      assert.equal((await next.runs()).length, 1);
      await next.advance(10);
      assert.deepEqual((await causes(next))[1], [join(folder, "b.csv")]);
    });

    test("a missing folder is shown as a problem of the job until it exists", async (t) => {
      const { folder, trigger, put } = await onFiles(t);
      const at = await testJobs(t, { engine });
      const id = await at.install({ ...trigger, path: join(folder, "later") });
      await at.advance(1);
      await at.advance(2);
      const problem = `The folder ${join(folder, "later")} cannot be read: it does not exist.`;
      assert.equal((await at.jobs.views.get(id))?.problem, problem);
      await mkdir(join(folder, "later"));
      await put("later/a.csv", "1");
      await at.advance(2);
      assert.equal((await at.jobs.views.get(id))?.problem, null);
      assert.deepEqual(await at.eventKinds(), ["job.problem_found", "job.problem_solved"]);
      await at.advance(10);
      assert.deepEqual(await causes(at), [[join(folder, "later/a.csv")]]);
    });
  });
}

test("one run has at most a thousand files", async (t) => {
  const { trigger, put } = await onFiles(t);
  const at = await testJobs(t, { engine: "sqlite" });
  await at.install(trigger);
  await Promise.all(Array.from({ length: 2100 }, (_, n) => put(`${n}.csv`, "")));
  await at.advance(1);
  for (let n = 0; n < 3; n++) {
    await at.advance(60);
    await finishNext(at);
  }
  await at.advance(60);
  const files = (await causes(at)).map((some) => some?.length);
  assert.deepEqual(files, [1000, 1000, 100]);
});
