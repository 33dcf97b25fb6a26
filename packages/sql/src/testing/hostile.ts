import fc from "@lakehelm/testing/random-cases";

/**
 * Pieces of text that end a string, split a cell, start a comment or are substituted in at least one engine or tool.
 */
const pieces = [
  "'",
  '"',
  "`",
  "``",
  "''",
  "'''",
  '"""',
  "\\",
  "\\'",
  "\\\\'",
  "\\u0024",
  "\\U0001F600",
  "\\N{DOLLAR SIGN}",
  "\\0",
  "\\%",
  "\\_",
  "\n",
  "\r\n",
  "\r",
  "\t",
  "\0",
  "\x1b[31m",
  "\x7f",
  "\x85",
  "\u2028",
  "\u2029",
  "\u202e",
  "\u2066",
  "\u200b",
  "\u200f",
  "\ufeff",
  "\u00a0",
  "\u3000",
  "e\u0301",
  "é",
  "İ",
  "ß",
  "😀",
  "👩‍💻",
  "\u{e0041}",
  "\u{10ffff}",
  "$",
  "${",
  "${env:HOME}",
  "${var.x}",
  "{{",
  "{{secrets/a/b}}",
  "{",
  "}",
  "%s",
  ":x",
  "?",
  "--",
  "/*",
  "*/",
  "#",
  ";",
  "; DROP TABLE t; --",
  ")",
  "(",
  ",",
  "=",
  ".",
  "..",
  "../",
  "/",
  "-",
  ":",
  " ",
  "\n# COMMAND ----------\n",
  "\n-- COMMAND ----------\n",
  "# MAGIC %sh ls",
  "# Databricks notebook source",
  "SET TAGS ('a' = 'b')",
  "IS NULL",
  "__proto__",
  "constructor",
  "on",
  "null",
  "012",
];

const halves = ["\ud800", "\udfff", "a\ud83d", "\ude00\ud83d"];

/** Text that contains hostile pieces. One in twenty has an unpaired surrogate, which no file can contain. */
export function hostileText(): fc.Arbitrary<string> {
  const plain = fc.string({ unit: "grapheme-ascii", maxLength: 8 });
  // Any character. The code points of surrogates are moved to the next plane.
  const odd = fc
    .integer({ min: 0, max: 0x10ffff })
    .map((code) => String.fromCodePoint(code >= 0xd800 && code < 0xe000 ? code + 0x10000 : code));
  const piece = fc.constantFrom(...pieces);
  const whole = fc
    .array(
      fc.oneof(
        { weight: 6, arbitrary: piece },
        { weight: 2, arbitrary: plain },
        { weight: 1, arbitrary: odd },
      ),
      {
        maxLength: 6,
      },
    )
    .map((parts) => parts.join(""));
  const broken = fc.tuple(whole, fc.constantFrom(...halves), whole).map((parts) => parts.join(""));
  return fc.oneof({ weight: 19, arbitrary: whole }, { weight: 1, arbitrary: broken });
}

/** Names that are mostly harmless or almost so: many are accepted. */
export function hostileName(): fc.Arbitrary<string> {
  const word = fc.constantFrom(
    "orders",
    "Order",
    "select",
    "a b",
    "a`b",
    "it's",
    'say "x"',
    "50%",
    "naïve",
    "数量",
    "_",
    "x1",
  );
  const near = fc
    .tuple(word, fc.constantFrom("", "`", "'", "\\", "$", "{{x}}", "--", "*/", ";", "#", "😀", "'''"), word)
    .map((parts) => parts.join(""));
  return fc.oneof(
    { weight: 3, arbitrary: word },
    { weight: 4, arbitrary: near },
    { weight: 3, arbitrary: hostileText() },
  );
}
