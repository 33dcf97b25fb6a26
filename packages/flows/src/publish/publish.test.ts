/** Publishing on a real engine: each mode with rows in any order, repeated and late. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { FlowDuckDb } from "../testing/duckdb.ts";
import { column, flowOf, keyless, ordersRequest } from "../testing/requests.ts";
import { fillShop } from "../testing/shop.ts";

const nothing = { inserted: 0, updated: 0, deleted: 0 };
const target = (duck: FlowDuckDb, columns = "order_id, amount, country", order = "ALL") =>
  duck
    .rows(`SELECT ${columns} FROM shop.marts.orders ORDER BY ${order}`)
    .then((rows) => rows.map((row) => Object.values(row).join(" ")));

suite("upsert (SCD 1)", () => {
  test("the greatest sequence of a key wins, in a run and against the table, in any order", async () => {
    await using duck = await FlowDuckDb.open();
    const flow = await flowOf(ordersRequest({ sequence_by: "updated_at" }));
    await fillShop(duck, [
      [1, 1, 11, "2026-01-02"],
      [1, 1, 10, "2026-01-01"],
      [2, 1, 20, "2026-01-01"],
      [2, 1, 20, "2026-01-01"],
    ]);
    assert.deepEqual((await duck.runFlow(flow)).publish, { ...nothing, inserted: 2 });
    await fillShop(duck, [
      [1, 1, 99, "2026-01-01 23:59:59.999999"],
      [2, 2, 21, "2026-01-03"],
      [3, 1, 30, "2026-01-01"],
    ]);
    assert.deepEqual((await duck.runFlow(flow)).publish, { ...nothing, inserted: 1, updated: 1 });
    assert.deepEqual(await target(duck), ["1 11.00 DE", "2 21.00 FR", "3 30.00 DE"]);
    assert.deepEqual((await duck.runFlow(flow)).publish, nothing, "the same rows again change nothing");
    await fillShop(duck, [[3, 2, 31, "2026-01-01"]]);
    await duck.runFlow(flow);
    assert.deepEqual(
      (await target(duck)).at(-1),
      "3 31.00 FR",
      "of two rows with the same sequence the run's row wins",
    );
  });

  test("a row with a sequence replaces one without, and never the reverse", async () => {
    await using duck = await FlowDuckDb.open();
    const flow = await flowOf(ordersRequest({ sequence_by: "updated_at" }));
    await fillShop(duck, [[1, 1, 10, null]]);
    await duck.runFlow(flow);
    await fillShop(duck, [[1, 1, 11, "2026-01-01"]]);
    await duck.runFlow(flow);
    await fillShop(duck, [[1, 1, 12, null]]);
    await duck.runFlow(flow);
    assert.deepEqual(await target(duck), ["1 11.00 DE"]);
  });

  test("without a sequence the run's row wins, and among several always the same one", async () => {
    await using duck = await FlowDuckDb.open();
    const flow = await flowOf(ordersRequest());
    await fillShop(duck, [
      [1, 1, 10, null],
      [1, 2, 30, null],
      [1, 1, 20, null],
    ]);
    await duck.runFlow(flow);
    assert.deepEqual(await target(duck), ["1 30.00 FR"]);
    await fillShop(duck, [
      [1, 2, 30, null],
      [1, 1, 20, null],
      [1, 1, 10, null],
    ]);
    assert.deepEqual((await duck.runFlow(flow)).publish, nothing);
    await fillShop(duck, [[1, 1, 5, null]]);
    await duck.runFlow(flow);
    assert.deepEqual(await target(duck), ["1 5.00 DE"]);
  });

  test("a change to or from NULL is an update, NULL again is not", async () => {
    await using duck = await FlowDuckDb.open();
    const flow = await flowOf(ordersRequest());
    await fillShop(duck, [[1, 1, null, null]]);
    await duck.runFlow(flow);
    assert.deepEqual((await duck.runFlow(flow)).publish, nothing);
    await fillShop(duck, [[1, 1, 1, null]]);
    assert.deepEqual((await duck.runFlow(flow)).publish, { ...nothing, updated: 1 });
    await fillShop(duck, [[1, 1, null, null]]);
    assert.deepEqual((await duck.runFlow(flow)).publish, { ...nothing, updated: 1 });
  });

  test("a table of key columns alone only grows", async () => {
    await using duck = await FlowDuckDb.open();
    const request = ordersRequest({
      matched_sql: "SELECT customer_id FROM customers",
      source_tables: ["customers"],
    });
    const columns = [column("customer_id", "int", { pk: true })];
    const flow = await flowOf({ ...request, target_schema: { ...request.target_schema, columns } });
    await fillShop(duck, []);
    assert.deepEqual((await duck.runFlow(flow)).publish, { ...nothing, inserted: 2 });
    assert.deepEqual((await duck.runFlow(flow)).publish, nothing);
  });
});

suite("history (SCD 2) by a sequence", () => {
  const request = ordersRequest({ scd_type: 2, sequence_by: "updated_at", emit_surrogate_key: true });
  const history = (duck: FlowDuckDb) =>
    target(
      duck,
      "order_id, amount, valid_from::DATE::VARCHAR, coalesce(valid_to::DATE::VARCHAR, 'now'), is_current",
      "order_id, valid_from",
    );

  test("late rows are inserted in order, and all versions of a run are kept", async () => {
    await using duck = await FlowDuckDb.open();
    const flow = await flowOf(request);
    await fillShop(duck, [
      [1, 1, 30, "2026-03-01"],
      [1, 1, 10, "2026-01-01"],
      [2, 1, 5, "2026-01-01"],
    ]);
    assert.deepEqual((await duck.runFlow(flow)).publish, { ...nothing, inserted: 3 });
    await fillShop(duck, [
      [1, 1, 20, "2026-02-01"],
      [1, 1, 40, "2026-04-01"],
      [1, 1, 1, "2025-12-01"],
    ]);
    await duck.runFlow(flow);
    const expected = [
      "1 1.00 2025-12-01 2026-01-01 false",
      "1 10.00 2026-01-01 2026-02-01 false",
      "1 20.00 2026-02-01 2026-03-01 false",
      "1 30.00 2026-03-01 2026-04-01 false",
      "1 40.00 2026-04-01 now true",
      "2 5.00 2026-01-01 now true",
    ];
    assert.deepEqual(await history(duck), expected);
    assert.deepEqual((await duck.runFlow(flow)).publish, nothing, "the same rows again change nothing");
    await fillShop(duck, [[1, 1, 10, "2026-01-01"]]);
    assert.deepEqual(
      (await duck.runFlow(flow)).publish,
      nothing,
      "nor does an old row that the table already has",
    );
    assert.deepEqual(await duck.failedChecks(flow), []);
  });

  test("of rows with the same sequence the greatest is the version, whichever run brings it", async () => {
    await using duck = await FlowDuckDb.open();
    const flow = await flowOf(request);
    await fillShop(duck, [
      [1, 1, 10, "2026-01-01"],
      [1, 1, 12, "2026-01-01"],
    ]);
    await duck.runFlow(flow);
    assert.deepEqual(await history(duck), ["1 12.00 2026-01-01 now true"]);
    await fillShop(duck, [[1, 1, 11, "2026-01-01"]]);
    const { publish, duplicates } = await duck.runFlow(flow);
    assert.deepEqual([publish, duplicates?.outranked], [nothing, 1]);
    assert.deepEqual(await history(duck), ["1 12.00 2026-01-01 now true"]);
    await fillShop(duck, [[1, 1, 13, "2026-01-01"]]);
    assert.deepEqual((await duck.runFlow(flow)).publish, { ...nothing, updated: 1 });
    assert.deepEqual(await history(duck), ["1 13.00 2026-01-01 now true"]);
  });

  test("a row without a sequence fails the run before anything is written", async () => {
    await using duck = await FlowDuckDb.open();
    const flow = await flowOf(request);
    await fillShop(duck, [
      [1, 1, 10, "2026-01-01"],
      [2, 1, 12, null],
    ]);
    await assert.rejects(duck.runFlow(flow), /1 rows have no updated_at/);
    assert.deepEqual(await history(duck), []);
  });
});

suite("history (SCD 2) by run", () => {
  test("a changed row closes the current version and begins the next, an unchanged one does nothing", async () => {
    await using duck = await FlowDuckDb.open();
    const flow = await flowOf(ordersRequest({ scd_type: 2, emit_surrogate_key: true }));
    await fillShop(duck, [
      [1, 1, 10, null],
      [2, 1, 20, null],
    ]);
    assert.deepEqual((await duck.runFlow(flow)).publish, { ...nothing, inserted: 2 });
    assert.deepEqual((await duck.runFlow(flow)).publish, nothing);
    await fillShop(duck, [
      [1, 1, 11, null],
      [1, 1, 11, null],
      [3, 1, 30, null],
    ]);
    assert.deepEqual((await duck.runFlow(flow)).publish, { ...nothing, inserted: 2, updated: 1 });
    assert.deepEqual((await duck.runFlow(flow)).publish, nothing);
    await fillShop(duck, [[1, 1, 10, null]]);
    await duck.runFlow(flow);
    assert.deepEqual(await target(duck, "order_id, amount, is_current", "order_id, valid_from"), [
      "1 10.00 false",
      "1 11.00 false",
      "1 10.00 true",
      "2 20.00 true",
      "3 30.00 true",
    ]);
    const gaps = await duck.rows(
      "SELECT * FROM (SELECT valid_to, lead(valid_from) OVER (PARTITION BY order_id ORDER BY valid_from) AS next FROM shop.marts.orders) WHERE valid_to IS DISTINCT FROM next",
    );
    assert.deepEqual(gaps, [], "each version ends when the next begins");
    const keys = await duck.rows(
      "SELECT count(DISTINCT orders_sk) AS keys, count(*) AS versions FROM shop.marts.orders",
    );
    assert.deepEqual(keys, [{ keys: "5", versions: "5" }]);
    assert.deepEqual(await duck.failedChecks(flow), []);
  });
});

suite("replace", () => {
  test("each run replaces the table, with equal rows as often as they occur", async () => {
    await using duck = await FlowDuckDb.open();
    const flow = await flowOf(keyless(ordersRequest()));
    await fillShop(duck, [
      [1, 1, 10, null],
      [1, 1, 10, null],
      [2, 1, 20, null],
    ]);
    await duck.runFlow(flow);
    await duck.runFlow(flow);
    assert.deepEqual(await target(duck), ["1 10.00 DE", "1 10.00 DE", "2 20.00 DE"]);
    await fillShop(duck, [[3, 1, 30, null]]);
    await duck.runFlow(flow);
    assert.deepEqual(await target(duck), ["3 30.00 DE"]);
    await fillShop(duck, []);
    await duck.runFlow(flow);
    assert.deepEqual(await target(duck), []);
  });

  test("with a business date only that date's rows are replaced", async () => {
    await using duck = await FlowDuckDb.open();
    const flow = await flowOf(keyless(ordersRequest({ business_date_column: "updated_at" })));
    await fillShop(duck, [
      [1, 1, 10, "2026-01-01 08:00"],
      [2, 1, 20, "2026-01-02 23:59:59"],
      [3, 1, 30, null],
    ]);
    await duck.runFlow(flow);
    await fillShop(duck, [
      [4, 1, 40, "2026-01-02 00:00"],
      [5, 1, 50, "2026-01-01"],
    ]);
    await duck.runFlow(flow, { businessDate: "2026-01-02" });
    assert.deepEqual(await target(duck), ["1 10.00 DE", "3 30.00 DE", "4 40.00 DE"]);
    await duck.runFlow(flow, { businessDate: "2026-01-02" });
    assert.deepEqual(await target(duck), ["1 10.00 DE", "3 30.00 DE", "4 40.00 DE"]);
    await fillShop(duck, []);
    await duck.runFlow(flow, { businessDate: "2026-01-01" });
    assert.deepEqual(await target(duck), ["3 30.00 DE", "4 40.00 DE"], "a date without rows is emptied");
    await duck.runFlow(flow, { businessDate: "2026-07-01" });
    assert.deepEqual(
      await target(duck),
      ["3 30.00 DE", "4 40.00 DE"],
      "a date that no row has changes nothing",
    );
    await duck.runFlow(flow);
    assert.deepEqual(await target(duck), [], "without a date all rows are replaced");
  });
});

test("a business date restricts an upsert to the rows of that date", async () => {
  await using duck = await FlowDuckDb.open();
  const request = ordersRequest({ business_date_column: "updated_at", sequence_by: "updated_at" });
  const flow = await flowOf(request);
  await fillShop(duck, [
    [1, 1, 10, "2026-01-01"],
    [2, 1, 20, "2026-01-02"],
  ]);
  await duck.runFlow(flow, { businessDate: "2026-01-02" });
  assert.deepEqual(await target(duck), ["2 20.00 DE"]);
});

test("the surrogate key is the same in every run and in every time zone", async () => {
  const request = ordersRequest({ emit_surrogate_key: true });
  const columns = request.target_schema.columns.map((one) => ({ ...one, pk: one.name !== "amount" }));
  const flow = await flowOf({ ...request, target_schema: { ...request.target_schema, columns } });
  const keysIn = async (zone: string) => {
    await using duck = await FlowDuckDb.open();
    await fillShop(duck, [
      [1, 1, 10, "2026-01-01 00:00:00.000001+00"],
      [1, 2, 10, "2026-01-01 00:00:00.000001+00"],
    ]);
    await duck.run(`SET TimeZone = '${zone}'`);
    await duck.runFlow(flow);
    return await target(duck, "orders_sk");
  };
  const keys = await keysIn("UTC");
  assert.equal(new Set(keys).size, 2);
  assert.deepEqual(await keysIn("Asia/Tokyo"), keys);
});

for (const more of [{}, { scd_type: 2, sequence_by: "select" }, { scd_type: 2 }]) {
  test(`columns can be named like keywords and like aliases of the statements (${JSON.stringify(more)})`, async () => {
    await using duck = await FlowDuckDb.open();
    const columns = ["source", "target", "kept", "incoming", "order by", "select", "constructor"].map(
      (name, at) => column(name, "int", { pk: at < 2 }),
    );
    const selected = columns.map(({ name }, at) => `amount + ${at} AS \`${name}\``);
    const request = ordersRequest({ ...more, matched_sql: `SELECT ${selected.join(", ")} FROM orders` });
    const flow = await flowOf({ ...request, target_schema: { ...request.target_schema, columns } });
    await fillShop(duck, [[1, 1, 1, null]]);
    assert.deepEqual((await duck.runFlow(flow)).publish, { ...nothing, inserted: 1 });
    assert.deepEqual((await duck.runFlow(flow)).publish, nothing);
  });
}
