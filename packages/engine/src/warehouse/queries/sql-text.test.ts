import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear } from "@lakehelm/testing/linear";
import { raisedMessage } from "./raised-error.ts";
import { findName, sqlWords } from "./sql-text.ts";

test("names are found outside of comments and strings", () => {
  const sql = 'select \'orders\', "a""b" /* orders */ from sales.`orders` -- orders';
  assert.equal(findName(sql, ["sales", "orders"]), sql.indexOf("sales"));
  assert.equal(findName(sql, ['a"b']), sql.indexOf('"a"'));
  assert.deepEqual(
    sqlWords("'it''s \\' one' x").map(({ text }) => text),
    ["it's \\' one", "x"],
  );
});

test("an unclosed string, name or comment is one word or none", () => {
  assert.equal(sqlWords("select 'a b").length, 2);
  assert.equal(sqlWords("select `a b").length, 2);
  assert.equal(sqlWords("select /* a b").length, 1);
});

test("a raised message is found in linear time", () => {
  for (const unit of [
    'Could not convert string "A_A: ',
    "Type INT128 with value 1 can't be cast because a",
  ]) {
    assertLinear(raisedMessage, unit);
  }
});
