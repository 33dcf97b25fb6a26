/** Keys that matched_sql no longer returns, on a real engine. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { ConsumptionFlowInput } from "@lakehelm/contract";
import { FlowDuckDb } from "../testing/duckdb.ts";
import { flowOf, ordersRequest } from "../testing/requests.ts";
import { fillShop, type OrderRow } from "../testing/shop.ts";

const nothing = { inserted: 0, updated: 0, deleted: 0 };
const target = (duck: FlowDuckDb, columns = "order_id, amount, country") =>
  duck
    .rows(`SELECT ${columns} FROM shop.marts.orders ORDER BY ALL`)
    .then((rows) => rows.map((row) => Object.values(row).join(" ")));
const deleting = (more: Partial<ConsumptionFlowInput> = {}) =>
  flowOf(ordersRequest({ write_strategy: "merge_and_delete", emit_surrogate_key: true, ...more }));
const many = (count: number): OrderRow[] => Array.from({ length: count }, (_, id) => [id, 1, id, null]);

suite("merge_and_delete", () => {
  for (const more of [{}, { sequence_by: "updated_at" }]) {
    test(`the table has the keys of the SELECT after each run (${JSON.stringify(more)})`, async () => {
      await using duck = await FlowDuckDb.open();
      const flow = await deleting(more);
      await fillShop(duck, [
        [1, 1, 10, "2026-01-01"],
        [2, 1, 20, "2026-01-01"],
        [3, 1, 30, "2026-01-01"],
      ]);
      await duck.runFlow(flow);
      await fillShop(duck, [
        [1, 1, 10, "2026-01-01"],
        [3, 2, 31, "2026-01-02"],
        [4, 1, 40, "2026-01-01"],
      ]);
      assert.deepEqual((await duck.runFlow(flow)).publish, { inserted: 1, updated: 1, deleted: 1 });
      assert.deepEqual(await target(duck), ["1 10.00 DE", "3 31.00 FR", "4 40.00 DE"]);
      assert.deepEqual((await duck.runFlow(flow)).publish, nothing);
      await fillShop(duck, []);
      assert.deepEqual((await duck.runFlow(flow)).publish, { ...nothing, deleted: 3 });
      assert.deepEqual(await target(duck), []);
    });
  }

  test("a run for a business date deletes only rows of that date", async () => {
    await using duck = await FlowDuckDb.open();
    const flow = await deleting({ business_date_column: "updated_at" });
    await fillShop(duck, [
      [1, 1, 10, "2026-01-01"],
      [2, 1, 20, "2026-01-02"],
      [3, 1, 30, "2026-01-02"],
      [4, 1, 40, null],
    ]);
    await duck.runFlow(flow);
    await fillShop(duck, [[3, 1, 31, "2026-01-02"]]);
    const { publish } = await duck.runFlow(flow, { businessDate: "2026-01-02" });
    assert.deepEqual(publish, { ...nothing, updated: 1, deleted: 1 });
    assert.deepEqual(await target(duck), ["1 10.00 DE", "3 31.00 DE", "4 40.00 DE"]);
  });

  test("a run that would delete too many rows fails and writes nothing", async () => {
    await using duck = await FlowDuckDb.open();
    await fillShop(duck, many(20));
    await duck.runFlow(await deleting());
    await fillShop(duck, [...many(9), [99, 1, 99, null]]);
    await assert.rejects(duck.runFlow(await deleting()), /11 rows of shop\.marts\.orders would be deleted/);
    assert.equal((await target(duck)).length, 20);
    await assert.rejects(duck.runFlow(await deleting({ max_delete_share: 0 })), /more than the 0 %/);
    assert.deepEqual((await duck.runFlow(await deleting({ max_delete_share: 1 }))).publish, {
      ...nothing,
      inserted: 1,
      deleted: 11,
    });
  });
});

suite("replace with a key", () => {
  test("the table becomes the rows of the SELECT, each key once, and older rows too", async () => {
    await using duck = await FlowDuckDb.open();
    const flow = await flowOf(
      ordersRequest({ write_strategy: "replace", sequence_by: "updated_at", emit_surrogate_key: true }),
    );
    await fillShop(duck, [
      [1, 1, 10, "2026-01-03"],
      [1, 1, 11, "2026-01-02"],
      [2, 1, 20, "2026-01-01"],
    ]);
    const first = await duck.runFlow(flow);
    assert.equal(first.duplicates?.outranked, 1);
    const keys = await target(duck, "order_id, orders_sk");
    assert.deepEqual(await target(duck), ["1 10.00 DE", "2 20.00 DE"]);
    await fillShop(duck, [[1, 1, 9, "2026-01-01"]]);
    await duck.runFlow(flow);
    assert.deepEqual(await target(duck), ["1 9.00 DE"]);
    assert.deepEqual(await target(duck, "order_id, orders_sk"), keys.slice(0, 1));
    assert.deepEqual(await duck.failedChecks(flow), []);
  });
});

suite("a history that closes missing keys", () => {
  const history = (duck: FlowDuckDb) =>
    target(
      duck,
      "order_id, amount, valid_from::DATE::VARCHAR AS f, CASE WHEN valid_to IS NULL THEN 'open' WHEN valid_to > TIMESTAMPTZ '2026-06-01' THEN 'closed' ELSE valid_to::DATE::VARCHAR END AS t, is_current",
    );

  test("by a sequence: a key that is gone ends now, and one that comes back keeps the gap", async () => {
    await using duck = await FlowDuckDb.open();
    const closing = { scd_type: 2, sequence_by: "updated_at", close_missing_keys: true };
    const flow = await flowOf(ordersRequest({ ...closing, emit_surrogate_key: true }));
    await fillShop(duck, [
      [1, 1, 10, "2026-01-01"],
      [2, 1, 20, "2026-01-01"],
    ]);
    await duck.runFlow(flow);
    await fillShop(duck, [[1, 1, 10, "2026-01-01"]]);
    assert.deepEqual((await duck.runFlow(flow)).publish, { ...nothing, updated: 1 });
    assert.deepEqual((await duck.runFlow(flow)).publish, nothing, "it is closed once");
    const closed = ["1 10.00 2026-01-01 open true", "2 20.00 2026-01-01 closed false"];
    assert.deepEqual(await history(duck), closed);
    assert.deepEqual(await duck.failedChecks(flow), []);
    await fillShop(duck, [
      [1, 1, 10, "2026-01-01"],
      [2, 1, 20, "2026-01-01"],
    ]);
    await duck.runFlow(flow);
    assert.equal(
      (await history(duck)).at(-1),
      "2 20.00 2026-01-01 open true",
      "the same version is there again",
    );
    await fillShop(duck, [[1, 1, 10, "2026-01-01"]]);
    await duck.runFlow(flow);
    await fillShop(duck, [
      [1, 1, 10, "2026-01-01"],
      [2, 1, 21, "2099-01-01"],
    ]);
    await duck.runFlow(flow);
    assert.deepEqual(await history(duck), [...closed, "2 21.00 2099-01-01 open true"]);
    assert.deepEqual((await duck.runFlow(flow)).publish, nothing);
  });

  test("by run, and only for the date of the run", async () => {
    await using duck = await FlowDuckDb.open();
    const flow = await flowOf(
      ordersRequest({ scd_type: 2, close_missing_keys: true, business_date_column: "updated_at" }),
    );
    await fillShop(duck, [
      [1, 1, 10, "2026-01-01"],
      [2, 1, 20, "2026-01-02"],
    ]);
    await duck.runFlow(flow);
    await fillShop(duck, []);
    const { publish } = await duck.runFlow(flow, { businessDate: "2026-01-02" });
    assert.deepEqual(publish, { ...nothing, updated: 1 });
    assert.deepEqual(await target(duck, "order_id, is_current"), ["1 true", "2 false"]);
    assert.deepEqual((await duck.runFlow(flow, { businessDate: "2026-01-02" })).publish, nothing);
    await fillShop(duck, [[2, 1, 20, "2026-01-02"]]);
    await duck.runFlow(flow, { businessDate: "2026-01-02" });
    assert.deepEqual(await target(duck, "order_id, is_current"), ["1 true", "2 false", "2 true"]);
    assert.deepEqual(await duck.failedChecks(flow), []);
  });

  test("not too many at once", async () => {
    await using duck = await FlowDuckDb.open();
    const flow = await flowOf(ordersRequest({ scd_type: 2, close_missing_keys: true }));
    await fillShop(duck, many(20));
    await duck.runFlow(flow);
    await fillShop(duck, many(5));
    await assert.rejects(duck.runFlow(flow), /15 rows of shop\.marts\.orders would be closed/);
  });
});
