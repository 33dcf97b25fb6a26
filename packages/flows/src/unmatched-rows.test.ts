/** Unmatched rows: kept once, rechecked in each run, and removed when they are published. */
import assert from "node:assert/strict";
import test from "node:test";
import { FlowDuckDb } from "./testing/duckdb.ts";
import { flowOf, ordersRequest, recheck } from "./testing/requests.ts";
import { defaultCustomers, fillShop, type OrderRow } from "./testing/shop.ts";

const request = ordersRequest({ ...recheck, sequence_by: "updated_at" });
const values = (rows: Record<string, unknown>[]) => rows.map((row) => Object.values(row).join(" "));
const unmatched = (duck: FlowDuckDb) =>
  duck
    .rows("SELECT order_id, customer_id, amount FROM shop.marts.orders_unmatched ORDER BY ALL")
    .then(values);
const published = (duck: FlowDuckDb) =>
  duck.rows("SELECT order_id, amount, country FROM shop.marts.orders ORDER BY ALL").then(values);

test("a row is kept once, with the moment it was first firstSeen", async () => {
  await using duck = await FlowDuckDb.open();
  const flow = await flowOf(request);
  await fillShop(duck, [
    [1, 9, 10, "2026-01-01"],
    [1, 9, 10, "2026-01-01"],
    [2, 9, null, null],
    [3, 1, 30, null],
  ]);
  assert.equal((await duck.runFlow(flow)).keep?.inserted, 2);
  const firstSeen = await duck.rows(
    "SELECT first_seen_at FROM shop.marts.orders_unmatched ORDER BY order_id",
  );
  assert.equal((await duck.runFlow(flow)).keep?.inserted, 0);
  assert.deepEqual(await unmatched(duck), ["1 9 10", "2 9 "]);
  assert.deepEqual(
    await duck.rows("SELECT first_seen_at FROM shop.marts.orders_unmatched ORDER BY order_id"),
    firstSeen,
  );
  await fillShop(duck, [[1, 9, 10, "2026-01-01 00:00:00.000001"]]);
  assert.equal((await duck.runFlow(flow)).keep?.inserted, 1, "a microsecond makes another row");
});

test("a row that matches later is published and removed, even if the source no longer has it", async () => {
  await using duck = await FlowDuckDb.open();
  const flow = await flowOf(request);
  await fillShop(duck, [
    [1, 9, 10, "2026-01-01"],
    [2, 8, 20, "2026-01-01"],
  ]);
  await duck.runFlow(flow);
  await fillShop(duck, [], [...defaultCustomers, [9, "XX"]]);
  const counts = await duck.runFlow(flow);
  assert.deepEqual([counts.publish?.inserted, counts.leave?.deleted, counts.keep?.inserted], [1, 1, 0]);
  assert.deepEqual(await published(duck), ["1 10.00 XX"]);
  assert.deepEqual(await unmatched(duck), ["2 8 20"]);
  const again = await duck.runFlow(flow);
  assert.deepEqual([again.publish?.inserted, again.leave?.deleted], [0, 0]);
});

test("a rechecked row is ordered by sequence like any other", async () => {
  await using duck = await FlowDuckDb.open();
  const flow = await flowOf(request);
  await fillShop(duck, [[1, 9, 10, "2026-01-05"]]);
  await duck.runFlow(flow);
  await fillShop(duck, [[1, 1, 99, "2026-01-06"]], [...defaultCustomers, [9, "XX"]]);
  await duck.runFlow(flow);
  assert.deepEqual(await published(duck), ["1 99.00 DE"], "the newer one wins");
  assert.deepEqual(await unmatched(duck), [], "and the older one is removed");
});

test("a key that is rechecked and unmatched again in the same run is kept with its new row", async () => {
  await using duck = await FlowDuckDb.open();
  const flow = await flowOf(request);
  await fillShop(duck, [[1, 9, 10, "2026-01-01"]]);
  await duck.runFlow(flow);
  await fillShop(duck, [[1, 7, 11, "2026-01-02"]], [...defaultCustomers, [9, "XX"]]);
  await duck.runFlow(flow);
  assert.deepEqual(await published(duck), ["1 10.00 XX"]);
  assert.deepEqual(await unmatched(duck), ["1 7 11"]);
});

for (const more of [
  {},
  { sequence_by: "updated_at" },
  { scd_type: 2, sequence_by: "updated_at" },
  { scd_type: 2 },
]) {
  test(`a matched row wins over a rechecked row with the same key (${JSON.stringify(more)})`, async () => {
    await using duck = await FlowDuckDb.open();
    const flow = await flowOf(ordersRequest({ ...recheck, ...more }));
    await fillShop(duck, [[1, 9, 99, "2026-01-01"]]);
    await duck.runFlow(flow);
    await fillShop(duck, [[1, 1, 10, "2026-01-01"]], [...defaultCustomers, [9, "XX"]]);
    await duck.runFlow(flow);
    assert.deepEqual(await published(duck), ["1 10.00 DE"]);
    assert.deepEqual(await unmatched(duck), []);
  });
}

test("with a business date only its rows are rechecked and kept", async () => {
  await using duck = await FlowDuckDb.open();
  const flow = await flowOf({ ...request, business_date_column: "updated_at" });
  const orders: OrderRow[] = [
    [1, 9, 10, "2026-01-01"],
    [2, 9, 20, "2026-01-02"],
  ];
  await fillShop(duck, orders);
  await duck.runFlow(flow, { businessDate: "2026-01-01" });
  assert.deepEqual(await unmatched(duck), ["1 9 10"]);
  await duck.runFlow(flow);
  await fillShop(duck, orders, [...defaultCustomers, [9, "XX"]]);
  await duck.runFlow(flow, { businessDate: "2026-01-02" });
  assert.deepEqual(await published(duck), ["2 20.00 XX"]);
  assert.deepEqual(await unmatched(duck), ["1 9 10"]);
});
