import assert from "node:assert/strict";
import { test } from "node:test";
import { DuckDBInstance } from "@duckdb/node-api";
import { sortedParts } from "./sorted-rows.ts";

test("rows that do not fit into memory are sorted in parts, in the same order", async (t) => {
  const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
  const connection = await instance.connect();
  t.after(() => {
    connection.closeSync();
    instance.closeSync();
  });
  await connection.run(
    "CREATE TEMP TABLE unsent AS SELECT n * 7919 % 1000 AS id, n % 3 AS kind, repeat('x', 100) AS note FROM range(1000) r(n)",
  );
  const columns = ["id BIGINT", "kind BIGINT", "note VARCHAR"].map((text) => {
    const [name = "", type = ""] = text.split(" ");
    return { name, type, origin: type };
  });
  const sorted = {
    relation: "unsent",
    rows: 1000,
    columns,
    expressions: ["id"],
    order: ["kind", "id"],
    batch: 30,
  };
  const read = async (memoryMb: number) => {
    const found: unknown[][] = [];
    for (const sql of await sortedParts(connection, { ...sorted, memoryMb })) {
      const part = await connection.runAndReadAll(sql);
      found.push(part.getRowsJson().map(([id]) => id));
    }
    return found;
  };
  const [whole = [], ...others] = await read(64);
  assert.deepEqual([whole.length, others.length], [1000, 0]);
  const parts = await read(0.1);
  assert.ok(parts.length > 5);
  assert.ok(parts.slice(0, -1).every((part) => part.length > 0 && part.length % 30 === 0));
  assert.deepEqual(parts.flat(), whole);
});
