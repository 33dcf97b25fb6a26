import assert from "node:assert/strict";
import { test } from "node:test";
import { refused } from "../../../testing/refusal.ts";
import type { ResourceSuite } from "./resource-fixture.ts";

/** Queries, the catalog, and descriptions and tags with their undo. */
export function warehouseTests({ fixture }: Pick<ResourceSuite, "fixture">): void {
  test("a query has rows and pages, and never writes", async (t) => {
    const { client, environment, table } = fixture();
    if (!table) return t.skip("There is no table.");
    const name = `${table.catalog}.${table.schema}.${table.table}`;
    const query = (sql: string, more: object = {}) =>
      client.runQuery({ body: { sql, ...more }, environment });
    const { columns, rows, more } = await query("SELECT 7 AS n", { limit: 1 });
    assert.deepEqual([columns.map((one) => one.name), rows, more], [["n"], [[7]], false]);
    const writes = [`DROP TABLE ${name}`, `INSERT INTO ${name} SELECT * FROM ${name}`, "SELECT 1; SELECT 2"];
    for (const sql of writes) {
      await refused(query(sql), 409);
      const { success } = await client.validateQuery({ body: { query: sql }, environment });
      assert.equal(success, false, sql);
    }
  });

  test("the catalog has a table; descriptions and tags are applied, and undone", async (t) => {
    const { client, environment, table } = fixture();
    if (!table) return t.skip("There is no table.");
    const named = { catalog_name: table.catalog, schema_name: table.schema, table_name: table.table };
    const read = async () => {
      const { tables } = await client.readCatalog({ query: { ...table }, environment });
      assert.equal(tables.length, 1);
      return [tables[0]?.comment, tables[0]?.tags];
    };
    assert.deepEqual(await read(), ["Orders", {}]);
    const change = { table_description: "It's one row", table_tags: { domain: "sales" }, columns: [] };
    const { artifacts } = await client.generateAlterMetadata({ body: { ...named, change }, environment });
    const apply = async (end: string) => {
      const artifact = artifacts.find(({ path }) => path.endsWith(end))?.content ?? "";
      return (await client.changeMetadata({ body: { artifact }, environment })).changed;
    };
    assert.equal(await apply("/alter.sql"), true);
    assert.deepEqual(await read(), ["It's one row", { domain: "sales" }]);
    assert.equal(await apply("/alter.sql"), false);
    assert.equal(await apply("/undo.sql"), true);
    assert.deepEqual(await read(), ["Orders", {}]);
  });
}
