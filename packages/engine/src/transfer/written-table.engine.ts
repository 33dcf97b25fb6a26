import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, type TestContext, test } from "node:test";
import { startTransferHarness } from "../testing/transfer-harness.ts";
import { inTransaction } from "../warehouse/transaction.ts";
import { deliver } from "./delivery.ts";
import { ingest } from "./ingest.ts";

const orders = { catalog: "main", schema: "default", table: "orders" };

async function start(t: TestContext) {
  const shop = await startTransferHarness(t);
  const source = new DatabaseSync(join(shop.folder, "shop.db"));
  t.after(() => source.close());
  source.exec("CREATE TABLE orders (id INTEGER PRIMARY KEY, name TEXT, updated_at INTEGER)");
  for (let id = 1; id <= 20; id += 1) source.exec(`INSERT INTO orders VALUES (${id}, 'n${id}', ${id})`);
  /** As a SQL task does it. */
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

suite("a target that others have changed", () => {
  for (const [what, sql] of [
    ["emptied", `DELETE FROM ${table}`],
    ["truncated", `TRUNCATE ${table}`],
    ["replaced by fewer rows", `CREATE OR REPLACE TABLE ${table} AS SELECT * FROM ${table} LIMIT 3`],
    ["that has lost one row", `DELETE FROM ${table} WHERE id = 7`],
  ] as const) {
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

  for (const type of ["sqlite", "duckdb"]) {
    test(`an export to a ${type} table that was emptied fails until the command of its error has run`, async (t) => {
      const shop = await start(t);
      await ingest(shop.request(), shop.context);
      const path = join(shop.folder, `out.${type}`);
      const run = (fromStart = false) =>
        deliver(
          shop.request(
            { id: "out", source: "main.default.orders", target: "orders" },
            { direction: "out", connection: { type, config: { path } }, fromStart },
          ),
          shop.context,
        );
      assert.equal((await run()).inserted, 20);
      await run();
      if (type === "sqlite") {
        const target = new DatabaseSync(path);
        target.exec("DELETE FROM orders");
        target.close();
      } else {
        const external = await shop.warehouse.openExternal({ databases: [path] });
        await external.connection.run(`ATTACH '${path}' AS out`);
        await external.connection.run("DELETE FROM out.main.orders");
        await external.connection.run("DETACH out");
        external.close();
      }
      await assert.rejects(run(), ({ message }: Error) => message.includes(command));
      assert.equal((await run(true)).inserted, 20);
      assert.equal((await run()).inserted, 0);
    });
  }
});
