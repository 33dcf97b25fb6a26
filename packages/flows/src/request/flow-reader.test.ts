/** All errors of a request are reported together, each with its location. */
import assert from "node:assert/strict";
import test from "node:test";
import type { ConsumptionFlowInput } from "@lakehelm/contract";
import { loadSqlParser } from "@lakehelm/sql";
import { column, keyless, nameDefaults, ordersRequest, recheck } from "../testing/requests.ts";
import { readFlow } from "./flow-reader.ts";

const sql = await loadSqlParser();
const problems = (more: Partial<ConsumptionFlowInput>) =>
  readFlow(ordersRequest(more), nameDefaults, sql).problems ?? [];
const withColumns = (...more: ReturnType<typeof column>[]): Partial<ConsumptionFlowInput> => {
  const { target_schema, matched_sql } = ordersRequest();
  const selected = more.map(({ name }) => `1 AS \`${name.replaceAll("`", "``")}\``);
  return {
    matched_sql: matched_sql.replace("SELECT", `SELECT ${selected.join(", ")},`),
    target_schema: { ...target_schema, columns: [...target_schema.columns, ...more] },
  };
};

test("columns and fields of a table that the catalog knows are checked", () => {
  const known = new Map([
    [
      "shop.sales.orders",
      { order_id: "BIGINT", customer_id: "BIGINT", amount: "DECIMAL(18,2)", updated_at: "TIMESTAMP" },
    ],
    ["shop.sales.customers", { customer_id: "BIGINT", address: "STRUCT<country: STRING>" }],
  ]);
  const found = (matched_sql: string, more: Partial<ConsumptionFlowInput> = {}) =>
    readFlow(ordersRequest({ matched_sql, ...more }), nameDefaults, sql, known).problems ?? [];
  const from = "FROM orders AS o JOIN customers AS c ON c.customer_id = o.customer_id";
  assert.deepEqual(found(`SELECT order_id, amount, address.country, updated_at ${from}`), []);
  assert.deepEqual(found(`SELECT o.*, c.address.country ${from}`), [], "* brings what is known");
  assert.deepEqual(
    found(`SELECT order_id, amuont AS amount, c.address.contry AS country, updated_at ${from}`),
    [
      "matched_sql, line 1, column 18: amuont is not a column of any table here. Did you mean amount?",
      "matched_sql, line 1, column 46: address has no field contry. Did you mean country?",
    ],
  );
  assert.match(found("SELECT * FROM orders").join(), /the column country of the target is missing/);
});

test("of a * with unknown columns, the target's columns are chosen by name; unmatched rows need a list", () => {
  const request = ordersRequest({ matched_sql: "SELECT o.*, 'DE' AS country FROM orders AS o" });
  const { flow } = readFlow(request, nameDefaults, sql);
  assert.deepEqual(flow?.matched.chosenByName, ["shop.sales.orders"]);
  assert.deepEqual(flow?.matched.lineage.amount, [{ table: "shop.sales.orders", column: "amount" }]);
  assert.deepEqual(flow?.matched.lineage.country, []);
  assert.match(
    problems({ unmatched_sql: "SELECT * FROM orders" }).join(),
    /^unmatched_sql, line 1, column 8: the columns of shop\.sales\.orders are unknown, so \* cannot be checked/,
  );
});

test("a valid request has no problems", () => {
  assert.deepEqual(problems({}), []);
  assert.deepEqual(
    problems({ ...recheck, sequence_by: "UPDATED_AT", business_date_column: "Updated_At" }),
    [],
  );
  assert.deepEqual(
    problems({ unmatched_sql: "", recheck_sql: "", sequence_by: "", business_date_column: "" }),
    [],
  );
});

test("all mistakes are reported at once, in the order of the request", () => {
  const found = problems({
    flow_name: "a\nb",
    source_tables: ["a.b.c.d", "orders", "customers"],
    trigger_type: "sometimes",
    matched_sql: "SELECT order_id,\n  amont AS amuont, nation FROM nations",
    scd_type: 3,
    sequence_by: "updatedat",
    business_date_column: "amount",
    cluster_by: ["country", "Country", "x", "order_id", "amount"],
    table_properties: { "": "a", location: "b" },
  });
  const expected = [
    /^flow_name: it contains a line end/,
    /^source_tables\[0\]: "a.b.c.d" is not a table name/,
    /^trigger_type: "sometimes" is not known. Expected scheduled, manual or table_update/,
    /^scd_type: 3 is not known/,
    /^sequence_by: "updatedat" is not a column of target_schema. Did you mean updated_at\?/,
    /^business_date_column: "amount" is DECIMAL\(18, 2\)/,
    /^table_properties, key "": a key is empty/,
    /^table_properties, key "location": the engine reserves this property/,
    /^matched_sql, line 2, column 32: shop\.sales\.nations is not a declared source table/,
    /^matched_sql, line 1, column 8: the column amount of the target is missing/,
    /^matched_sql, line 1, column 8: the column country of the target is missing/,
    /^matched_sql, line 1, column 8: the column updated_at of the target is missing/,
    /^matched_sql, line 2, column 12: amuont is not a column of the target\. Did you mean amount\?/,
    /^matched_sql, line 2, column 20: nation is not a column of the target/,
    /^cluster_by: it has 5 columns. Expected four at most/,
    /^cluster_by\[1\]: "Country" is already cluster_by\[0\]/,
    /^cluster_by\[2\]: "x" is not a column/,
  ];
  assert.equal(found.length, expected.length, found.join("\n"));
  for (const [at, pattern] of expected.entries()) assert.match(found[at] ?? "", pattern);
});

test("the columns of the SELECTs must match the target by name", () => {
  const found = problems({ matched_sql: "SELECT order_id, amount AS amuont, updated_at FROM orders" });
  assert.equal(found.length, 3);
  assert.ok(
    found.some((text) => /^matched_sql, line 1, column 8: the column amount .* is missing/.test(text)),
  );
  assert.ok(
    found.some((text) => /^matched_sql, line 1, column 8: the column country .* is missing/.test(text)),
  );
  assert.ok(
    found.some((text) =>
      /^matched_sql, line 1, column 28: amuont is not .* Did you mean amount\?/.test(text),
    ),
  );
});

test("only declared tables can be read, and the unmatched table only by recheck_sql", () => {
  assert.match(
    problems({ source_tables: ["orders"] })[0] ?? "",
    /^matched_sql, line 3, column 6: .*customers/,
  );
  const own = problems({ ...recheck, unmatched_sql: "SELECT order_id FROM marts.orders_unmatched" });
  assert.match(own[0] ?? "", /^unmatched_sql, line 1, column 22: /);
  const listed = ["orders", "customers", "marts.orders_unmatched"];
  assert.deepEqual(problems({ ...recheck, source_tables: listed }), [], "it may be listed, too");
});

test("recheck_sql needs unmatched_sql with the key columns", () => {
  assert.match(
    problems({ recheck_sql: "SELECT order_id, amount, 'x' AS country, updated_at FROM orders" }).join("\n"),
    /needs unmatched_sql too/,
  );
  const unmatched_sql = "SELECT o.customer_id, o.amount, o.updated_at FROM orders AS o";
  const recheck_sql =
    "SELECT customer_id AS order_id, amount, 'x' AS country, updated_at FROM marts.orders_unmatched";
  assert.match(
    problems({ unmatched_sql, recheck_sql }).join("\n"),
    /unmatched_sql: the key column order_id is missing/,
  );
  const found = readFlow(keyless(ordersRequest(recheck)), nameDefaults, sql).problems ?? [];
  assert.match(found.join("\n"), /recheck_sql: rechecked rows are removed from the unmatched table by key/);
  const reserved = problems({ unmatched_sql: "SELECT order_id, amount AS first_seen_at FROM orders" });
  assert.match(
    reserved.join("\n"),
    /unmatched_sql, line 1, column \d+: "first_seen_at" is a column that the flow adds itself/,
  );
});

test("names, types and texts of columns are checked", () => {
  const found = problems({
    ...withColumns(
      column("AMOUNT", "int"),
      column("valid_from", "int"),
      column("orders_sk", "int"),
      column("a", "text"),
      column("b", "map<string,int>", { pk: true }),
      column("lakehelm_rank", "int"),
      column("c", "int", { description: "\ud800", glossary_terms: ["a,b"] }),
    ),
    scd_type: 2,
    emit_surrogate_key: true,
  }).filter((text) => text.startsWith("target_schema"));
  const expected = [
    /^target_schema.columns\[4\].name: "AMOUNT" is already target_schema.columns\[1\]/,
    /^target_schema.columns\[5\].name: "valid_from" is a column that the flow adds itself/,
    /^target_schema.columns\[6\].name: "orders_sk" is a column that the flow adds itself/,
    /^target_schema.columns\[7\].type: "text" is not a type/,
    /^target_schema.columns\[8\].type: a key cannot be MAP<STRING, INT>/,
    /^target_schema.columns\[9\].name: names that begin with "lakehelm_" are reserved for the flow/,
    /^target_schema.columns\[10\].description: .*an unpaired surrogate/,
    /^target_schema.columns\[10\].glossary_terms: a term contains a comma/,
  ];
  assert.equal(found.length, expected.length, found.join("\n"));
  for (const [at, pattern] of expected.entries()) assert.match(found[at] ?? "", pattern);
  assert.deepEqual(
    problems(withColumns(column("valid_from", "int"), column("orders_sk", "int"))),
    [],
    "allowed otherwise",
  );
});

test("options that need a key are refused without one", () => {
  const found = readFlow(
    keyless(ordersRequest({ scd_type: 2, emit_surrogate_key: true, sequence_by: "updated_at" })),
    nameDefaults,
    sql,
  );
  assert.deepEqual(
    found.problems?.map((text) => text.split(":")[0]),
    ["scd_type", "emit_surrogate_key", "sequence_by"],
  );
});

test("clustering and sequence need types with an order", () => {
  const columns = [column("m", "map<string,int>"), column("f", "boolean")];
  const found = problems({ ...withColumns(...columns), sequence_by: "m", cluster_by: ["m", "f"] });
  assert.match(found[0] ?? "", /^sequence_by: "m" is MAP<STRING, INT>, which has no order/);
  assert.match(found[1] ?? "", /^cluster_by\[0\]: "m" is MAP/);
  assert.match(found[2] ?? "", /^cluster_by\[1\]: "f" is BOOLEAN/);
  assert.deepEqual(problems({ scd_type: 2, cluster_by: ["valid_from", "order_id"] }), []);
});

test("the column, the parent table and the parent column of a foreign key are checked", () => {
  const { target_schema } = ordersRequest();
  const foreign_keys = [{ column: "nation", parent_table: "a.b.c.d", parent_column: "" }];
  const found = problems({ target_schema: { ...target_schema, foreign_keys } });
  assert.deepEqual(
    found.map((text) => text.split(":")[0]),
    ["column", "parent_table", "parent_column"].map((field) => `target_schema.foreign_keys[0].${field}`),
  );
});

test("a schedule is checked whether it is used or not", () => {
  assert.match(problems({ trigger_type: "scheduled" })[0] ?? "", /^schedule: it is missing/);
  const schedule = { cron: "61 * * * *", timezone: "Europe/Nowhere" };
  for (const trigger_type of ["scheduled", "manual"]) {
    const found = problems({ trigger_type, schedule });
    assert.match(found[0] ?? "", /^schedule.cron: /);
    assert.match(found[1] ?? "", /^schedule.timezone: /);
  }
  assert.match(
    problems({ trigger_type: "table_update", source_tables: [] })[0] ?? "",
    /^source_tables: it is empty/,
  );
  assert.match(
    problems({ source_tables: ["orders", "customers", "marts.orders"] })[0] ?? "",
    /the flow's own target/,
  );
});

test("the strategy must fit the key, scd_type and its options", () => {
  for (const [more, field] of [
    [{ write_strategy: "merge", scd_type: 2 }, "write_strategy"],
    [{ write_strategy: "history", scd_type: 1 }, "write_strategy"],
    [{ close_missing_keys: true }, "close_missing_keys"],
    [{ max_delete_share: 0.1 }, "max_delete_share"],
    [{ write_strategy: "merge_and_delete", max_delete_share: 1.5 }, "max_delete_share"],
    [{ write_strategy: "merge_and_delete", max_delete_share: Number.NaN }, "max_delete_share"],
    [{ write_strategy: "history", sequence_by: "amount", close_missing_keys: true }, "close_missing_keys"],
  ] as const)
    assert.deepEqual(
      problems(more).map((problem) => problem.split(":", 1)[0]),
      [field],
      JSON.stringify(more),
    );
  for (const write_strategy of ["merge", "merge_and_delete", "history"] as const) {
    const found = readFlow(keyless(ordersRequest({ write_strategy })), nameDefaults, sql);
    assert.match(found.problems?.join() ?? "", /^write_strategy: .* needs "pk": true\.$/);
  }
  for (const write_strategy of ["merge", "merge_and_delete", "replace", "history"] as const)
    assert.deepEqual(problems({ write_strategy }), []);
});
