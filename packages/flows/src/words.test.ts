/** Flows whose columns are named like keywords and functions, on a real engine. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowDuckDb } from "./testing/duckdb.ts";
import { column, flowOf, ordersRequest } from "./testing/requests.ts";
import { fillShop } from "./testing/shop.ts";

/** Functions that need no parentheses are not in the list of keywords. */
const functions =
  `current_date current_time current_timestamp current_user session_user current_catalog current_schema
  localtimestamp localtime user current_role curdate getdate now pi`.split(/\s+/);

test("every keyword of DuckDB and every function without parentheses can be a column", async () => {
  await using duck = await FlowDuckDb.open();
  const found = await duck.rows("SELECT keyword_name FROM duckdb_keywords()");
  const words = [...new Set([...functions, ...found.map((row) => String(row.keyword_name))])];
  assert.ok(words.length > 400);
  await fillShop(duck, [[1, 1, 7, null]]);
  const base = ordersRequest();
  for (const more of [{}, { write_strategy: "merge_and_delete" as const }]) {
    await duck.run("DROP TABLE IF EXISTS shop.marts.orders");
    const columns = [column("order_id", "bigint", { pk: true }), ...words.map((word) => column(word, "int"))];
    await duck.run(
      `CREATE OR REPLACE TABLE shop.sales.orders AS SELECT 1 AS order_id, ${words.map((word) => `7 AS "${word}"`).join(", ")}`,
    );
    const flow = await flowOf({
      ...base,
      ...more,
      source_tables: ["orders"],
      matched_sql: `SELECT o.order_id, ${words.map((word) => `\`${word}\``).join(", ")} FROM orders AS o`,
      target_schema: { ...base.target_schema, columns },
    });
    assert.equal((await duck.runFlow(flow)).publish?.inserted, 1);
    const [row] = await duck.rows("SELECT * EXCLUDE (order_id) FROM shop.marts.orders");
    assert.deepEqual(
      new Set(Object.values(row ?? {})),
      new Set([7]),
      "columns, not the results of functions",
    );
    assert.deepEqual(await duck.failedChecks(flow), []);
  }
});
