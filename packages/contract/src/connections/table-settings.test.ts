import assert from "node:assert/strict";
import { test } from "node:test";
import { readTables } from "./index.ts";

const read = (items: object[], config: Record<string, unknown> = {}) =>
  readTables(
    items.map((item) => ({
      source_dataset: "s.orders",
      target_name: "orders",
      pii_suppressed: false,
      ...item,
    })),
    config,
    "connection.config",
  );
const problemOf = (item: object, config: Record<string, unknown> = {}) =>
  read([item], config).problems.join("\n");

test("the default strategy is upsert with keys and append without", () => {
  assert.equal(read([{ primary_keys: ["id"] }]).tables[0]?.strategy, "upsert");
  assert.equal(read([{}]).tables[0]?.strategy, "append");
  assert.equal(read([{ primary_keys: null }]).tables[0]?.strategy, "append");
});

test("the maps of the config complete an item by its dataset or target, and the item takes precedence", () => {
  const config = { primary_keys: { "s.orders": ["a"], orders: ["b"] }, watermark_columns: { orders: "at" } };
  assert.deepEqual(read([{}], config).tables[0], {
    ...{
      source: "s.orders",
      target: "orders",
      watermark: "at",
      keys: ["a"],
      strategy: "upsert",
      leftOut: [],
    },
  });
  const own = read([{ primary_keys: ["c"], watermark_column: "mine" }], config).tables[0];
  assert.deepEqual([own?.keys, own?.watermark], [["c"], "mine"]);
});

test("names of object properties are ordinary names", () => {
  assert.deepEqual(read([{ source_dataset: "constructor" }], { primary_keys: {} }).tables[0]?.keys, []);
});

test("columns with personal data are excluded if they are listed, and otherwise it is a problem", () => {
  const table = read([{ pii_suppressed: true }], { pii_columns: ["Email"] }).tables[0];
  assert.deepEqual(table?.leftOut, ["Email"]);
  assert.match(problemOf({ pii_suppressed: true }), /no columns with personal data are known/);
  const all = { pii_suppressed: true, primary_keys: ["ID"], watermark_column: "AT" };
  assert.equal(
    problemOf(all, { pii_columns: ["id", "at"] }),
    [
      'table_configs[0]: "ID" is a primary key, so it cannot be excluded as personal data.',
      'table_configs[0]: "AT" is the watermark, so it cannot be excluded as personal data.',
    ].join("\n"),
  );
});

for (const [item, config, expected] of [
  [{ primary_keys: "id" }, {}, /primary_keys must be a list of column names/],
  [{ primary_keys: [1] }, {}, /primary_keys must be a list of column names/],
  [{ primary_keys: ["id", "ID"] }, {}, /"ID" is listed twice/],
  [{ primary_keys: ["$\u007bx}"] }, {}, /Spark and bundles would replace/],
  [{ watermark_column: 5 }, {}, /watermark_column must be the name of a column/],
  [{ watermark_column: "" }, {}, /watermark_column: a name is empty/],
  [{ write_strategy: "merge" }, {}, /write_strategy must be one of upsert, append, replace/],
  [{ write_strategy: "upsert" }, {}, /"upsert" requires primary_keys/],
  [{ write_strategy: "replace", watermark_column: "at" }, {}, /remove watermark_column/],
  [{}, { primary_keys: ["id"] }, /connection\.config\.primary_keys: it must be a map/],
  [{}, { watermark_columns: { orders: 1 } }, /connection\.config\.watermark_columns: it must be a map/],
  [{}, { pii_columns: "email" }, /connection\.config\.pii_columns: it must be a list/],
] as const) {
  test(`problem: ${JSON.stringify(item)} with ${JSON.stringify(config)}`, () => {
    assert.match(problemOf(item, config), expected);
  });
}

test("at least one table is required, and targets are unique", () => {
  assert.deepEqual(read([]).problems, ["table_configs is empty: there is nothing to move."]);
  assert.deepEqual(read([{ target_name: "a" }, { target_name: "A" }]).problems, [
    'table_configs[1]: the target "A" is already used by table_configs[0].',
  ]);
});
