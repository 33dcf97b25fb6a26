/** Rejects of a crashed run are stored once, and deleted when their rows are accepted. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, type TestContext, test } from "node:test";
import type { Dataset } from "../protocol/transfer.ts";
import { SimulatedCrash, startTransferHarness } from "../testing/transfer-harness.ts";
import { deliver } from "./delivery.ts";
import { listRejects } from "./rejects.ts";

/** Delivers two orders to an SQLite file. The second violates a constraint. */
async function openShop(t: TestContext, dataset: Partial<Dataset>) {
  const harness = await startTransferHarness(t);
  const path = join(harness.folder, "crm.db");
  const crm = new DatabaseSync(path);
  t.after(() => crm.close());
  crm.exec("create table orders (id integer unique, amount integer check (amount < 100))");
  await harness.warehouse.createSchema({ catalog: "main", schema: "default", table: "orders" });
  const table = `_main."default".orders`;
  await harness.rows(`CREATE TABLE ${table} AS SELECT * FROM (VALUES (1, 10), (2, 1000)) v(id, amount)`);
  // All attempts of a run have the same id.
  const request = () =>
    harness.request(
      { watermark: null, maxRejectShare: 1, ...dataset },
      { direction: "out", connection: { type: "sqlite", config: { path } }, run: "the run" },
    );
  return {
    fixRow: () => harness.rows(`UPDATE ${table} SET amount = 20 WHERE id = 2`),
    run: () => deliver(request(), harness.context),
    crash: () => assert.rejects(deliver(request(), harness.crashingAt("written")), SimulatedCrash),
    rejected: async () =>
      (await listRejects(harness.warehouse, ["orders"], { skip: 0, limit: 10 })).rejects.map(
        ({ row }) => row,
      ),
    amounts: () =>
      crm
        .prepare("select amount from orders order by amount")
        .all()
        .map(({ amount }) => amount),
  };
}

suite("rejects of a crashed run", () => {
  for (const dataset of [{}, { strategy: "append", keys: [] }] as const) {
    test(`are stored once: ${JSON.stringify(dataset)}`, async (t) => {
      const { run, crash, rejected, amounts } = await openShop(t, dataset);
      await crash();
      await crash();
      assert.deepEqual([amounts(), await rejected()], [[], [{ id: 2, amount: 1000 }]]);
      await run();
      assert.deepEqual([amounts(), await rejected()], [[10], [{ id: 2, amount: 1000 }]]);
    });
  }

  test("are deleted when the next attempt of the same run writes their rows", async (t) => {
    const { run, crash, fixRow, rejected, amounts } = await openShop(t, {});
    await crash();
    await fixRow();
    await run();
    assert.deepEqual([amounts(), await rejected()], [[10, 20], []]);
  });
});
