import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { openShop, type TestShop } from "../testing/shop.ts";

const stopped = /LIMIT_EXCEEDED/;

suite("functions that cannot be interrupted", () => {
  let shop: TestShop;
  before(async () => {
    shop = await openShop();
  });
  after(() => shop[Symbol.asyncDispose]());

  for (const sql of [
    "SELECT repeat('x', 300000000)",
    "SELECT repeat('x', 2000000 + id) FROM orders",
    "SELECT length(rpad('x', 300000000, 'y'))",
    "SELECT lpad('x', 300000000, 'y')",
    "SELECT levenshtein(repeat('a', 300000), repeat('b', 300000))",
    "SELECT CASE WHEN id > 0 THEN repeat('x', 300000000) END FROM orders",
    "WITH t AS (SELECT repeat('x', 300000000) AS a) SELECT length(a) FROM t",
  ]) {
    for (const dialect of ["databricks", "duckdb"] as const) {
      test(`${dialect}: ${sql} fails at once`, async () => {
        const started = performance.now();
        assert.match(await shop.errorMessage(sql, { dialect }), stopped);
        assert.ok(performance.now() - started < 10_000);
      });
    }
  }

  for (const sql of ["SELECT damerau_levenshtein(repeat('a', 300000), repeat('b', 300000))"]) {
    test(`duckdb: ${sql} fails at once`, async () =>
      assert.match(await shop.errorMessage(sql, { dialect: "duckdb" }), stopped));
  }

  test("usual arguments have usual results and names", async () => {
    for (const dialect of ["databricks", "duckdb"] as const) {
      const { rows, columns } = await shop.query(
        "SELECT repeat('ab', 2), repeat('x', id), rpad('x', 3, 'y'), lpad(customer, id + 3, '.'), levenshtein('ab', customer) FROM orders WHERE id = 1",
        { dialect },
      );
      assert.deepEqual(rows, [["abab", "x", "xyy", ".ada", 2]]);
      assert.equal(columns[1]?.name, "repeat('x', id)");
    }
  });
});
