/** Flows on a real warehouse: every publication strategy, repeated, aborted and crashed. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, suite, test } from "node:test";
import type { ConsumptionFlowInput } from "@lakehelm/contract";
import {
  type CustomerRow,
  column,
  defaultCustomers,
  fillStatements,
  keyless,
  type OrderRow,
  ordersRequest,
  recheck,
} from "@lakehelm/flows/testing";
import type { FlowResult } from "../protocol/flow.ts";
import { Warehouse } from "../warehouse/warehouse.ts";
import { runFlow } from "./flow-run.ts";

const scope = { environment: "test", catalog: "shop", schema: "sales" };
const orders = "shop.marts.orders";
const noChanges = {
  ...{ inserted: 0, updated: 0, deleted: 0, unmatched: 0, duplicates: 0 },
  ...{ changed: [], remarks: [], failedChecks: [] },
};

let warehouse: Warehouse;
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "lakehelm-flows-"));
  warehouse = await Warehouse.open({ folder, memoryMb: 256, threads: 2 });
  await warehouse.createSchema({ catalog: "shop", schema: "sales", table: "" });
});
after(async () => {
  warehouse.close();
  await rm(folder, { recursive: true });
});
beforeEach(() =>
  execute(
    "DROP SCHEMA IF EXISTS shop.marts CASCADE",
    "DELETE FROM shop._lakehelm.versions",
    "DELETE FROM shop._lakehelm.tags",
  ),
);

async function execute(...statements: string[]): Promise<void> {
  const connection = await warehouse.connect();
  for (const statement of statements) await connection.run(statement);
  connection.closeSync();
}

async function rows(sql: string): Promise<string[]> {
  const connection = await warehouse.connect();
  const read = await connection.runAndReadAll(sql);
  connection.closeSync();
  return read.getRowsJson().map((row) => row.join(" "));
}

const fillShop = (orders: readonly OrderRow[], customers: readonly CustomerRow[] = defaultCustomers) =>
  execute(...fillStatements("TIMESTAMPTZ", "VARCHAR", "", orders, customers));
const published = (columns = "order_id, amount, country") =>
  rows(`SELECT ${columns} FROM shop.marts.orders ORDER BY ALL`);
const unmatched = () =>
  rows("SELECT order_id, customer_id, amount FROM shop.marts.orders_unmatched ORDER BY ALL");
const versions = () => rows(`SELECT "schema", "table", version FROM shop._lakehelm.versions ORDER BY ALL`);

interface FlowRunOptions {
  readonly businessDate?: string;
  readonly fullRefresh?: boolean;
  readonly signal?: AbortSignal;
  readonly crashPoint?: (step: string) => void;
}

const run = (
  flow: ConsumptionFlowInput,
  {
    businessDate,
    fullRefresh = false,
    signal = new AbortController().signal,
    crashPoint = () => {},
  }: FlowRunOptions = {},
): Promise<FlowResult> =>
  runFlow(
    warehouse,
    {
      scope,
      flow: { ...flow },
      businessDate: businessDate ?? null,
      maxDrift: 0.5,
      run: "run-1",
      fullRefresh,
    },
    { signal, crashPoint, log: () => {}, now: () => "2026-03-01T12:00:00.000Z" },
  );

test("an upsert takes the newest row of each key, and a second run changes nothing", async () => {
  const flow = ordersRequest({ sequence_by: "updated_at" });
  await fillShop([
    [1, 1, 11, "2026-01-02"],
    [1, 1, 10, "2026-01-01"],
    [2, 2, 20, "2026-01-01"],
  ]);
  const first = await run(flow);
  assert.deepEqual(first, {
    ...noChanges,
    ...{ inserted: 2, duplicates: 1, changed: [orders], remarks: first.remarks },
  });
  assert.deepEqual(
    first.remarks.map(({ level }) => level),
    ["info"],
  );
  assert.deepEqual(await published(), ["1 11.00 DE", "2 20.00 FR"]);
  const before = await versions();
  assert.deepEqual(before, ["marts orders 1", "marts orders_quality 1"]);
  assert.deepEqual(await run(flow), { ...noChanges, duplicates: 1, remarks: first.remarks });
  assert.deepEqual(await versions(), before, "no trigger fires");
  await fillShop([[2, 2, 21, "2026-01-03"]]);
  assert.deepEqual(await run(flow), { ...noChanges, updated: 1, changed: [orders] });
  assert.deepEqual(await versions(), ["marts orders 2", "marts orders_quality 2"]);
});

test("a run that only adds rows is not recorded as a rewrite of the table", async () => {
  const flow = ordersRequest({ sequence_by: "updated_at" });
  const rewritten = () =>
    rows(`SELECT "table", version, rewritten FROM shop._lakehelm.versions WHERE "table" = 'orders'`);
  await fillShop([[1, 1, 10, "2026-01-01"]]);
  await run(flow);
  assert.deepEqual(await rewritten(), ["orders 1 1"], "the table was created");
  await fillShop([[2, 2, 20, "2026-01-01"]]);
  await run(flow);
  assert.deepEqual(await rewritten(), ["orders 2 1"]);
  await fillShop([[2, 2, 21, "2026-01-02"]]);
  await run(flow);
  assert.deepEqual(await rewritten(), ["orders 3 3"]);
});

test("only a run that creates its table, or builds it again, is recorded as a replacement of all rows", async () => {
  const recreated = () => rows(`SELECT recreated FROM shop._lakehelm.versions WHERE "table" = 'orders'`);
  await fillShop([[1, 1, 10, "2026-01-01"]]);
  await run(ordersRequest());
  await fillShop([[1, 1, 11, "2026-01-01"]]);
  await run(ordersRequest());
  assert.deepEqual(await recreated(), ["1"]);
  await run(ordersRequest(), { fullRefresh: true });
  assert.deepEqual(await recreated(), ["3"]);
});

test("SCD type 2 keeps every version of a row, each with its own surrogate key", async () => {
  const flow = ordersRequest({ scd_type: 2, sequence_by: "updated_at", emit_surrogate_key: true });
  await fillShop([[1, 1, 10, "2026-01-01"]]);
  assert.equal((await run(flow)).inserted, 1);
  await fillShop([[1, 1, 20, "2026-02-01"]]);
  assert.deepEqual(await run(flow), { ...noChanges, inserted: 1, updated: 1, changed: [orders] });
  assert.deepEqual(await run(flow), noChanges);
  const shown = "amount, valid_from::DATE, coalesce(valid_to::DATE::VARCHAR, 'now'), is_current";
  assert.deepEqual(await published(shown), [
    "10.00 2026-01-01 2026-02-01 false",
    "20.00 2026-02-01 now true",
  ]);
  assert.deepEqual(await published("count(DISTINCT orders_sk)"), ["2"]);
});

test("without sequence_by, a version begins at the time of the run that read it", async () => {
  const flow = ordersRequest({ scd_type: 2 });
  await fillShop([[1, 1, 10, null]]);
  await run(flow);
  assert.deepEqual(await run(flow), noChanges);
  await fillShop([[1, 1, 11, null]]);
  const done = await run(flow);
  assert.deepEqual([done.inserted, done.updated], [1, 1]);
  assert.deepEqual(await published("amount, is_current"), ["10.00 false", "11.00 true"]);
});

test("unmatched rows are stored, and published once they match", async () => {
  const flow = ordersRequest({ ...recheck, sequence_by: "updated_at" });
  await fillShop([
    [1, 1, 10, "2026-01-01"],
    [2, 9, 20, "2026-01-01"],
  ]);
  const first = await run(flow);
  assert.deepEqual(first, {
    ...noChanges,
    inserted: 1,
    unmatched: 1,
    changed: [orders, `${orders}_unmatched`],
  });
  assert.deepEqual(await unmatched(), ["2 9 20"]);
  assert.deepEqual(await run(flow), noChanges);
  await fillShop([], [...defaultCustomers, [9, "XX"]]);
  const second = await run(flow);
  assert.equal(second.inserted, 1);
  assert.deepEqual(second.changed, [orders, `${orders}_unmatched`, `${orders}_rechecked`]);
  assert.deepEqual(await published(), ["1 10.00 DE", "2 20.00 XX"]);
  assert.deepEqual(await unmatched(), []);
  assert.deepEqual(await run(flow), noChanges);
});

test("without a key, a run replaces all rows; the same rows again are no change", async () => {
  const flow = keyless(ordersRequest());
  await fillShop([
    [1, 1, 10, null],
    [1, 1, 10, null],
  ]);
  assert.equal((await run(flow)).inserted, 2);
  assert.deepEqual(await run(flow), noChanges);
  await fillShop([[2, 1, 20, null]]);
  assert.deepEqual(await run(flow), { ...noChanges, inserted: 1, deleted: 2, changed: [orders] });
  assert.deepEqual(await published(), ["2 20.00 DE"]);
});

suite("a business date", () => {
  const flow = keyless(ordersRequest({ business_date_column: "updated_at" }));

  test("replaces only the rows of that date", async () => {
    await fillShop([
      [1, 1, 10, "2026-01-01"],
      [2, 1, 20, "2026-01-02"],
    ]);
    await run(flow);
    await fillShop([[3, 1, 30, "2026-01-01 23:00:00"]]);
    const done = await run(flow, { businessDate: "2026-01-01" });
    assert.deepEqual([done.inserted, done.deleted], [1, 1]);
    assert.deepEqual(await published(), ["2 20.00 DE", "3 30.00 DE"]);
    assert.deepEqual(await run(flow, { businessDate: "2026-01-01" }), noChanges);
  });

  test("must be a valid date, and the flow must have a business_date_column", async () => {
    for (const businessDate of ["2026-02-30", "yesterday", "2026-1-1"]) {
      await assert.rejects(run(flow, { businessDate }), /business_date: ".*" is not a date such as/);
    }
    await assert.rejects(
      run(ordersRequest(), { businessDate: "2026-01-01" }),
      /"orders" has no business_date_column/,
    );
  });
});

test("a new table gets descriptions and tags; later runs keep changed descriptions", async () => {
  const { target_schema, ...flow } = ordersRequest();
  const columns = target_schema.columns.map((one) =>
    one.name === "country"
      ? { ...one, pii: true, glossary_terms: ["country", "market"], description: "The customer's" }
      : one,
  );
  const described = { ...flow, target_schema: { ...target_schema, columns } };
  await fillShop([]);
  await run(described);
  const comments = () =>
    rows("SELECT comment FROM duckdb_columns() WHERE table_name = 'orders' AND comment IS NOT NULL");
  assert.deepEqual(await comments(), ["The customer's"]);
  assert.deepEqual(await rows('SELECT "column", key, value FROM shop._lakehelm.tags ORDER BY ALL'), [
    "country glossary_terms country, market",
    "country pii true",
  ]);
  await execute("COMMENT ON COLUMN shop.marts.orders.country IS 'Changed by hand'");
  await run(described);
  assert.deepEqual(await comments(), ["Changed by hand"]);
});

test("a column that is new in the flow is added; a column with another type is an error", async () => {
  await fillShop([[1, 1, 10, "2026-01-01"]]);
  const { target_schema, ...flow } = ordersRequest();
  const without = target_schema.columns.filter(({ name }) => name !== "country");
  const matched_sql = "SELECT order_id, amount, updated_at FROM orders";
  await run({ ...flow, matched_sql, target_schema: { ...target_schema, columns: without } });
  await run(ordersRequest());
  assert.deepEqual(await published(), ["1 10.00 DE"]);
  const columns = target_schema.columns.map((one) =>
    one.name === "amount" ? column("amount", "date") : one,
  );
  await assert.rejects(
    run({ ...flow, target_schema: { ...target_schema, columns } }),
    /shop\.marts\.orders does not fit the flow: amount is DECIMAL\(18,2\) instead of DATE\. Nothing was written\..*: lakehelm flows run orders --set parameters\.full_refresh=true\nTo keep the rows, if all of their values fit: lakehelm tables alter shop\.marts\.orders --set-type .?amount=DATE.? --yes$/,
  );
});

test("a column of integers cuts off what Spark cuts off", async () => {
  await fillShop([[1, 1, 10, "2026-01-01"]]);
  const { target_schema, ...flow } = ordersRequest();
  const columns = target_schema.columns.map((one) => (one.name === "amount" ? column("amount", "int") : one));
  const matched_sql = "SELECT order_id, amount + 3.7 AS amount, 'DE' AS country, updated_at FROM orders";
  await run({ ...flow, matched_sql, target_schema: { ...target_schema, columns } });
  assert.deepEqual(await published("amount"), ["13"]);
});

test("a text that is longer than its column is an error, also in a column that is added and inside of a list", async () => {
  await fillShop([[1, 1, 10, "2026-01-01"]]);
  const { target_schema, ...flow } = ordersRequest();
  const typed = (type: string, value: string) => ({
    ...flow,
    matched_sql: `SELECT order_id, amount, ${value} AS country, updated_at FROM orders`,
    target_schema: {
      ...target_schema,
      columns: target_schema.columns.map((one) => (one.name === "country" ? column("country", type) : one)),
    },
  });
  const tooLong = /EXCEED_LIMIT_LENGTH: a text is too long for country/;
  await assert.rejects(run(typed("varchar(3)", "'abcd'")), tooLong);
  await assert.rejects(run(typed("char(3)", "'abcd'")), tooLong);
  await assert.rejects(run(typed("array<varchar(3)>", "array('ab', 'abcd')")), tooLong);
  await run(typed("varchar(3)", "'abc'"));
  assert.deepEqual(await published("country"), ["abc"]);
  await execute("DROP TABLE shop.marts.orders");
  await run(typed("char(3)", "'a '"));
  assert.deepEqual(await rows("SELECT length(country) FROM shop.marts.orders WHERE country = 'a'"), ["1"]);
  assert.deepEqual(await run(typed("char(3)", "'a '")), noChanges);
  const { columns } = target_schema;
  const added = {
    ...target_schema,
    columns: [...columns.slice(0, -1), column("code", "varchar(2)"), ...columns.slice(-1)],
  };
  await execute("DROP TABLE shop.marts.orders");
  await run(ordersRequest());
  const matched_sql = "SELECT order_id, amount, 'DE' AS country, 'abc' AS code, updated_at FROM orders";
  await assert.rejects(run({ ...flow, matched_sql, target_schema: added }), /too long for code/);
});

test("failed quality checks are reported and stored in the quality table", async () => {
  const { target_schema, ...flow } = ordersRequest();
  const foreign = (parent_table: string, parent_column: string) => ({
    ...flow,
    target_schema: {
      ...target_schema,
      foreign_keys: [{ column: "country", parent_table, parent_column }],
    },
  });
  await fillShop([[1, 1, 10, null]]);
  await execute("CREATE OR REPLACE TABLE shop.sales.countries AS SELECT 'FR' AS code");
  const { failedChecks } = await run(foreign("countries", "code"));
  const [{ query, ...failed } = { text: "", severity: "warn" }] = failedChecks;
  const failure =
    "country is in shop.sales.countries: 1 value of country is not in shop.sales.countries (code).";
  assert.deepEqual([failedChecks.length, failed], [1, { text: failure, severity: "fail" }]);
  assert.match(query ?? "", /^SELECT .*country.*orders.*NOT EXISTS/s);
  assert.deepEqual(await rows("SELECT row_count, passed, failures FROM shop.marts.orders_quality"), [
    `1 false ${failure}`,
  ]);
  const [unknown] = (await run(foreign("nowhere", "code"))).failedChecks;
  assert.match(unknown?.text ?? "", /^country is in shop\.sales\.nowhere: could not be checked\. /);
});

test("messages name tables of the catalog main as callers do", async () => {
  const { target_schema, ...flow } = ordersRequest({
    write_strategy: "merge_and_delete",
    max_delete_share: 0,
  });
  const request = {
    ...flow,
    target_name: "main.marts.orders",
    target_schema: {
      ...target_schema,
      foreign_keys: [{ column: "country", parent_table: "main.marts.countries", parent_column: "code" }],
    },
  };
  await fillShop([
    [1, 1, 10, null],
    [2, 2, 20, null],
  ]);
  await warehouse.createSchema({ catalog: "main", schema: "marts", table: "" });
  await execute("CREATE OR REPLACE TABLE _main.marts.countries AS SELECT 'FR' AS code");
  const [failed] = (await run(request)).failedChecks;
  assert.equal(
    failed?.text,
    "country is in main.marts.countries: 1 value of country is not in main.marts.countries (code).",
  );
  await fillShop([[1, 1, 10, null]]);
  await assert.rejects(
    run(request),
    /^Error: 1 row of main\.marts\.orders would be deleted.* To do it: lakehelm flows run orders --set parameters\.max_delete_share=1$/,
  );
  await execute("DROP SCHEMA _main.marts CASCADE");
});

test("merge_and_delete and replace leave the rows of the SELECT alone, and equal rows again change nothing", async () => {
  for (const write_strategy of ["merge_and_delete", "replace"] as const) {
    const flow = ordersRequest({ write_strategy, emit_surrogate_key: true });
    await execute("DROP TABLE IF EXISTS shop.marts.orders");
    await fillShop([
      [1, 1, 10, null],
      [2, 2, 20, null],
    ]);
    await run(flow);
    await fillShop([
      [2, 2, 20, null],
      [3, 1, 30, null],
      [3, 1, 31, null],
    ]);
    const { deleted, duplicates, remarks } = await run(flow);
    assert.deepEqual([deleted > 0, duplicates, remarks[0]?.level], [true, 1, "warn"]);
    assert.deepEqual(await published(), ["2 20.00 FR", "3 31.00 DE"]);
    assert.deepEqual((await run(flow)).changed, []);
  }
});

test("a run that crashes before its commit changes nothing", async () => {
  const flow = ordersRequest({ ...recheck, sequence_by: "updated_at" });
  await fillShop([
    [1, 1, 10, "2026-01-01"],
    [2, 9, 20, "2026-01-01"],
  ]);
  const killed = run(flow, {
    crashPoint(step) {
      assert.equal(step, "written");
      throw new Error("killed");
    },
  });
  await assert.rejects(killed, /^Error: killed$/);
  assert.equal(await warehouse.hasTable({ catalog: "shop", schema: "marts", table: "orders" }), false);
  assert.deepEqual(await versions(), []);
  assert.equal((await run(flow)).inserted, 1);
});

test("an aborted run stops in the middle of a statement", async () => {
  await execute("CREATE OR REPLACE TABLE shop.sales.many AS SELECT range AS order_id FROM range(100000)");
  const { target_schema, ...flow } = ordersRequest({
    source_tables: ["many"],
    // Ten billion pairs, which would take minutes.
    matched_sql: "SELECT max(a.order_id + b.order_id) AS order_id FROM many AS a CROSS JOIN many AS b",
  });
  const columns = [column("order_id", "bigint", { pk: true })];
  const controller = new AbortController();
  const aborted = run(
    { ...flow, target_schema: { ...target_schema, columns } },
    { signal: controller.signal },
  );
  setTimeout(() => controller.abort(new Error("aborted")), 300);
  await assert.rejects(aborted, /aborted/);
  assert.equal(await warehouse.hasTable({ catalog: "shop", schema: "marts", table: "orders" }), false);
});

test("a * brings the columns of the target; others of the source are left out", async () => {
  await fillShop([[1, 1, 10, "2026-01-01"]]);
  const { target_schema, ...flow } = ordersRequest({ matched_sql: "SELECT * FROM orders" });
  const columns = [column("order_id", "bigint", { pk: true }), column("amount", "decimal(18,2)")];
  assert.equal((await run({ ...flow, target_schema: { ...target_schema, columns } })).inserted, 1);
  assert.deepEqual(await published("*"), ["1 10.00"]);
  const more = [...columns, column("nation", "string")];
  await assert.rejects(
    run({ ...flow, target_schema: { ...target_schema, columns: more } }),
    /matched_sql, line 1, column 8: the column nation of the target is missing/,
  );
});

test("source and target can be in a catalog called main", async () => {
  await warehouse.createSchema({ catalog: "main", schema: "sales", table: "" });
  await execute("CREATE OR REPLACE TABLE _main.sales.orders AS SELECT 1 AS order_id");
  const { target_schema, ...flow } = ordersRequest({
    source_tables: ["main.sales.orders"],
    target_name: "main.Marts.Orders",
    matched_sql: "SELECT o.order_id FROM main.Sales.Orders AS o",
  });
  const columns = [column("order_id", "bigint", { pk: true })];
  const done = await run({ ...flow, target_schema: { ...target_schema, columns } });
  assert.deepEqual(done.changed, ["main.marts.orders"]);
  assert.deepEqual(await rows("SELECT * FROM _main.marts.orders"), ["1"]);
});

suite("the error message of a run names", () => {
  test("an invalid field of the definition", async () => {
    await assert.rejects(run(ordersRequest({ scd_type: 3 })), /scd_type: 3 is not known/);
    const { flow_name: _, ...nameless } = ordersRequest();
    await assert.rejects(run(nameless as ConsumptionFlowInput), /flow_name: Field required/);
  });

  test("a missing table or column", async () => {
    await execute("DROP TABLE IF EXISTS shop.sales.orders");
    await assert.rejects(
      run(ordersRequest()),
      /^Error: matched_sql: Line 2, column 6: there is no table "shop\.sales\.orders"/,
    );
    await fillShop([]);
    const matched_sql = ordersRequest().matched_sql.replace("o.amount", "o.amuont AS amount");
    await assert.rejects(
      run(ordersRequest({ matched_sql })),
      /^Error: matched_sql, line 1, column \d+: o has no column amuont\. Did you mean amount\?/,
    );
  });

  test("a missing field of a struct", async () => {
    await fillShop([]);
    await execute(
      "CREATE OR REPLACE TABLE shop.sales.places AS SELECT 1 AS id, {'geo': {'lat': 1.5, 'Lon': 2.5}} AS place",
    );
    const { target_schema, ...flow } = ordersRequest({ source_tables: ["places"] });
    const columns = [column("id", "int", { pk: true }), column("lat", "double")];
    const select = (field: string) =>
      run({
        ...flow,
        matched_sql: `SELECT id, place.geo.${field} AS lat FROM places`,
        target_schema: { ...target_schema, columns },
      });
    await assert.rejects(
      select("lot"),
      /^Error: matched_sql, line 1, column 22: place\.geo has no field lot\. Did you mean lat\?/,
    );
    assert.equal((await select("lon")).inserted, 1);
    assert.deepEqual(await published("id, lat"), ["1 2.5"]);
  });

  test("rows without a value where one is needed are counted, with the rule and what to do", async () => {
    await fillShop([
      [1, 1, 10, null],
      [2, 1, 10, null],
    ]);
    const matched_sql = ordersRequest().matched_sql.replace(
      "o.order_id",
      "nullif(o.order_id, 1) AS order_id",
    );
    assert.notEqual(matched_sql, ordersRequest().matched_sql);
    await assert.rejects(
      run(ordersRequest({ matched_sql })),
      /^Error: 1 row of matched_sql has no value for the column order_id of shop\.marts\.orders, which is part of its key\. Nothing was written\. Leave such rows out/,
    );
  });

  test("a value that cannot be cast", async () => {
    await fillShop([[1, 1, 10, null]]);
    const matched_sql = ordersRequest().matched_sql.replace("o.amount", "concat('x', o.amount) AS amount");
    await assert.rejects(
      run(ordersRequest({ matched_sql })),
      /^Error: The flow "orders" failed: Could not convert a value to DECIMAL\(18,2\)/,
    );
  });

  test("a target name that the warehouse does not allow", async () => {
    await assert.rejects(
      run(ordersRequest({ target_name: "shop._lakehelm.marks" })),
      /"_lakehelm" is not a valid schema name/,
    );
  });
});
