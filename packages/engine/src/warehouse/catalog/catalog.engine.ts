import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import type { CatalogMetadataChange } from "../../protocol/catalog.ts";
import { openShop, scope, type TestShop } from "../testing/shop.ts";
import { Warehouse } from "../warehouse.ts";
import { readCatalog } from "./catalog.ts";
import { changeMetadata } from "./metadata.ts";
import { applyMetadata } from "./metadata-script.ts";
import { readVersions } from "./table-versions.ts";

let shop: TestShop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop[Symbol.asyncDispose]());

const orders = {
  scope,
  catalog: "shop",
  schema: "sales",
  table: "orders",
  columns: [],
} satisfies CatalogMetadataChange;
const change = (changes: Partial<CatalogMetadataChange>) =>
  changeMetadata(shop.warehouse, { ...orders, ...changes });
const catalog = (which: { catalog?: string; schema?: string; table?: string } = {}) =>
  readCatalog(shop.warehouse, { scope, ...which });
const ordersNow = async () => (await catalog({ table: "orders" })).tables[0];

describe("the catalog", () => {
  test("lists tables with row counts, and columns with Databricks types", async () => {
    assert.deepEqual(await catalog(), {
      catalogs: ["shop"],
      schemas: [{ catalog: "shop", name: "sales" }],
      tables: [
        {
          catalog: "shop",
          schema: "sales",
          name: "orders",
          kind: "table",
          comment: null,
          tags: {},
          rows: 3,
          columns: [
            { name: "id", type: "INT", nullable: true, comment: null, tags: {} },
            { name: "customer", type: "STRING", nullable: true, comment: null, tags: {} },
            { name: "amount", type: "DECIMAL(4,2)", nullable: true, comment: null, tags: {} },
            { name: "day", type: "DATE", nullable: true, comment: null, tags: {} },
          ],
        },
      ],
    });
  });

  test("can be filtered by catalog, schema and table, ignoring case", async () => {
    await shop.warehouse.createSchema({ catalog: "main", schema: "default", table: "t" });
    await shop.run('CREATE TABLE _main."default".t (n BIGINT NOT NULL)');
    assert.deepEqual((await catalog()).catalogs, ["main", "shop"]);
    const { catalogs, schemas, tables } = await catalog({ catalog: "MAIN", schema: "Default", table: "T" });
    assert.deepEqual([catalogs, schemas], [["main"], [{ catalog: "main", name: "default" }]]);
    assert.deepEqual(
      tables.map(({ catalog, schema, name, columns }) => [catalog, schema, name, columns[0]?.nullable]),
      [["main", "default", "t", false]],
    );
    assert.deepEqual((await catalog({ catalog: "nowhere" })).tables, []);
  });

  test("lists empty schemas, but DuckDB's default schema main only if it has tables", async () => {
    await shop.run("CREATE SCHEMA shop.empty");
    const names = async () => (await catalog()).schemas.map(({ name }) => name);
    assert.deepEqual(await names(), ["empty", "sales"]);
    await shop.run("CREATE TABLE shop.main.t (n INT)");
    assert.deepEqual(await names(), ["empty", "main", "sales"]);
  });

  test("ignores files in the folder that are not catalogs", async () => {
    const folder = shop.warehouse.folder;
    shop.warehouse.close();
    for (const name of ["_main.duckdb", "a b.duckdb", "notes.txt", "UPPER.duckdb"]) {
      await writeFile(join(folder, name), "not a database");
    }
    const again = await Warehouse.open({ folder, memoryMb: 128, threads: 2 });
    assert.deepEqual(again.catalogs, ["shop"]);
    again.close();
  });
});

