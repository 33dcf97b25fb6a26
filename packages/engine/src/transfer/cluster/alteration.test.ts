import assert from "node:assert/strict";
import { test } from "node:test";
import type { TableChange } from "@lakehelm/contract/changes";
import { databricksType } from "../../protocol/types.ts";
import { widerOnDelta } from "../../warehouse/type-widening.ts";
import { planDeltaAlteration, wideningStatements } from "./alteration.ts";

const table = { catalog: "main", schema: "shop", table: "orders" };
const before = [
  { name: "Id", type: "INT" },
  { name: "a`b", type: "STRING" },
];
const statements = (change: TableChange) => planDeltaAlteration(table, before, [change]).statements;

test("each change is one statement, after the properties that it needs", () => {
  assert.deepEqual(statements({ change: "move", column: "A`B", after: null }), [
    "ALTER TABLE main.shop.orders ALTER COLUMN `a``b` FIRST",
  ]);
  assert.match(statements({ change: "drop", column: "id" }).at(-1) ?? "", /DROP COLUMNS \(Id\)$/);
  assert.match(
    statements({ change: "rename", column: "id", name: "x`; y" }).at(-1) ?? "",
    /RENAME COLUMN Id TO `x``; y`$/,
  );
  assert.match(
    statements({ change: "set_type", column: "id", type: "long" }).at(-1) ?? "",
    /Id TYPE BIGINT$/,
  );
  assert.deepEqual(statements({ change: "set_type", column: "id", type: "integer" }), []);
  assert.deepEqual(statements({ change: "move", column: "id", after: null }), []);
});

test("every type becomes another one if Delta can widen it, and is refused otherwise", () => {
  const types = [
    "TINYINT",
    "SMALLINT",
    "INTEGER",
    "BIGINT",
    "FLOAT",
    "DOUBLE",
    "DECIMAL(10,2)",
    "DECIMAL(20,0)",
  ];
  const all = [...types, "VARCHAR", "DATE", "TIMESTAMP", "BOOLEAN", "BLOB", "INTEGER[]"];
  const outcomes = { widened: 0, refused: 0 };
  for (const from of all) {
    for (const to of all.filter((type) => type !== from)) {
      const plan = () =>
        planDeltaAlteration(
          table,
          [{ name: "v", type: databricksType(from) }],
          [{ change: "set_type", column: "v", type: databricksType(to) }],
        );
      if (widerOnDelta(from, to) === to) {
        assert.match(plan().statements.at(-1) ?? "", / TYPE /, `${from} to ${to}`);
        outcomes.widened += 1;
      } else {
        assert.throws(plan, /Delta only widens types/, `${from} to ${to}`);
        outcomes.refused += 1;
      }
    }
  }
  assert.ok(outcomes.widened > 10 && outcomes.refused > 50, JSON.stringify(outcomes));
  for (const type of ["VARCHAR(3)", "NUMBER", "INT; DROP TABLE x"])
    assert.throws(() => statements({ change: "set_type", column: "id", type }), /is not a type/);
  assert.throws(() => planDeltaAlteration(table, before, []), /one change at a time/);
});

test("a column that gets values of another type is widened, stays, or cannot hold them", () => {
  const widening = (from: string, to: string) => wideningStatements(table, "v", from, to);
  assert.deepEqual(widening("INT", "BIGINT"), [
    "ALTER TABLE main.shop.orders SET TBLPROPERTIES ('delta.enableTypeWidening' = 'true')",
    "ALTER TABLE main.shop.orders ALTER COLUMN v TYPE BIGINT",
  ]);
  assert.match(widening("DECIMAL(10,2)", "decimal(12, 4)")?.at(-1) ?? "", /TYPE DECIMAL\(12,\s*4\)$/);
  for (const [from, to] of [
    ["BIGINT", "int"],
    ["STRING", "DATE"],
    ["VARIANT", "variant"],
  ] as const)
    assert.deepEqual(widening(from, to), [], `${from}, ${to}`);
  for (const [from, to] of [
    ["DECIMAL(12,4)", "DECIMAL(12,6)"],
    ["DATE", "BIGINT"],
    ["INT", "VARIANT"],
  ] as const)
    assert.equal(widening(from, to), undefined, `${from}, ${to}`);
});
