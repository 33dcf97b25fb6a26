import assert from "node:assert/strict";
import { test } from "node:test";
import { parseChange } from "./change-parser.ts";

test("UPDATE is split into assignments and its condition", () => {
  assert.deepEqual(
    parseChange(
      "UPDATE a.`b`.c AS t SET t.x = CASE WHEN y THEN f(1, 2) END, `z z` = (1, 2) -- why\nWHERE x IN (1, 2);",
    ),
    {
      verb: "update",
      alias: "t",
      set: [
        { column: "x", value: "CASE WHEN y THEN f(1, 2) END" },
        { column: "z z", value: "(1, 2)" },
      ],
      where: "x IN (1, 2)",
    },
  );
});

test("DELETE is parsed with and without a condition", () => {
  assert.deepEqual(parseChange("DELETE FROM orders"), { verb: "delete", alias: null, where: null });
  assert.deepEqual(parseChange("delete from orders o where o.id = 1"), {
    verb: "delete",
    alias: "o",
    where: "o.id = 1",
  });
});

test("MERGE is parsed with every kind of WHEN", () => {
  const change =
    parseChange(`MERGE WITH SCHEMA EVOLUTION INTO orders t USING (SELECT 1 AS id) AS s ON t.id = s.id
    WHEN MATCHED AND CASE WHEN a THEN b ELSE c END THEN UPDATE SET *
    WHEN NOT MATCHED BY TARGET THEN INSERT (id, t.n) VALUES (s.id, coalesce(s.n, 0))
    WHEN NOT MATCHED BY SOURCE THEN DELETE`);
  assert.deepEqual(change, {
    verb: "merge",
    alias: "t",
    source: "(SELECT 1 AS id) AS s",
    sourceAlias: "s",
    on: "t.id = s.id",
    whens: [
      { rows: "matched", and: "CASE WHEN a THEN b ELSE c END", action: { update: "*" } },
      {
        rows: "not_matched",
        and: null,
        action: { insert: { columns: ["id", "n"], values: ["s.id", "coalesce(s.n, 0)"] } },
      },
      { rows: "not_matched_by_source", and: null, action: "delete" },
    ],
  });
});

test("another statement is an error", () => {
  assert.throws(() => parseChange("SELECT 1"), /Expected MERGE, found SELECT/);
});
