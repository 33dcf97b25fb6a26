/** The check of functions without tables agrees with the binder. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { cases, fixture } from "../../../spark/cases.ts";
import { openShop, scope, type TestShop } from "../testing/shop.ts";
import { prepareQuery } from "./prepared-query.ts";
import { MissingTable } from "./query-access.ts";

let shop: TestShop;
before(async () => {
  shop = await openShop();
  await shop.run("DROP TABLE shop.sales.orders");
});
after(() => shop[Symbol.asyncDispose]());

async function refusal(sql: string): Promise<Error> {
  const connection = await shop.warehouse.connect();
  try {
    const error = await prepareQuery(shop.warehouse, connection, { scope, sql, dialect: "databricks" }).catch(
      (error) => error,
    );
    return error instanceof Error ? error : new Error("It was accepted.");
  } finally {
    connection.closeSync();
  }
}

test("a function that a query can call is known also while its tables are missing", async () => {
  const readsTable = new RegExp(`\\bfrom (?:${fixture.map(({ table }) => table).join("|")})\\b`, "i");
  // Some of the cases: all of them take half a minute.
  const some = cases.filter(({ sql }) => readsTable.test(sql)).filter((_, at) => at % 4 === 0);
  assert.ok(some.length > 50);
  const unknown: string[] = [];
  for (const { sql } of some)
    if (/there is no function/.test((await refusal(sql)).message)) unknown.push(sql);
  await createTables();
  for (const sql of unknown) await assert.rejects(shop.query(sql), /there is no function/);
  for (const { table } of fixture) await shop.run(`DROP TABLE shop.sales.${table}`);
});

async function createTables(): Promise<void> {
  const connection = await shop.warehouse.connect();
  for (const { table, select: sql } of fixture) {
    const prepared = await prepareQuery(shop.warehouse, connection, { scope, sql, dialect: "databricks" });
    await shop.run(`CREATE TABLE shop.sales.${table} AS ${prepared.sql}`);
  }
  connection.closeSync();
}

test("a function that does not exist is refused before a missing table", async () => {
  const unknown = await refusal("SELECT skewness(qty) FROM missing");
  assert.ok(!(unknown instanceof MissingTable));
  assert.match(
    unknown.message,
    /^Line 1, column 8: there is no function skewness\(\) on the embedded platform\.$/,
  );
  assert.ok((await refusal("SELECT stddev(qty) FROM missing")) instanceof MissingTable);
});
