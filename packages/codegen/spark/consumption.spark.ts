/** The semantics of consumption flows on real Spark with Delta: the generated notebooks, as their jobs run them. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
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
import { loadSqlParser } from "@lakehelm/sql";
import { onlyNightly, someOf } from "@lakehelm/testing/nightly";
import { generateConsumption } from "../src/consumption/consumption-generator.ts";
import { development } from "../src/testing/contexts.ts";
import { asDatabricks, leaveDatabricks } from "./databricks.ts";
import type { SparkRow } from "./driver-messages.ts";
import { crashPoints, type SparkEngine, startSpark } from "./spark-engine.ts";

const sql = await loadSqlParser();

type Columns = ConsumptionFlowInput["target_schema"]["columns"];

/** The files of a request, by the last part of their paths. */
function filesOf(request: ConsumptionFlowInput) {
  const { artifacts, errors } = generateConsumption(request, development, sql);
  assert.deepEqual(errors ?? [], []);
  const content = (name: string) =>
    artifacts?.find(({ path }) => path.endsWith(name))?.content ?? assert.fail(name);
  return { flow: content("flow.py"), quality: content("quality.py") };
}

describe("consumption flows on Spark", () => {
  let engine: SparkEngine;
  before(async () => {
    engine = await startSpark({ catalogs: ["shop"] });
  });
  after(() => engine.stop());
  beforeEach(async () => {
    await engine.clear();
    await engine.sql("CREATE SCHEMA shop.sales");
  });

  async function fillShop(orders: readonly OrderRow[], customers: readonly CustomerRow[] = defaultCustomers) {
    for (const statement of fillStatements("TIMESTAMP", "STRING", "USING DELTA", orders, customers)) {
      await engine.sql(statement);
    }
  }
  const rows = async (columns: string, table = "orders") =>
    lines(await engine.sql(`SELECT ${columns} FROM shop.marts.${table} ORDER BY ALL`));
  const lines = (found: readonly SparkRow[]) => found.map((row) => Object.values(row).join(" "));
  const commits = async (table = "orders") =>
    (await engine.sql(`DESCRIBE HISTORY shop.marts.${table}`)).length;

  it("upserts: the greatest sequence wins in any order, and a repeated run commits nothing", async () => {
    const { flow, quality } = filesOf(
      ordersRequest({ sequence_by: "updated_at", emit_surrogate_key: true, cluster_by: ["order_id"] }),
    );
    await fillShop([
      [1, 1, 11, "2026-01-02"],
      [1, 1, 10, "2026-01-01"],
      [2, 1, 20, "2026-01-01"],
      [2, 1, 20, "2026-01-01"],
      [4, 1, 40, null],
    ]);
    const first = await engine.completes(flow);
    assert.match(first.output, /3 rows inserted, 0 updated/);
    const keys = await rows("orders_sk");
    await fillShop([
      [1, 1, 99, "2026-01-01 23:59:59.999999"],
      [2, 2, 21, "2026-01-03"],
      [3, 1, 30, "2026-01-01"],
      [4, 1, 41, "2026-01-01"],
    ]);
    await engine.completes(flow);
    assert.deepEqual(await rows("order_id, amount, country"), [
      "1 11.00 DE",
      "2 21.00 FR",
      "3 30.00 DE",
      "4 41.00 DE",
    ]);
    assert.ok(new Set(await rows("orders_sk")).isSupersetOf(new Set(keys)));
    const before = await commits();
    const again = await engine.completes(flow, { on: "databricks" });
    assert.match(again.output, /0 rows inserted, 0 updated/);
    assert.equal(await commits(), before);
    await engine.completes(quality);
    assert.deepEqual(await rows("row_count, passed, failures", "orders_quality"), ["4 true "]);
  });

  it("deletes keys that are gone, unless they are too many, and only those of a date that it runs for", async () => {
    const request = (share: number) =>
      filesOf(
        ordersRequest({
          ...{ write_strategy: "merge_and_delete", max_delete_share: share },
          ...{ emit_surrogate_key: true, business_date_column: "updated_at" },
        }),
      );
    const many = Array.from({ length: 12 }, (_, id): OrderRow => [id + 10, 1, id, "2026-01-01"]);
    await fillShop([...many, [1, 1, 1, "2026-01-02"], [2, 1, 2, "2026-01-02"]]);
    await engine.completes(request(0.5).flow);
    await fillShop([
      [1, 1, 1, "2026-01-02"],
      [1, 1, 9, "2026-01-02"],
      [3, 1, 3, "2026-01-02"],
    ]);
    const refused = await engine.runNotebook(request(0.5).flow);
    assert.match(
      refused.error?.message ?? "",
      /^12 rows of .* would be deleted|13 rows of .* would be deleted/,
    );
    assert.equal((await rows("order_id")).length, 14);
    const dated = await engine.completes(request(0.5).flow, { parameters: { business_date: "2026-01-02" } });
    assert.match(dated.output, /1 rows have the key of another row/);
    assert.match(dated.output, /1 rows inserted, 1 updated, 1 deleted/);
    assert.equal((await rows("order_id")).length, 14);
    await engine.completes(request(1).flow);
    assert.deepEqual(await rows("order_id, amount"), ["1 9.00", "3 3.00"]);
    const before = await commits();
    await engine.completes(request(1).flow);
    assert.equal(await commits(), before);
  });

  it("replaces a table with a key, each key once", onlyNightly, async () => {
    const { flow, quality } = filesOf(ordersRequest({ write_strategy: "replace", emit_surrogate_key: true }));
    await fillShop([
      [1, 1, 10, null],
      [2, 1, 20, null],
    ]);
    await engine.completes(flow);
    await fillShop([
      [2, 1, 21, null],
      [2, 1, 20, null],
    ]);
    await engine.completes(flow);
    assert.deepEqual(await rows("order_id, amount"), ["2 21.00"]);
    await engine.completes(quality);
  });

  it(
    "builds the same history from rows with equal sequences in any order and any runs, and closes missing keys",
    onlyNightly,
    async () => {
      const options = { scd_type: 2, sequence_by: "updated_at", emit_surrogate_key: true } as const;
      const { flow } = filesOf(ordersRequest(options));
      const all: OrderRow[] = [
        [1, 1, 10, "2026-01-01"],
        [1, 2, 10, "2026-01-01"],
        [1, 1, null, "2026-01-01"],
        [1, 1, 12, "2026-01-02"],
        [1, 1, 11, "2026-01-02"],
        [2, 1, 5, "2026-01-01"],
      ];
      const histories = [];
      for (const batches of [
        [all],
        [all.slice(3), all.slice(0, 3)],
        [all.toReversed().slice(0, 2), all.slice(0, 4)],
      ]) {
        await engine.sql("DROP TABLE IF EXISTS shop.marts.orders");
        for (const batch of batches) {
          await fillShop(batch);
          await engine.completes(flow);
        }
        histories.push(await rows("*"));
      }
      assert.equal(histories[0]?.length, 3);
      for (const history of histories) assert.deepEqual(history, histories[0]);

      const closing = filesOf(ordersRequest({ ...options, close_missing_keys: true }));
      await fillShop([[2, 1, 5, "2026-01-01"]]);
      await engine.completes(closing.flow);
      assert.deepEqual(await rows("order_id, amount, valid_to IS NULL, is_current"), [
        "1 10.00 false false",
        "1 12.00 false false",
        "2 5.00 true true",
      ]);
      const before = await commits();
      await engine.completes(closing.flow);
      assert.equal(await commits(), before);
      await engine.completes(closing.quality);
    },
  );

  it("fails or warns by the severity of a check", async () => {
    const { target_schema } = ordersRequest();
    const foreign_keys = [{ column: "country", parent_table: "countries", parent_column: "code" }];
    const quality = (check_severity: "warn" | "fail") =>
      filesOf(ordersRequest({ check_severity, target_schema: { ...target_schema, foreign_keys } }));
    await engine.sql("CREATE TABLE shop.sales.countries (code STRING) USING DELTA");
    await fillShop([[1, 1, 10, null]]);
    await engine.completes(quality("warn").flow);
    const warned = await engine.completes(quality("warn").quality);
    assert.match(warned.output, /Warning: 1 values of country are not in/);
    assert.match(warned.output, /1 checks failed/);
    const failed = await engine.runNotebook(quality("fail").quality);
    assert.match(failed.error?.message ?? "", /did not pass its checks/);
    assert.deepEqual(await rows("passed", "orders_quality"), ["false", "false"]);
  });

  const withColumns = (columns: Columns, more: Partial<ConsumptionFlowInput> = {}) => {
    const { target_schema, ...base } = ordersRequest();
    return filesOf({ ...base, ...more, target_schema: { ...target_schema, columns } }).flow;
  };
  const { columns } = ordersRequest().target_schema;
  const texts = columns.map((one) => (one.name === "amount" ? column("amount", "string") : one));
  const full = { parameters: { full_refresh: "true" } };

  it("follows a changed definition: drops, rebuilds, or refuses with the next step", async () => {
    const without = columns.filter(({ name }) => name !== "country");
    const narrow = "SELECT order_id, amount, updated_at FROM shop.sales.orders";
    await fillShop([[1, 1, 10, "2026-01-01"]]);
    await engine.completes(filesOf(ordersRequest()).flow);

    await engine.completes(withColumns(without, { matched_sql: narrow }));
    assert.deepEqual(await rows("*"), ["1 10.00 2026-01-01 00:00:00"], "a column that is gone is dropped");

    const before = await commits();
    const refused = await engine.runNotebook(withColumns(texts));
    assert.match(
      refused.error?.message ?? "",
      /amount is decimal\(18,2\) instead of string\. Nothing was written\..*lakehelm flows run orders --set parameters\.full_refresh=true/,
    );
    assert.equal(await commits(), before);
    // A merge keeps rows that its SELECT no longer returns; a rebuild does not.
    await engine.sql("DELETE FROM shop.sales.orders");
    await fillShop([[2, 2, 20, "2026-01-02"]]);
    await engine.completes(withColumns(texts), full);
    assert.deepEqual(await rows("order_id, amount, country"), ["2 20.0 FR"]);
    assert.deepEqual(
      lines(await engine.sql("SHOW TABLES IN shop.marts")).filter((line) => line.includes("rebuilt")),
      [],
    );
  });

  it("fills a column that comes back, and rebuilds a table in one commit", onlyNightly, async () => {
    const without = columns.filter(({ name }) => name !== "country");
    const narrow = "SELECT order_id, amount, updated_at FROM shop.sales.orders";
    await fillShop([[2, 2, 20, "2026-01-02"]]);
    await engine.completes(withColumns(without, { matched_sql: narrow }));
    await engine.completes(filesOf(ordersRequest()).flow);
    assert.deepEqual(await rows("order_id, amount, country"), ["2 20.00 FR"]);

    await engine.completes(withColumns(texts), full);
    const again = await engine.completes(withColumns(texts), full);
    for (const crashAt of crashPoints(again)) {
      const crashed = await engine.runNotebook(withColumns(texts), { ...full, crashAt });
      assert.ok(crashed.crashed);
      assert.deepEqual(
        await rows("order_id, amount, country"),
        ["2 20.0 FR"],
        "readers see the old or the new",
      );
    }
  });

  it("turns a table into a history and back only if it is asked to", onlyNightly, async () => {
    await fillShop([[2, 2, 20, "2026-01-02"]]);
    await engine.completes(withColumns(texts));
    const history = withColumns(texts, { scd_type: 2, sequence_by: "updated_at" });
    const denied = await engine.runNotebook(history);
    assert.match(
      denied.error?.message ?? "",
      /it has the latest row of each key, and is to have a history.*full_refresh=true/,
    );
    await engine.completes(history, full);
    assert.deepEqual(await rows("order_id, amount, is_current"), ["2 20.0 true"]);
    await fillShop([[2, 2, 21, "2026-01-03"]]);
    await engine.completes(history);
    assert.deepEqual(await rows("order_id, amount, is_current"), ["2 20.0 false", "2 21.0 true"]);
    const kept = await engine.runNotebook(withColumns(texts), full);
    assert.match(kept.error?.message ?? "", /discard_history = true.*parameters\.discard_history=true/);
    const consent = { parameters: { full_refresh: "true", discard_history: "true" } };
    await engine.completes(withColumns(texts), consent);
    assert.deepEqual(await rows("order_id, amount, country"), ["2 21.0 FR"]);
    const keyed = texts.map((one) => ({ ...one, pk: one.name === "order_id" || one.name === "country" }));
    const rekeyed = await engine.runNotebook(withColumns(keyed));
    assert.match(rekeyed.error?.message ?? "", /its key is order_id instead of order_id, country/);
  });

  it("builds the history by sequence, late rows included", onlyNightly, async () => {
    const { flow, quality } = filesOf(
      ordersRequest({ scd_type: 2, sequence_by: "updated_at", emit_surrogate_key: true }),
    );
    await fillShop([
      [1, 1, 30, "2026-03-01"],
      [1, 1, 10, "2026-01-01"],
      [2, 1, 5, "2026-01-01"],
    ]);
    await engine.completes(flow);
    await fillShop([
      [1, 1, 20, "2026-02-01"],
      [1, 1, 31, "2026-03-01"],
      [1, 1, 40, "2026-04-01"],
      [1, 1, 40, "2026-04-01"],
    ]);
    await engine.completes(flow);
    const history = "order_id, date(valid_from), coalesce(string(date(valid_to)), 'now'), amount, is_current";
    const expected = [
      "1 2026-01-01 2026-02-01 10.00 false",
      "1 2026-02-01 2026-03-01 20.00 false",
      "1 2026-03-01 2026-04-01 31.00 false",
      "1 2026-04-01 now 40.00 true",
      "2 2026-01-01 now 5.00 true",
    ];
    assert.deepEqual(await rows(history), expected);
    const before = await commits();
    await engine.completes(flow);
    assert.equal(await commits(), before, "the same rows again change nothing");
    await engine.completes(quality);

    await fillShop([[1, 1, 1, null]]);
    const failed = await engine.runNotebook(flow);
    assert.match(failed.error?.message ?? "", /1 rows have no updated_at.*Nothing was written/);
    assert.equal(await commits(), before);
  });

  it("builds the history by run if there is no sequence", onlyNightly, async () => {
    const { flow, quality } = filesOf(ordersRequest({ scd_type: 2, emit_surrogate_key: true }));
    await fillShop([
      [1, 1, 10, null],
      [2, 1, 20, null],
    ]);
    await engine.completes(flow);
    await fillShop([
      [1, 1, 11, null],
      [1, 1, 11, null],
      [3, 1, 30, null],
    ]);
    assert.match((await engine.completes(flow)).output, /2 rows inserted, 1 updated/);
    const before = await commits();
    await engine.completes(flow);
    assert.equal(await commits(), before);
    assert.deepEqual(await rows("order_id, amount, is_current"), [
      "1 10.00 false",
      "1 11.00 true",
      "2 20.00 true",
      "3 30.00 true",
    ]);
    const [ends] = await engine.sql(
      "SELECT count(*) AS n FROM shop.marts.orders AS a JOIN shop.marts.orders AS b ON a.order_id = b.order_id AND a.valid_to = b.valid_from",
    );
    assert.deepEqual(ends, { n: 1 }, "a version ends when the next begins");
    assert.equal(new Set(await rows("orders_sk")).size, 4);
    await engine.completes(quality);
  });

  it("replaces the table or one business date of it, and keeps the clustering", onlyNightly, async (t) => {
    const { flow } = filesOf(
      keyless(ordersRequest({ business_date_column: "updated_at", cluster_by: ["order_id"] })),
    );
    await fillShop([
      [1, 1, 10, "2026-01-01 08:00"],
      [1, 1, 10, "2026-01-01 08:00"],
      [2, 1, 20, "2026-01-02 23:59:59"],
      [3, 1, 30, null],
    ]);
    await engine.completes(flow);
    await fillShop([
      [4, 1, 40, "2026-01-02"],
      [5, 1, 50, "2026-01-01"],
    ]);
    await engine.completes(flow, { parameters: { business_date: "2026-01-02" } });
    const expected = ["1 10.00", "1 10.00", "3 30.00", "4 40.00"];
    assert.deepEqual(await rows("order_id, amount"), expected);
    await engine.completes(flow, { parameters: { business_date: "2026-01-02" }, on: "databricks" });
    assert.deepEqual(await rows("order_id, amount"), expected);
    await engine.completes(flow);
    assert.deepEqual(await rows("order_id, amount"), ["4 40.00", "5 50.00"]);
    const [detail] = await engine.sql("DESCRIBE DETAIL shop.marts.orders");
    assert.deepEqual(detail?.clusteringColumns, ["order_id"]);
    // On Databricks the code overwrites the rows, with the same result.
    t.after(() => engine.completes(leaveDatabricks));
    await fillShop([
      [6, 1, 60, "2026-01-01"],
      [7, 1, 70, "2026-01-02"],
    ]);
    const date = { business_date: "2026-01-01" };
    const replaced = await engine.completes(asDatabricks(flow), { parameters: date, on: "databricks" });
    assert.match(replaced.output, /the rows were replaced/);
    assert.deepEqual(await rows("order_id, amount"), ["4 40.00", "6 60.00"]);
    await engine.completes(asDatabricks(flow), { on: "databricks" });
    assert.deepEqual(await rows("order_id, amount"), ["6 60.00", "7 70.00"]);
    await engine.completes(leaveDatabricks);
    const wrong = await engine.runNotebook(flow, { parameters: { business_date: "yesterday" } });
    assert.match(wrong.error?.message ?? "", /yesterday/);
  });

  it("reads and writes where the parameters of the job say", onlyNightly, async () => {
    const { flow, quality } = filesOf(ordersRequest({ target_name: "orders_out" }));
    await fillShop([[1, 1, 10, "2026-01-01"]]);
    await engine.sql("CREATE SCHEMA shop.sales_dev");
    for (const table of ["orders", "customers"])
      await engine.sql(
        `CREATE TABLE shop.sales_dev.${table} USING DELTA AS SELECT * FROM shop.sales.${table}`,
      );
    await engine.sql("UPDATE shop.sales_dev.orders SET amount = 99");
    const parameters = { catalog: "spark_catalog", schema: "sales_dev" };
    const { output } = await engine.completes(flow, { parameters, on: "databricks" });
    assert.match(output, /^spark_catalog\.sales_dev\.orders_out: 1 rows inserted/m);
    await engine.completes(quality, { parameters });
    assert.deepEqual(lines(await engine.sql("SELECT order_id, amount FROM shop.sales_dev.orders_out")), [
      "1 99.00",
    ]);
    await assert.rejects(engine.sql("SELECT * FROM shop.sales.orders_out"));
  });

  it(
    "brings an existing table to the descriptions, properties and clustering of a new version, once",
    onlyNightly,
    async () => {
      const version = (description: string, more: object, columns: object = {}) => {
        const request = keyless(ordersRequest(more));
        const { target_schema: schema } = request;
        const [first, ...rest] = schema.columns;
        const changed = { ...schema, description, columns: [{ ...first, ...columns }, ...rest] };
        return filesOf({ ...request, target_schema: changed } as ConsumptionFlowInput).flow;
      };
      await fillShop([[1, 1, 10, "2026-01-01"]]);
      const first = version(
        "Orders",
        {
          table_properties: { "shop.team": "sales", "shop.tier": "1" },
          cluster_by: ["order_id"],
        },
        { description: "The number" },
      );
      await engine.completes(first);
      await engine.sql("ALTER TABLE shop.marts.orders ALTER COLUMN amount COMMENT 'A steward\\'s text'");
      const second = version("It's ${env:HOME} now", {
        table_properties: { "shop.tier": "2" },
        cluster_by: ["amount"],
      });
      await engine.completes(second);
      const state = async () => {
        const [detail] = await engine.sql("DESCRIBE DETAIL shop.marts.orders");
        const properties = detail?.properties as Record<string, string>;
        const { "lakehelm.flow": record, ...others } = properties;
        assert.ok(record);
        const columns = await engine.sql("DESCRIBE TABLE shop.marts.orders");
        const comment = (name: string) => columns.find(({ col_name }) => col_name === name)?.comment ?? "";
        return {
          description: detail?.description,
          clustering: detail?.clusteringColumns,
          team: others["shop.team"],
          tier: others["shop.tier"],
          comments: [comment("order_id"), comment("amount")],
        };
      };
      const expected = {
        description: "It's ${env:HOME} now",
        clustering: ["amount"],
        team: undefined,
        tier: "2",
        comments: ["", "A steward's text"],
      };
      assert.deepEqual(await state(), expected);
      // A later change by another writer stays until the flow changes again.
      await engine.sql("COMMENT ON TABLE shop.marts.orders IS 'Mine'");
      await engine.completes(second);
      assert.deepEqual(await state(), { ...expected, description: "Mine" });
    },
  );

  it("keeps unmatched rows once, and publishes them when they match", onlyNightly, async () => {
    const { flow } = filesOf(ordersRequest({ ...recheck, sequence_by: "updated_at" }));
    await fillShop([
      [1, 9, 10, "2026-01-01"],
      [1, 9, 10, "2026-01-01"],
      [2, 8, null, null],
      [3, 1, 30, null],
    ]);
    assert.match((await engine.completes(flow)).output, /2 newly kept/);
    const firstSeen = await rows("order_id, first_seen_at", "orders_unmatched");
    const before = await commits("orders_unmatched");
    assert.match((await engine.completes(flow)).output, /0 newly kept/);
    assert.deepEqual(await rows("order_id, first_seen_at", "orders_unmatched"), firstSeen);
    assert.equal(await commits("orders_unmatched"), before);
    await fillShop([[1, 7, 11, "2026-01-02"]], [...defaultCustomers, [9, "XX"]]);
    assert.match(
      (await engine.completes(flow)).output,
      /1 rows inserted, 0 updated; 1 were unmatched and match now; 1 newly kept/,
    );
    assert.deepEqual(await rows("order_id, amount, country"), ["1 10.00 XX", "3 30.00 DE"]);
    assert.deepEqual(await rows("order_id, customer_id", "orders_unmatched"), ["1 7", "2 8"]);
  });

  for (const [more, where, options] of [
    [{ sequence_by: "updated_at" }, /^MERGE/, {}],
    [{ scd_type: 2, sequence_by: "updated_at" }, /^MERGE INTO shop.marts.orders AS/, onlyNightly],
    [{ scd_type: 2 }, /^MERGE INTO shop.marts.orders AS/, onlyNightly],
  ] as const) {
    it(`has the same result after a crash at a commit (${JSON.stringify(more)})`, options, async () => {
      const { flow } = filesOf(ordersRequest({ ...recheck, ...more }));
      // A separate set of orders for each crash: the first order waits for its customer, the second changes, the third
      // is new.
      const first = [0, 10, 20, 30].map((set): OrderRow[] => [
        [set + 1, 100 + set, 10, "2026-01-01"],
        [set + 2, 1, 20, "2026-01-01"],
      ]);
      const orders = [...first];
      const customers = [...defaultCustomers];
      await fillShop(orders.flat(), customers);
      await engine.completes(flow);
      const { effects } = await engine.completes(flow);
      const crashes = effects.flatMap((effect, at) => (where.test(effect) ? [at + 1] : []));
      assert.equal(crashes.length, "scd_type" in more ? 1 : 4);
      for (const [at, effect] of someOf([...crashes.entries()], 1)) {
        const set = at * 10;
        orders[at] = [
          [set + 1, 100 + set, 10, "2026-01-01"],
          [set + 2, 1, 21, "2026-01-02"],
          [set + 3, 7, 30, "2026-01-01"],
        ];
        customers.push([100 + set, "XX"]);
        await fillShop(orders.flat(), customers);
        assert.ok((await engine.runNotebook(flow, { crashAt: { effect, when: "after" } })).crashed);
        await engine.completes(flow);
        const ofSet = `WHERE order_id BETWEEN ${set} AND ${set + 9}`;
        const columns = "order_id % 10 AS id, amount, country";
        const published = await engine.sql(
          "scd_type" in more
            ? `SELECT ${columns}, is_current FROM shop.marts.orders ${ofSet} ORDER BY ALL`
            : `SELECT ${columns} FROM shop.marts.orders ${ofSet} ORDER BY ALL`,
        );
        const expected =
          "scd_type" in more
            ? ["1 10.00 XX true", "2 20.00 DE false", "2 21.00 DE true"]
            : ["1 10.00 XX", "2 21.00 DE"];
        assert.deepEqual(lines(published), expected, `crash after ${effects[effect - 1]}`);
        const unmatched = await engine.sql(
          `SELECT order_id % 10 AS id FROM shop.marts.orders_unmatched ${ofSet}`,
        );
        assert.deepEqual(unmatched, [{ id: 3 }], `crash after ${effects[effect - 1]}`);
      }
    });
  }

  it("supports every type: compared exactly, written once", async () => {
    const columns = {
      id: ["bigint", "1"],
      tiny: ["tinyint", "2"],
      double_value: ["double", "double('NaN')"],
      exact: ["decimal(38,10)", "1.0000000001"],
      fixed: ["char(5)", "'ab'"],
      bounded: ["varchar(5)", "'abc'"],
      bytes: ["binary", "X'00FF'"],
      flag: ["boolean", "true"],
      day: ["date", "DATE'2026-01-01'"],
      moment: ["timestamp", "TIMESTAMP'2026-01-01 00:00:00.000001'"],
      wall: ["timestamp_ntz", "CAST('2026-01-01 00:00:00.000001' AS TIMESTAMP_NTZ)"],
      list: ["array<int>", "array(1, NULL)"],
      pairs: ["map<string,timestamp>", "map('a', TIMESTAMP'2026-01-01 00:00:00.000001')"],
      record: ["struct<`a b`:int,m:map<int,string>>", "named_struct('a b', 1, 'm', map(1, 'x'))"],
      anything: ["variant", "parse_json('{\"a\": 1}')"],
      "a b,;{}()=": ["string", "'odd'"],
    };
    const selected = Object.entries(columns)
      .map(([name, [, value]]) => `${value} AS \`${name}\``)
      .join(", ");
    const request = ordersRequest({ matched_sql: `SELECT ${selected}`, unmatched_sql: `SELECT ${selected}` });
    const listed = Object.entries(columns).map(([name, [type = ""]]) =>
      column(name, type, { pk: name === "id" }),
    );
    for (const more of [
      { emit_surrogate_key: true },
      { scd_type: 2, sequence_by: "moment" },
      { scd_type: 2 },
    ]) {
      await engine.clear();
      await engine.sql("CREATE SCHEMA shop.sales");
      await fillShop([]);
      const { flow } = filesOf({
        ...request,
        ...more,
        target_schema: { ...request.target_schema, columns: listed },
      });
      assert.match((await engine.completes(flow)).output, /1 rows inserted.*1 newly kept/);
      assert.match((await engine.completes(flow)).output, /0 rows inserted, 0 updated; 0 newly kept/);
    }
  });

  it(
    "adds the columns of a new version of the flow, and refuses a table with other types",
    onlyNightly,
    async () => {
      const { flow } = filesOf(
        ordersRequest({ unmatched_sql: "SELECT order_id FROM orders WHERE amount IS NULL" }),
      );
      await fillShop([[1, 1, 10, null]]);
      await engine.completes(flow);
      const request = ordersRequest({
        unmatched_sql:
          "SELECT order_id, customer_id, map('a', customer_id) AS more FROM orders WHERE amount IS NULL",
        matched_sql:
          "SELECT order_id, amount, 'DE' AS country, updated_at, customer_id AS customer FROM orders",
      });
      const columns = [...request.target_schema.columns, column("customer", "int", { not_null: true })];
      const next = { ...request, target_schema: { ...request.target_schema, columns } };
      await fillShop([
        [1, 1, 10, null],
        [2, 1, null, null],
      ]);
      await engine.completes(filesOf(next).flow);
      assert.deepEqual(await rows("order_id, customer"), ["1 1", "2 1"]);
      assert.deepEqual(await rows("order_id, customer_id, more['a']", "orders_unmatched"), ["2 1 1"]);

      const other = columns.map((one) => (one.name === "country" ? { ...one, type: "int" } : one));
      const refused = await engine.runNotebook(
        filesOf({ ...next, target_schema: { ...next.target_schema, columns: other } }).flow,
      );
      assert.match(refused.error?.message ?? "", /country is string and not int/);
    },
  );

  it("fails the job with every reason when the table does not pass its checks", async () => {
    const request = ordersRequest();
    const columns = [
      ...request.target_schema.columns.map((one) => ({ ...one, not_null: one.name === "country" })),
    ];
    const foreign_keys = [{ column: "country", parent_table: "countries", parent_column: "code" }];
    const { flow, quality } = filesOf({
      ...request,
      target_schema: { ...request.target_schema, columns, foreign_keys },
    });
    await engine.sql("CREATE TABLE shop.sales.countries (code STRING) USING DELTA");
    await engine.sql("INSERT INTO shop.sales.countries VALUES ('DE'), ('FR')");
    await fillShop([
      [1, 1, 10, null],
      [2, 2, 20, null],
    ]);
    await engine.completes(flow);
    assert.match((await engine.completes(quality)).output, /2 rows, all checks passed/);

    // Another writer replaces the table, which drops the flow's NOT NULL constraints.
    await engine.sql(
      "CREATE OR REPLACE TABLE shop.marts.orders USING DELTA AS SELECT order_id, amount, if(order_id = 1, NULL, 'XX') AS country, updated_at FROM shop.marts.orders LATERAL VIEW explode(sequence(1, 60)) AS copy",
    );
    const { error } = await engine.runNotebook(quality);
    assert.match(error?.message ?? "", /2 keys occur more than once, for example order_id = \d, times = 60/);
    assert.match(
      error?.message ?? "",
      /60 rows have no value where one is needed, for example order_id = 1, missing = country/,
    );
    assert.match(
      error?.message ?? "",
      /1 values of country are not in shop.sales.countries \(code\), for example country = XX/,
    );
    assert.match(error?.message ?? "", /There are 120 rows after 2, where 1 to 4 are allowed/);
    const lenient = await engine.runNotebook(quality, { parameters: { max_row_count_drift: "" } });
    assert.doesNotMatch(lenient.error?.message ?? "", /There are 120 rows/);
    assert.deepEqual(await rows("row_count, passed", "orders_quality"), ["2 true", "120 false", "120 false"]);
  });

  it("preserves hostile texts and names", async () => {
    const description =
      "It's \\ \"odd\"\n'''; DROP TABLE x; -- ${env:HOME} {{job.id}} */ \u202e\u{1f600}\u0000$1`";
    const request = ordersRequest({
      matched_sql:
        "SELECT 1 AS `it's`, 2 AS `a``b`, 3 AS `--`, 4 AS `*/`, '''; # COMMAND ----------' AS `{{x}}`",
      table_properties: { "it's": description },
    });
    const columns = ["it's", "a`b", "--", "*/", "{{x}}"].map((name, at) =>
      column(name, "string", { pk: at === 0, description }),
    );
    const { flow, quality } = filesOf({
      ...request,
      target_schema: { ...request.target_schema, description, columns },
    });
    await fillShop([]);
    await engine.completes(flow);
    await engine.completes(quality);
    const described = await engine.sql("DESCRIBE TABLE EXTENDED shop.marts.orders");
    assert.deepEqual(
      described.filter(({ comment }) => comment === description).map(({ col_name }) => col_name),
      columns.map(({ name }) => name),
    );
    assert.deepEqual(described.find(({ col_name }) => col_name === "Comment")?.data_type, description);
    const [property] = await engine.sql("SHOW TBLPROPERTIES shop.marts.orders ('it\\'s')");
    assert.equal(property?.value, description);
    assert.deepEqual(await rows("`it's`, `a``b`, `--`, `*/`, `{{x}}`"), ["1 2 3 4 '; # COMMAND ----------"]);
  });
});
