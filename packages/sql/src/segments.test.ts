import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "@lakehelm/testing/random-cases";
import { segmentsOf } from "./segments.ts";

test("strings, quoted names and comments are separate from the code", () => {
  const kinds = segmentsOf("select 'a\\'b', `c` -- d\nfrom /* e */ f").filter(
    ({ text }) => text.trim() !== "",
  );
  assert.deepEqual(kinds, [
    { text: "select ", kind: "sql" },
    { text: "'a\\'b'", kind: "quoted" },
    { text: ", ", kind: "sql" },
    { text: "`c`", kind: "quoted" },
    { text: "-- d", kind: "comment" },
    { text: "\nfrom ", kind: "sql" },
    { text: "/* e */", kind: "comment" },
    { text: " f", kind: "sql" },
  ]);
});

test("an unclosed string, name or comment extends to the end", () => {
  assert.deepEqual(segmentsOf("a /* b 'c'")[1], { text: "/* b 'c'", kind: "comment" });
  assert.deepEqual(segmentsOf("a 'b -- c\\")[1], { text: "'b -- c\\", kind: "quoted" });
});

test("the segments of any text join to that text", () => {
  const piece = fc.constantFrom("'", '"', "`", "\\", "--", "/*", "*/", "\n", "a", "{{b}}");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join("");
      assert.equal(
        segmentsOf(text)
          .map((segment) => segment.text)
          .join(""),
        text,
      );
    }),
  );
});
