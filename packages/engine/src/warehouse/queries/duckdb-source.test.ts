import assert from "node:assert/strict";
import { test } from "node:test";
import { duckdbSource } from "./duckdb-source.ts";

const cases: readonly (readonly [string, string])[] = [
  ["select 1 -- one\n, 2", "select 1       \n, 2"],
  ["select /* a\n b */ 1", "select     \n      1"],
  ["select /* a /* b */ c */ 1", "select                   1"],
  ["select '--' || '/*' || \"/*\"", "select '--' || '/*' || \"/*\""],
  ["select 'it''s /*' -- x", "select 'it''s /*'     "],
  ["select E'\\'/*' /* x */", "select E'\\'/*'        "],
  ["select $$ -- $$ --", "select $$ -- $$   "],
  ["select $a$ $$ /* $a$ /**/", "select $a$ $$ /* $a$     "],
  ["select 1 /* never closed", "select 1                "],
  ["select 2 - -1, a->>'$.b', 3 <= 4", "select 2 - -1, a->>'$.b', 3 <= 4"],
];

for (const [sql, expected] of cases) {
  test(`comments of ${JSON.stringify(sql)} become blanks`, () => assert.equal(duckdbSource(sql), expected));
}

test("a long run of operators is refused with its position", () => {
  assert.throws(() => duckdbSource(`select 1 ${"+".repeat(17)}1`), {
    message: "Line 1, column 10: more than 16 operators without a space.",
  });
  assert.equal(
    duckdbSource(`select ${"/**/".repeat(1000)}1`)
      .trim()
      .endsWith("1"),
    true,
  );
});
