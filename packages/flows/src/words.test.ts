/** Flows whose columns are named like keywords and functions, on a real engine. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowDuckDb } from "./testing/duckdb.ts";
import { column, flowOf, ordersRequest } from "./testing/requests.ts";
import { fillShop } from "./testing/shop.ts";

/** Functions that need no parentheses. The list of keywords does not contain them. */
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

test("the times that a flow writes are those of its run, whatever its columns are named", async () => {
  await using duck = await FlowDuckDb.open();
  await fillShop(duck, [[1, 1, 7, null]]);
  const base = ordersRequest();
  const past = "TIMESTAMPTZ '2020-05-05 00:00:00+00'";
  const columns = [
    column("order_id", "bigint", { pk: true }),
    ...functions.map((word) => column(word, "timestamp")),
  ];
  const orders = (ids: string) =>
    duck.run(
      `CREATE OR REPLACE TABLE shop.sales.orders AS SELECT order_id, ${functions.map((word) => `${past} AS "${word}"`).join(", ")} FROM (VALUES ${ids}) AS t (order_id)`,
    );
  const select = `SELECT o.order_id, ${functions.map((word) => `\`${word}\``).join(", ")} FROM orders AS o`;
  for (const more of [{}, { sequence_by: "current_timestamp" }]) {
    await duck.run(
      "DROP TABLE IF EXISTS shop.marts.orders; DROP TABLE IF EXISTS shop.marts.orders_unmatched",
    );
    await orders("(1), (2)");
    const flow = await flowOf({
      ...base,
      ...more,
      scd_type: 2,
      close_missing_keys: true,
      max_delete_share: 1,
      source_tables: ["orders"],
      matched_sql: select,
      unmatched_sql: select,
      target_schema: { ...base.target_schema, columns },
    });
    await duck.runFlow(flow);
    await orders("(1)");
    await duck.runFlow(flow);
    const isOfRun = (name: string) => `${name} > TIMESTAMPTZ '2025-01-01 00:00:00+00'`;
    const begins = "sequence_by" in more ? "true" : isOfRun("valid_from");
    const [row] = await duck.rows(
      `SELECT (SELECT bool_and(${begins}) FROM shop.marts.orders) AS begins, (SELECT bool_and(${isOfRun("valid_to")}) FROM shop.marts.orders WHERE NOT is_current) AS ends, (SELECT bool_and(${isOfRun("first_seen_at")}) FROM shop.marts.orders_unmatched) AS seen`,
    );
    assert.deepEqual(row, { begins: true, ends: true, seen: true });
  }
});
