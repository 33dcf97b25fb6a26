import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, type TestContext, test } from "node:test";
import { someOf } from "@lakehelm/testing/nightly";
import { startTransferHarness } from "../testing/transfer-harness.ts";
import { inTransaction } from "../warehouse/transaction.ts";
import { ingest } from "./ingest.ts";
import { preview } from "./preview.ts";

const orders = { catalog: "main", schema: "default", table: "orders" };

async function start(t: TestContext) {
  const shop = await startTransferHarness(t);
  const source = new DatabaseSync(join(shop.folder, "shop.db"));
  t.after(() => source.close());
  source.exec("CREATE TABLE orders (id INTEGER PRIMARY KEY, name TEXT, updated_at INTEGER)");
  for (let id = 1; id <= 20; id += 1) source.exec(`INSERT INTO orders VALUES (${id}, 'n${id}', ${id})`);
  /** Changes the table as a SQL task does. */
  const outside = (sql: string, change: "added" | "rewritten" = "rewritten") =>
    inTransaction(shop.warehouse, shop.context.signal, async (connection) => {
      await connection.run(sql);
      await shop.warehouse.recordChange(connection, orders, shop.context.now(), change);
    });
  return { ...shop, source, outside };
}

const table = '_main."default".orders';
const command =
  "lakehelm connectors run shop --set 'parameters.datasets=[\"orders\"]' --set parameters.reset_watermark=true";

const createMore = `CREATE TABLE more (id INTEGER PRIMARY KEY, name TEXT, updated_at INTEGER);
  INSERT INTO more SELECT id + 100, name, updated_at FROM orders`;
const removals = [
  ["emptied", `DELETE FROM ${table}`],
  ["truncated", `TRUNCATE ${table}`],
  ["replaced by fewer rows", `CREATE OR REPLACE TABLE ${table} AS SELECT * FROM ${table} LIMIT 3`],
  ["that has lost one row", `DELETE FROM ${table} WHERE id = 7`],
] as const;