describe("comments and tags", () => {
  test("of tables and columns are stored, and read after the warehouse is opened again", async () => {
    const done = await change({
      comment: "It's all orders",
      tags: { domain: "sales" },
      columns: [{ column: "CUSTOMER", comment: "Who", tags: { pii: "true" } }],
    });
    assert.deepEqual(done, { changed: true });
    const folder = shop.warehouse.folder;
    shop.warehouse.close();
    const again = await Warehouse.open({ folder, memoryMb: 128, threads: 2 });
    const [table] = (await readCatalog(again, { scope })).tables;
    assert.deepEqual([table?.comment, table?.tags], ["It's all orders", { domain: "sales" }]);
    assert.partialDeepStrictEqual(table?.columns[1], { comment: "Who", tags: { pii: "true" } });
    again.close();
  });

  test("an absent field leaves a value unchanged, null removes it, and a repeated change reports no change", async () => {
    await change({ comment: "Orders", tags: { domain: "sales", draft: "yes" } });
    assert.deepEqual(await change({ tags: { draft: null, owner: "ada" } }), { changed: true });
    assert.partialDeepStrictEqual(await ordersNow(), {
      comment: "Orders",
      tags: { domain: "sales", owner: "ada" },
    });
    assert.deepEqual(await change({ tags: { draft: null, owner: "ada" } }), { changed: false });
    await change({ comment: null });
    assert.equal((await ordersNow())?.comment, null);
  });

  test("can be set on a view and its columns", async () => {
    await shop.run("CREATE VIEW shop.sales.rich AS SELECT * FROM shop.sales.orders WHERE amount > 10");
    await change({
      table: "rich",
      comment: "Big ones",
      tags: { a: "b" },
      columns: [{ column: "id", tags: { c: "d" } }],
    });
    const [view] = (await catalog({ table: "rich" })).tables;
    assert.partialDeepStrictEqual(view, { kind: "view", comment: "Big ones", tags: { a: "b" }, rows: null });
    assert.deepEqual(view?.columns[0]?.tags, { c: "d" });
  });

  test("for an unknown table or column, the error suggests the most similar name, and nothing changes", async () => {
    await assert.rejects(change({ table: "ordrs", comment: "x" }), {
      message: 'There is no table "shop.sales.ordrs". Did you mean shop.sales.orders?',
    });
    await assert.rejects(change({ comment: "x", columns: [{ column: "custommer", comment: "y" }] }), {
      message: 'shop.sales.orders has no column "custommer". Did you mean customer?',
    });
    await assert.rejects(change({ schema: "_lakehelm", table: "tags", comment: "x" }), /There is no table/);
    assert.equal((await ordersNow())?.comment, null);
  });
});

describe("an alter-metadata artifact", () => {
  const files = new URL("../../../../codegen/golden/alter-metadata/files/", import.meta.url);

  test("is applied; applying it again changes nothing", async () => {
    await shop.run("ALTER TABLE shop.sales.orders ADD COLUMN customer_email VARCHAR");
    await shop.run("ALTER TABLE shop.sales.orders ADD COLUMN legacy_code VARCHAR");
    await shop.run("COMMENT ON COLUMN shop.sales.orders.legacy_code IS 'old'");
    const [path = ""] = globSync("**/alter.sql", { cwd: files });
    const sql = await readFile(new URL(path, files), "utf8");
    assert.deepEqual(await applyMetadata(shop.warehouse, scope, sql), { changed: true });
    const table = await ordersNow();
    assert.equal(table?.comment, "One row for each order, as the shop's cashier saw it");
    assert.deepEqual(table?.tags, { domain: "sales" });
    const [email, legacy] = table?.columns.slice(-2) ?? [];
    assert.partialDeepStrictEqual(email, { comment: "Where the receipt went", tags: { pii: "true" } });
    assert.equal(legacy?.comment, null);
    assert.deepEqual(await applyMetadata(shop.warehouse, scope, sql), { changed: false });
  });

  test("with an error in its second statement changes nothing", async () => {
    const sql = "COMMENT ON TABLE orders IS 'x';\nALTER TABLE orders ALTER COLUMN nope COMMENT 'y';";
    await assert.rejects(applyMetadata(shop.warehouse, scope, sql), /no column "nope"/);
    const other = "COMMENT ON TABLE orders IS 'x';\nDROP TABLE orders;";
    await assert.rejects(applyMetadata(shop.warehouse, scope, other), /^Error: Line 2, column 1: /);
    assert.equal((await ordersNow())?.comment, null);
  });
});

test("the version of a table counts its changes and has the time of the last one", async () => {
  const name = { catalog: "shop", schema: "sales", table: "orders" };
  const connection = await shop.warehouse.connect();
  await shop.warehouse.recordChange(connection, name, "2026-01-02T03:04:05Z", "rewritten");
  await shop.warehouse.recordChange(connection, name, "2026-01-02T03:04:06.5Z", "added");
  connection.closeSync();
  assert.deepEqual(await readVersions(shop.warehouse), [
    { name: "shop.sales.orders", version: 2, at: "2026-01-02T03:04:06.500000Z" },
  ]);
});
