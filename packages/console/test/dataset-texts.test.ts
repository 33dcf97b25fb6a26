import assert from "node:assert/strict";
import { test } from "node:test";
import { keysOf, strategyOf } from "../src/pages/connectors/dataset-texts.ts";

test("a dataset whose changes come from a log shows what runs do, others what they were told", () => {
  const shown = (dataset: Parameters<typeof keysOf>[0]) => [strategyOf(dataset), keysOf(dataset)];
  const bare = { write_strategy: "append", primary_keys: null };
  assert.deepEqual(shown(bare), ["append", "–"]);
  assert.deepEqual(shown({ write_strategy: "upsert", primary_keys: ["id", "day"] }), ["upsert", "id, day"]);
  assert.deepEqual(shown({ ...bare, log_keys: ["id"] }), ["upsert and delete", "id"]);
  assert.deepEqual(shown({ ...bare, log_keys: [] }), ["upsert and delete", "all columns"]);
});