suite("a target that others have changed", () => {
  for (const [what, sql] of removals) {
    test(`an import into a table that is ${what} fails until the command of its error has run`, async (t) => {
      const shop = await start(t);
      await ingest(shop.request(), shop.context);
      await ingest(shop.request(), shop.context);
      await shop.outside(sql);
      for (let again = 0; again < 2; again += 1) {
        await assert.rejects(ingest(shop.request(), shop.context), ({ message }: Error) =>
          message.includes(command),
        );
      }
      await ingest(shop.request({}, { fromStart: true }), shop.context);
      assert.deepEqual(await shop.rows(`SELECT count(*) FROM ${table}`), [["20"]]);
      const { warnings } = await ingest(shop.request(), shop.context);
      assert.deepEqual(warnings, []);
    });
  }

  for (const [what, sql] of someOf(removals, 2)) {
    test(`no run of another kind hides from the next one that a table is ${what}`, async (t) => {
      const shop = await start(t);
      const normal = () => ingest(shop.request(), shop.context);
      await normal();
      await shop.outside(sql);
      const loses = ({ message }: Error) => message.includes(command);
      const window = { from: "5", to: "10" };
      const late = "INSERT INTO orders VALUES (30, 'late', 6)";
      for (const [kind, run] of Object.entries({
        window: () => ingest(shop.request({}, { window }), shop.context),
        "window of appended rows": () =>
          ingest(shop.request({ strategy: "append" }, { window }), shop.context),
        "rejects are tried again": () => ingest(shop.request({}, { retryRejects: true }), shop.context),
        "a filled column": async () => {
          shop.source.exec(`${late}; ALTER TABLE orders ADD COLUMN state TEXT DEFAULT 'open'`);
          return ingest(shop.request({ onAddedColumn: "backfill" }), shop.context);
        },
        "window with a new column": () => ingest(shop.request({}, { window }), shop.context),
        preview: () => preview(shop.request(), shop.context),
        "preview of a window": () => preview(shop.request({}, { window }), shop.context),
      })) {
        await assert.rejects(run(), loses, kind);
        await assert.rejects(normal(), loses, `after ${kind}`);
      }
      // Another dataset with the same target does not know these rows.
      shop.source.exec(createMore);
      for (const watermark of [null, "updated_at"]) {
        const { inserted } = await ingest(
          shop.request({ id: `more ${watermark}`, source: "more", watermark }),
          shop.context,
        );
        assert.equal(inserted, watermark === null ? 21 : 0);
        await assert.rejects(normal(), loses, `after another dataset, ${watermark}`);
      }
      await ingest(shop.request({}, { fromStart: true }), shop.context);
      assert.deepEqual((await normal()).warnings, []);
      assert.deepEqual(await shop.rows(`SELECT count(*) FROM ${table}`), [["42"]]);
    });
  }

  test("a window says a loss that is on purpose, instead of the next run", async (t) => {
    const shop = await start(t);
    const run = (more = {}) => ingest(shop.request({ onLostRows: "warn" }, more), shop.context);
    await run();
    await shop.outside(`DELETE FROM ${table} WHERE id < 5`);
    const { warnings, inserted } = await run({ window: { from: "1", to: "3" } });
    assert.match(warnings.join(), /has 16 rows, and had 20/);
    assert.equal(inserted, 2);
    assert.deepEqual((await run()).warnings, []);
  });

  test("a dataset that tells of a loss tells it for itself only, and what datasets remove themselves is none", async (t) => {
    const shop = await start(t);
    shop.source.exec(createMore);
    const first = () => ingest(shop.request(), shop.context);
    const second = (more = {}) =>
      ingest(shop.request({ id: "more", source: "more", onLostRows: "warn", ...more }), shop.context);
    await first();
    await second();
    const whole = { id: "whole", source: "more", watermark: null, deletes: true, maxDeleteShare: 1 };
    shop.source.exec("DELETE FROM more WHERE id < 111");
    assert.equal((await second(whole)).deleted, 30);
    assert.deepEqual([...(await first()).warnings, ...(await second()).warnings], []);
    await shop.outside(`DELETE FROM ${table} WHERE id = 113`);
    assert.match((await second()).warnings.join(), /has 10 rows, and had 11/);
    assert.deepEqual((await second()).warnings, []);
    await assert.rejects(first(), /has 10 rows, and had 11/);
  });

  test("rows that are removed on purpose are a warning, once", async (t) => {
    const shop = await start(t);
    const run = () => ingest(shop.request({ onLostRows: "warn" }), shop.context);
    await run();
    await shop.outside(`DELETE FROM ${table} WHERE id < 5`);
    assert.match((await run()).warnings.join(), /has 16 rows, and had 20/);
    assert.deepEqual((await run()).warnings, []);
  });

  test("changed rows are a warning; rows that others add are not", async (t) => {
    const shop = await start(t);
    const run = () => ingest(shop.request(), shop.context);
    await run();
    await shop.outside(`INSERT INTO ${table} VALUES (100, 'x', 3)`, "added");
    assert.deepEqual((await run()).warnings, []);
    await shop.outside(`UPDATE ${table} SET name = 'y' WHERE id = 2`);
    const { warnings } = await run();
    assert.ok(warnings[0]?.startsWith("Something else has changed"), String(warnings));
    assert.ok(warnings[0]?.endsWith(command));
  });

  test("a run that compares all rows loads what is missing, and datasets with the same target do not disturb each other", async (t) => {
    const shop = await start(t);
    const whole = () => ingest(shop.request({ watermark: null }), shop.context);
    await whole();
    await shop.outside(`DELETE FROM ${table} WHERE id < 5`);
    assert.equal((await whole()).inserted, 4);
    const second = () => ingest(shop.request({ id: "second", deletes: true, watermark: null }), shop.context);
    const first = () => ingest(shop.request({ id: "first" }), shop.context);
    await first();
    shop.source.exec("DELETE FROM orders WHERE id < 3");
    assert.equal((await second()).deleted, 2);
    assert.deepEqual((await first()).warnings, []);
  });
});
