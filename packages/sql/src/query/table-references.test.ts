import assert from "node:assert/strict";
import { test } from "node:test";
import { loadSqlParser } from "../parser/sql-parser.ts";
import { tableReferences } from "./table-references.ts";

test("references are found where a query names a table, and CTEs are none", async () => {
  const text =
    "WITH orders AS (SELECT * FROM main.raw.orders) SELECT o.id, count(*) FROM orders o JOIN `customers` c ON o.id = c.id WHERE EXISTS (SELECT 1 FROM customers)";
  const tables = ["main.raw.orders", "main.gold.customers", "main.gold.orders"];
  const found = tableReferences(await loadSqlParser(), text, tables, { catalog: "main", schema: "gold" });
  assert.deepEqual(
    found.map(({ table, start, end }) => [table.table, text.slice(start, end)]),
    [
      ["orders", "main.raw.orders"],
      ["customers", "`customers`"],
      ["customers", "customers"],
    ],
  );
});
