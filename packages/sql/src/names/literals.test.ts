import assert from "node:assert/strict";
import test from "node:test";
import fc, { randomCases } from "@lakehelm/testing/random-cases";
import { hostileName, hostileText } from "../testing/hostile.ts";
import { quoteIdentifier, sqlString } from "./literals.ts";

const simple: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", Z: "\x1a", 0: "\0" };

/** The value that Spark reads from a literal: it substitutes `${…}` first, then reads escapes. */
function sparkReads(literal: string): string {
  const substituted = literal.replace(/\$\{[^}]*\}/g, "");
  const [, inner] = /^'((?:[^\\']|\\[\s\S])*)'$/u.exec(substituted) ?? [];
  if (inner === undefined) throw new Error(`not one literal: ${literal}`);
  return inner.replace(
    /\\(?:u([0-9A-F]{4})|U([0-9A-F]{8})|([01][0-7]{2})|([\s\S]))/g,
    (whole, short, long, octal, one) => {
      if (octal) return String.fromCharCode(Number.parseInt(octal, 8));
      if (short ?? long) return String.fromCodePoint(Number.parseInt(short ?? long, 16));
      return one === "%" || one === "_" ? whole : (simple[one] ?? one);
    },
  );
}

test("a literal is read back as exactly its text", () => {
  fc.assert(
    fc.property(hostileText(), (text) => {
      assert.equal(sparkReads(sqlString(text)), text);
    }),
    { numRuns: randomCases(5_000) },
  );
});

test("a literal is on one line and has no invisible characters", () => {
  fc.assert(
    fc.property(hostileText(), (text) => {
      assert.doesNotMatch(sqlString(text), /[\p{C}\p{Zl}\p{Zp}$]/u);
    }),
    { numRuns: randomCases(5_000) },
  );
});

test("a text that needs no escape is unchanged", () => {
  assert.equal(sqlString('Größe in m², "brutto" 😀'), `'Größe in m², "brutto" 😀'`);
});

test("only escapes that Spark and Databricks read in the same way are used", () => {
  assert.equal(sqlString("it's \\ $5\n\t\0\u202e"), "'it\\'s \\\\ \\u00245\\n\\t\\u0000\\u202E'");
  assert.equal(sqlString("\u{e0041}"), "'\\U000E0041'");
  // Spark keeps the backslash of \% and \_, so it must be doubled.
  assert.equal(sqlString("100\\%"), "'100\\\\%'");
});

test("names are in backticks only if they need them", () => {
  for (const name of ["amount", "_x", "Order2", "valid_from"]) assert.equal(quoteIdentifier(name), name);
  for (const name of ["select", "Table", "2nd", "a b", "a-b", "größe", ""])
    assert.equal(quoteIdentifier(name), `\`${name}\``);
  assert.equal(quoteIdentifier("a`b"), "`a``b`");
});

test("a quoted name is read back as one name", () => {
  fc.assert(
    fc.property(hostileName(), (name) => {
      const written = quoteIdentifier(name);
      const [, inner] = /^`((?:[^`]|``)*)`$/u.exec(written) ?? [];
      assert.equal(inner?.replaceAll("``", "`") ?? written, name);
      if (inner === undefined) assert.match(written, /^\w+$/);
    }),
    { numRuns: randomCases(5_000) },
  );
});
