/** An endpoint that heeds the key of a request: a row that becomes again what it was must still arrive. */
import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import type { Dataset } from "../protocol/transfer.ts";
import { serveInbox } from "../testing/order-endpoints.ts";
import { SimulatedCrash, startTransferHarness } from "../testing/transfer-harness.ts";
import { deliver } from "./delivery.ts";

async function openShop(t: TestContext, dataset: Partial<Dataset>) {
  const moving = await startTransferHarness(t);
  const inbox = await serveInbox();
  t.after(inbox.close);
  await moving.warehouse.createSchema({ catalog: "main", schema: "default", table: "orders" });
  const table = `_main."default".orders`;
  await moving.rows(
    `CREATE TABLE ${table} (id BIGINT, name VARCHAR, amount DECIMAL(18,2), updated_at TIMESTAMP)`,
  );
  const request = () =>
    moving.request(
      { watermark: null, ...dataset },
      { direction: "out", connection: { type: "http", config: { url: inbox.url } } },
    );
  return {
    /** The table has these orders, and no others. */
    async put(...names: readonly string[]) {
      await moving.rows(`DELETE FROM ${table}`);
      for (const name of names)
        await moving.rows(`INSERT INTO ${table} VALUES (1, '${name}', 1, '2026-01-01')`);
    },
    run: () => deliver(request(), moving.context),
    /** All is sent, and nothing is remembered of it. */
    killed: () => assert.rejects(deliver(request(), moving.crashingAt("written")), SimulatedCrash),
    names: () => inbox.orders().map(({ name }) => name),
  };
}

suite("rows for a target that cannot be read back", () => {
  test("a row that becomes again what it was is sent again", async (t) => {
    const { put, run, names } = await openShop(t, {});
    for (const name of ["A", "B", "A"]) {
      await put(name);
      await run();
      assert.deepEqual(names(), [name]);
    }
  });

  test("also if the run that sent the other one was killed", async (t) => {
    const { put, run, killed, names } = await openShop(t, {});
    await put("A");
    await run();
    await put("B");
    await killed();
    assert.deepEqual(names(), ["B"]);
    await put("A");
    await killed();
    await put("B");
    await run();
    assert.deepEqual(names(), ["B"]);
    await put("C");
    await killed();
    await put("B");
    await run();
    assert.deepEqual(names(), ["B"]);
  });

  test("what is appended arrives once for each time it is there, killed or not", async (t) => {
    const { put, run, killed, names } = await openShop(t, { strategy: "append", keys: [] });
    await put("A");
    await killed();
    await killed();
    await run();
    assert.deepEqual(names(), ["A"]);
    await put("A", "A");
    await killed();
    await run();
    assert.deepEqual(names(), ["A", "A"]);
    assert.equal((await run()).inserted, 0);
  });
});
