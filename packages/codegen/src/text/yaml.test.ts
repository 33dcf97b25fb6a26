import assert from "node:assert/strict";
import test from "node:test";
import { hostileText } from "@lakehelm/sql/testing";
import fc, { randomCases } from "@lakehelm/testing/random-cases";
import { parse } from "yaml";
import { yamlText } from "./yaml.ts";

test("comments come first, and nothing is folded or aliased", () => {
  const shared = { text: "word ".repeat(40).trim() };
  const written = yamlText(["One.", "Two."], { a: shared, b: shared });
  assert.equal(written, `# One.\n# Two.\na:\n  text: ${shared.text}\nb:\n  text: ${shared.text}\n`);
});

test("text that YAML 1.1 would read as another type is quoted", () => {
  for (const text of ["on", "no", "y", "012", "1_000", "1:30", "null", "~", "0x1f", "1e3", "2026-01-01"]) {
    assert.match(yamlText([], { key: text }), /^key: (["']).*\1\n$/, text);
  }
});

test("a line that ends with a space, in a quoted text of several lines, keeps it", () => {
  const text = `\r\n \n# COMMAND ----------\n${"word ".repeat(10)}`;
  assert.deepEqual({ ...parse(yamlText([], { key: text })) }, { key: text });
});

test("any text round-trips as a value in YAML 1.1 and 1.2", () => {
  const whole = hostileText().filter((text) => text.isWellFormed());
  fc.assert(
    fc.property(whole, (text) => {
      const written = yamlText(["A comment."], { key: text, list: [text] });
      for (const version of ["1.1", "1.2"] as const) {
        assert.deepEqual({ ...parse(written, { version }) }, { key: text, list: [text] });
      }
    }),
    { numRuns: randomCases(2_000) },
  );
});
