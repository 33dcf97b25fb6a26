/** Rejects of a killed run are kept, once; and they go when their rows have gone through. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, type TestContext, test } from "node:test";
import type { Dataset } from "../protocol/transfer.ts";
import { SimulatedCrash, startTransferHarness } from "../testing/transfer-harness.ts";
import { deliver } from "./delivery.ts";
import { listRejects } from "./rejects.ts";

/** Two orders for an SQLite file, of which the second is too dear. */
async function openShop(t: TestContext, dataset: Partial<Dataset>) {
  const moving = await startTransferHarness(t);
  const path = join(moving.folder, "crm.db");
  const crm = new DatabaseSync(path);
  t.after(() => crm.close());
  crm.exec("create table orders (id integer unique, amount integer check (amount < 100))");
  await moving.warehouse.createSchema({ catalog: "main", schema: "default", table: "orders" });
  const table = `_main."default".orders`;
  await moving.rows(`CREATE TABLE ${table} AS SELECT * FROM (VALUES (1, 10), (2, 1000)) v(id, amount)`);
  // The attempts of one run have its id.
  const request = () =>
    moving.request(
      { watermark: null, maxRejectShare: 1, ...dataset },
      { direction: "out", connection: { type: "sqlite", config: { path } }, run: "the run" },
    );
  return {
    mend: () => moving.rows(`UPDATE ${table} SET amount = 20 WHERE id = 2`),
    run: () => deliver(request(), moving.context),
    killed: () => assert.rejects(deliver(request(), moving.crashingAt("written")), SimulatedCrash),
    rejected: async () =>
      (await listRejects(moving.warehouse, ["orders"], { skip: 0, limit: 10 })).rejects.map(({ row }) => row),
    there: () =>
      crm
        .prepare("select amount from orders order by amount")
        .all()
        .map(({ amount }) => amount),
  };
}

suite("rejects of a killed run", () => {
  for (const dataset of [{}, { strategy: "append", keys: [] }] as const) {
    test(`are kept once: ${JSON.stringify(dataset)}`, async (t) => {
      const { run, killed, rejected, there } = await openShop(t, dataset);
      await killed();
      await killed();
      assert.deepEqual([there(), await rejected()], [[], [{ id: 2, amount: 1000 }]]);
      await run();
      assert.deepEqual([there(), await rejected()], [[10], [{ id: 2, amount: 1000 }]]);
    });
  }

  test("are gone when the next attempt of the same run has written their rows", async (t) => {
    const { run, killed, mend, rejected, there } = await openShop(t, {});
    await killed();
    await mend();
    await run();
    assert.deepEqual([there(), await rejected()], [[10, 20], []]);
  });
});
