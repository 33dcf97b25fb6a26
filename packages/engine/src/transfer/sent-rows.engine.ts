/** Deliveries to an endpoint that honors idempotency keys: a row that changes back must be sent again. */
import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import type { Dataset } from "../protocol/transfer.ts";
import { serveInbox } from "../testing/order-endpoints.ts";
import { SimulatedCrash, startTransferHarness } from "../testing/transfer-harness.ts";
import { deliver } from "./delivery.ts";

async function openShop(t: TestContext, dataset: Partial<Dataset>) {
  const harness = await startTransferHarness(t);
  const inbox = await serveInbox();
  t.after(inbox.close);
  await harness.warehouse.createSchema({ catalog: "main", schema: "default", table: "orders" });
  const table = `_main."default".orders`;
  await harness.rows(
    `CREATE TABLE ${table} (id BIGINT, name VARCHAR, amount DECIMAL(18,2), updated_at TIMESTAMP)`,
  );
  const request = () =>
    harness.request(
      { watermark: null, ...dataset },
      { direction: "out", connection: { type: "http", config: { url: inbox.url } } },
    );
  return {
    /** Replaces the rows of the table. */
    async put(...names: readonly string[]) {
      await harness.rows(`DELETE FROM ${table}`);
      for (const name of names)
        await harness.rows(`INSERT INTO ${table} VALUES (1, '${name}', 1, '2026-01-01')`);
    },
    run: () => deliver(request(), harness.context),
    /** Crashes after all rows were sent, before this is recorded. */
    crash: () => assert.rejects(deliver(request(), harness.crashingAt("written")), SimulatedCrash),
    names: () => inbox.orders().map(({ name }) => name),
    rows: harness.rows,
  };
}

suite("delivery to a write-only target", () => {
  test("a row that changes back is sent again", async (t) => {
    const { put, run, names } = await openShop(t, {});
    for (const name of ["A", "B", "A"]) {
      await put(name);
      await run();
      assert.deepEqual(names(), [name]);
    }
  });

  test("a row that changes back is sent again after a crash", async (t) => {
    const { put, run, crash, names } = await openShop(t, {});
    await put("A");
    await run();
    await put("B");
    await crash();
    assert.deepEqual(names(), ["B"]);
    await put("A");
    await crash();
    await put("B");
    await run();
    assert.deepEqual(names(), ["B"]);
    await put("C");
    await crash();
    await put("B");
    await run();
    assert.deepEqual(names(), ["B"]);
  });

  test("what was recorded of a row that did not change stays where it is", async (t) => {
    const { put, run, rows } = await openShop(t, { strategy: "append", keys: [] });
    const places = () => rows("SELECT rowid FROM _main._lakehelm.sent ORDER BY rowid");
    await put("A", "B");
    await run();
    const before = await places();
    await put("A", "C");
    await run();
    const after = await places();
    assert.equal(after.length, 2);
    assert.equal(after.filter((place) => before.some((one) => String(one) === String(place))).length, 1);
  });

  test("append sends each row as often as it occurs, with or without crashes", async (t) => {
    const { put, run, crash, names } = await openShop(t, { strategy: "append", keys: [] });
    await put("A");
    await crash();
    await crash();
    await run();
    assert.deepEqual(names(), ["A"]);
    await put("A", "A");
    await crash();
    await run();
    assert.deepEqual(names(), ["A", "A"]);
    assert.equal((await run()).inserted, 0);
  });

  test("rows below the watermark are sent once, if they are within the lag", async (t) => {
    const lag = { watermark: "updated_at", watermarkLag: 3600 };
    const { put, run, rows, names } = await openShop(t, { strategy: "append", keys: [], ...lag });
    const add = (name: string, time: string) =>
      rows(`INSERT INTO _main."default".orders VALUES (1, '${name}', 1, '2026-01-01 ${time}')`);
    await put("A");
    await add("B", "02:00");
    await run();
    await add("C", "01:00");
    await add("D", "00:59");
    assert.equal((await run()).inserted, 1);
    assert.equal((await run()).inserted, 0);
    assert.deepEqual(names().sort(), ["A", "B", "C"]);
  });
});
