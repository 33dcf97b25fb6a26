import assert from "node:assert/strict";
import { test } from "node:test";
import { choiceFor, datasetOf, targetName } from "../src/pages/connectors/wizard/choices.ts";
import { cronOf } from "../src/pages/connectors/wizard/schedules.ts";

test("a table is written under the last part of its name", () => {
  for (const [source, target] of [
    ["public.orders", "orders"],
    ["in/2026/Orders.csv", "orders"],
    ["orders-new.jsonl.gz", "orders_new"],
    ["orders", "orders"],
    ["…", "_"],
  ] as const)
    assert.equal(targetName(source), target);
});

test("a table with a key is read by its best watermark, one without is read whole", () => {
  const offered = { name: "public.orders", watermark_candidates: ["updated_at"] };
  const keyed = choiceFor({ ...offered, primary_keys: ["id", "day"] }, []);
  assert.deepEqual(datasetOf("public.orders", keyed), {
    source_dataset: "public.orders",
    target_name: "orders",
    primary_keys: ["id", "day"],
    watermark_column: "updated_at",
  });
  const plain = choiceFor({ ...offered, primary_keys: [] }, []);
  assert.deepEqual(datasetOf("public.orders", plain), {
    source_dataset: "public.orders",
    target_name: "orders",
  });
});

test("a schedule in words is a cron expression", () => {
  assert.equal(cronOf("day", "06:05", ""), "5 6 * * *");
  assert.equal(cronOf("weekday", "18:30", ""), "30 18 * * 1-5");
  assert.equal(cronOf("custom", "", " 0 0 1 * * "), "0 0 1 * *");
  assert.equal(cronOf("manual", "06:00", ""), null);
});
