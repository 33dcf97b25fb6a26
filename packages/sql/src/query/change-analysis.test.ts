import assert from "node:assert/strict";
import { test } from "node:test";
import { loadSqlParser } from "../parser/sql-parser.ts";
import { analyzeChange } from "./change-analysis.ts";

const sql = await loadSqlParser();
const rules = {
  catalog: "shop",
  schema: "sales",
  declared: new Map([
    ["shop.sales.orders", ["id", "amount", "note"]],
    ["shop.sales.news", ["id", "amount", "gone"]],
    ["shop.crm.people", undefined],
  ]),
  invalid: new Set<string>(),
  unknownTable: (table: string) => `there is no table ${table}.`,
};

/** Valid statements, with the tables that each reads in addition to its target. */
const valid: readonly (readonly [string, readonly string[]])[] = [
  ["UPDATE orders SET amount = amount * 2, note = 'x'", []],
  [
    "UPDATE orders AS o SET o.amount = (SELECT max(n.amount) FROM news n WHERE n.id = o.id) WHERE o.id > 1",
    ["shop.sales.news"],
  ],
  ["UPDATE orders SET orders.amount = 1", []],
  ["UPDATE sales.orders SET sales.orders.amount = 1", []],
  ["DELETE FROM orders", []],
  [
    "DELETE FROM sales.orders o WHERE EXISTS (SELECT 1 FROM crm.people p WHERE p.id = o.id)",
    ["shop.crm.people"],
  ],
  ["DELETE FROM orders WHERE id IN (SELECT id FROM orders WHERE amount = 0)", ["shop.sales.orders"]],
  [
    "MERGE INTO orders USING news ON orders.id = news.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
    ["shop.sales.news"],
  ],
  [
    "MERGE INTO orders AS o USING (SELECT id, max(amount) AS amount, max(gone) AS gone FROM news GROUP BY id) AS n ON o.id = n.id WHEN MATCHED AND n.gone THEN DELETE WHEN MATCHED THEN UPDATE SET o.amount = n.amount, note = 'x' WHEN NOT MATCHED AND NOT gone THEN INSERT (id, amount) VALUES (id, n.amount) WHEN NOT MATCHED BY SOURCE THEN UPDATE SET note = concat(note, '?')",
    ["shop.sales.news"],
  ],
];

for (const [text, tables] of valid) {
  test(`valid: ${text.slice(0, 80)}`, () =>
    assert.deepEqual(analyzeChange(sql, text, rules), { tables, diagnostics: [] }));
}

/** Invalid statements, with the location of each problem. */
const unsound: readonly (readonly [string, ...string[]])[] = [
  ["UPDATE orders SET amuont = 1", "18 orders has no column amuont. Did you mean amount?"],
  ["UPDATE orders SET details.amount = 1", "18 details.amount is not a column of orders. To change a field"],
  ["UPDATE orders AS o SET o.details.amount = 1", "23 o.details.amount is not a column of o."],
  [
    "MERGE INTO orders USING news ON orders.id = news.id WHEN MATCHED THEN UPDATE SET details.amount = 1",
    "89 details.amount is not a column of orders.",
  ],
  ["UPDATE orders SET amount = DEFAULT", "27 DEFAULT is not supported here: leave the column out"],
  [
    "MERGE INTO orders USING news ON orders.id = news.id WHEN NOT MATCHED THEN INSERT (id) VALUES (DEFAULT)",
    "94 DEFAULT is not supported here",
  ],
  [
    "WITH n AS (SELECT 1 AS id) DELETE FROM orders WHERE id IN (SELECT id FROM n)",
    "0 a WITH before DELETE is not supported. Write its queries where they are used.",
  ],
  ["UPDATE orders SET amount = 1 FROM news", "0 Databricks does not support this part of the statement"],
  ["UPDATE orders SET amount = reflect('x')", "27 reflect() is not allowed here"],
  ["UPDATE nothing SET a = 1", "7 there is no table shop.sales.nothing."],
  ["DELETE FROM orders WHERE id IN (SELECT id FROM secret)", "47 there is no table shop.sales.secret."],
  ["DELETE FROM orders USING news WHERE orders.id = news.id", "19 "],
  [
    "MERGE INTO orders o USING news n ON o.id = n.id WHEN NOT MATCHED THEN INSERT (id) VALUES (o.id)",
    "90 o is neither a table nor a column here",
  ],
  [
    "MERGE INTO orders o USING news n ON o.id = n.id WHEN NOT MATCHED THEN INSERT (id, amount) VALUES (n.id)",
    "0 INSERT has 2 columns and 1 value",
  ],
  ["MERGE INTO orders o USING news n ON id = 1 WHEN MATCHED THEN DELETE", "36 id is ambiguous"],
  ["SELECT id FROM orders", "0 expected UPDATE, DELETE or MERGE"],
];

for (const [text, expected] of unsound) {
  test(`invalid: ${text.slice(0, 80)}`, () => {
    const found = analyzeChange(sql, text, rules).diagnostics.map(({ at, message }) => `${at} ${message}`);
    assert.ok(
      found.some((one) => one.startsWith(expected ?? "")),
      `${found.join(" | ")} is not ${expected}`,
    );
  });
}
