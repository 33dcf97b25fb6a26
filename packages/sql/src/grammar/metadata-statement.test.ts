import assert from "node:assert/strict";
import { test } from "node:test";
import fc, { randomCases } from "@lakehelm/testing/random-cases";
import { quoteIdentifier, sqlString } from "../names/literals.ts";
import type { MetadataStatement } from "./metadata.ts";
import { readMetadataStatement } from "./metadata-statement.ts";

const table = ["c", "s", "t"];
const valid: readonly (readonly [string, MetadataStatement])[] = [
  ["COMMENT ON TABLE c.s.t IS 'it\\'s'", { kind: "tableComment", table, text: "it's" }],
  ["comment on table `c`.`s`.`t` is NULL;", { kind: "tableComment", table, text: null }],
  ["COMMENT ON COLUMN c.s.t.`a``b` IS ''", { kind: "columnComment", table, column: "a`b", text: "" }],
  [
    "ALTER TABLE c.s.t ALTER COLUMN a COMMENT 'x\\ny'",
    { kind: "columnComment", table, column: "a", text: "x\ny" },
  ],
  [
    "ALTER TABLE c.s.t SET TAGS ('a' = 'b', 'c' = '')",
    {
      kind: "tableTags",
      table,
      set: [
        { key: "a", value: "b" },
        { key: "c", value: "" },
      ],
    },
  ],
  ["ALTER TABLE c.s.t UNSET TAGS ('a', 'b')", { kind: "tableTagsUnset", table, unset: ["a", "b"] }],
  [
    "ALTER TABLE c.s.t ALTER COLUMN a SET TAGS ('k' = 'v')",
    { kind: "columnTags", table, column: "a", set: [{ key: "k", value: "v" }] },
  ],
  [
    "ALTER TABLE c.s.t ALTER COLUMN a UNSET TAGS ('k')",
    { kind: "columnTagsUnset", table, column: "a", unset: ["k"] },
  ],
];

for (const [text, meaning] of valid) {
  test(`the meaning of ${text}`, () => assert.deepEqual(readMetadataStatement(text), { meaning }));
}

const refused: readonly (readonly [string, string])[] = [
  [
    "ALTER TABLE t SET TAGS ('a' = 'b') garbage here",
    "line 1, column 36: expected the end of the statement, found garbage.",
  ],
  [
    "ALTER TABLE t SET TAGS ('a' = 'b'); DROP TABLE t",
    "line 1, column 35: expected the end of the statement, found ;.",
  ],
  ["ALTER TABLE t SET TAGS ('a' = 'b', 'a' = 'c')", 'line 1, column 24: "a" appears twice.'],
  ["ALTER TABLE t SET TAGS ()", "line 1, column 25: expected at least one item between ( and )."],
  ["ALTER TABLE t SET TAGS (a = 'b')", "line 1, column 25: expected a string, found a."],
  ["ALTER TABLE t ALTER COLUMN c COMMENT NULL", "line 1, column 38: expected a string, found NULL."],
  [
    "ALTER TABLE t ALTER COLUMN c DROP NOT NULL",
    "line 1, column 30: expected COMMENT, SET TAGS or UNSET TAGS, found DROP.",
  ],
  ["COMMENT ON TABLE t IS 'a' 'b'", "line 1, column 27: expected the end of the statement, found 'b'."],
  [
    "COMMENT ON TABLE t IS 'it''s'",
    "line 1, column 23: expected a string that every Spark release reads in the same way, found 'it''s'.",
  ],
  ["COMMENT ON TABLE a.b.c.d IS 'x'", "line 1, column 18: a table name has at most three parts."],
  [
    "COMMENT ON TABLE t IS '${x}'",
    "line 1, column 24: Spark would substitute ${…}: in a string, write \\u0024{ instead.",
  ],
  ["USE x", "this statement does not change descriptions or tags."],
  ["ALTER TABLE t SET TBLPROPERTIES ('a' = 'b')", "this statement does not change descriptions or tags."],
];

for (const [text, problem] of refused) {
  test(`rejected: ${text}`, () => assert.deepEqual(readMetadataStatement(text), { problem }));
}

test("any text and name is read back unchanged", () => {
  const word = fc.string({ unit: "grapheme" });
  const name = fc.string({ unit: fc.constantFrom(..."aZ_9`'\"\\ -/*;é😀"), minLength: 1 });
  fc.assert(
    fc.property(word, word, name, (key, value, column) => {
      const text = `ALTER TABLE ${quoteIdentifier("my table")} ALTER COLUMN ${quoteIdentifier(column)} SET TAGS (${sqlString(key)} = ${sqlString(value)})`;
      assert.deepEqual(readMetadataStatement(text), {
        meaning: { kind: "columnTags", table: ["my table"], column, set: [{ key, value }] },
      });
    }),
    { numRuns: randomCases(1_000) },
  );
});
