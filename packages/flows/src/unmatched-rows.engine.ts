/** A flow that keeps unmatched rows crashes before each of its steps and is run again. */
import assert from "node:assert/strict";
import test from "node:test";
import { planFlow } from "./plan.ts";
import { FlowDuckDb } from "./testing/duckdb.ts";
import { flowOf, ordersRequest, recheck } from "./testing/requests.ts";
import { defaultCustomers, fillShop, type OrderRow } from "./testing/shop.ts";

const values = (rows: Record<string, unknown>[]) => rows.map((row) => Object.values(row).join(" "));

const unmatched = (duck: FlowDuckDb) =>
  duck
    .rows("SELECT order_id, customer_id, amount FROM shop.marts.orders_unmatched ORDER BY ALL")
    .then(values);

for (const more of [
  { sequence_by: "updated_at" },
  { scd_type: 2, sequence_by: "updated_at" },
  { scd_type: 2 },
]) {
  test(`a run that crashes before any step and is repeated has the same result (${JSON.stringify(more)})`, async () => {
    const flow = await flowOf(ordersRequest({ ...recheck, ...more }));
    const { read, publish, keep } = planFlow(flow);
    const outcome = async (until: string) => {
      await using duck = await FlowDuckDb.open();
      await fillShop(duck, [
        [1, 9, 10, "2026-01-01"],
        [2, 1, 20, "2026-01-01"],
      ]);
      await duck.runFlow(flow);
      const later: OrderRow[] = [
        [1, 9, 10, "2026-01-01"],
        [2, 1, 21, "2026-01-02"],
        [3, 7, 30, "2026-01-01"],
      ];
      await fillShop(duck, later, [...defaultCustomers, [9, "XX"]]);
      if (until) await duck.runFlow(flow, { until });
      await duck.runFlow(flow);
      const columns = flow.publishing === "upsert" ? "" : ", is_current";
      const rows = await duck.rows(
        `SELECT order_id, amount, country${columns} FROM shop.marts.orders ORDER BY ALL`,
      );
      return { rows: values(rows), unmatched: await unmatched(duck) };
    };
    const whole = await outcome("");
    assert.deepEqual(whole.unmatched, ["3 7 30"]);
    for (const { name } of [...read, ...publish, ...keep]) {
      assert.deepEqual(await outcome(name), whole, `crash before ${name}`);
    }
  });
}
