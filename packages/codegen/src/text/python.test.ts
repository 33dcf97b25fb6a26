import assert from "node:assert/strict";
import test from "node:test";
import { hostileText } from "@lakehelm/sql/testing";
import fc, { randomCases } from "@lakehelm/testing/random-cases";
import { parser } from "@lezer/python";
import { catalogMark } from "./name-marks.ts";
import { pythonBlock, pythonString, pythonText, pythonValue } from "./python.ts";

const simple: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", "\\": "\\", '"': '"' };

/** The value of a literal in double quotes, for the escapes that `pythonString` uses. */
function pythonReads(literal: string): string {
  const [, inner] = /^"((?:[^\\"\n]|\\.)*)"$/.exec(literal) ?? [];
  if (inner === undefined) throw new Error(`not one literal: ${literal}`);
  return inner.replace(/\\(?:u([0-9A-F]{4})|U([0-9A-F]{8})|(.))/g, (whole, short, long, one) => {
    if (short ?? long) return String.fromCodePoint(Number.parseInt(short ?? long, 16));
    const character = simple[one];
    if (character === undefined) throw new Error(`an unknown escape: ${whole}`);
    return character;
  });
}

/** The nodes of an expression as the parser sees it. Throws an error for a syntax error. */
function outline(expression: string): string[] {
  const names: string[] = [];
  parser.parse(expression).iterate({
    enter: ({ name, type }) => {
      assert.ok(!type.isError, `does not parse: ${expression}`);
      names.push(name);
    },
  });
  return names;
}

test("any text round-trips through its literal", () => {
  fc.assert(
    fc.property(hostileText(), (text) => {
      assert.equal(pythonReads(pythonString(text)), text);
    }),
    { numRuns: randomCases(5_000) },
  );
});

test("a literal is printable ASCII on one line, and one string to the parser", () => {
  fc.assert(
    fc.property(hostileText(), (text) => {
      const literal = pythonString(text);
      assert.match(literal, /^[ -~]*$/);
      assert.deepEqual(
        outline(literal).filter((name) => name !== "Escape"),
        ["Script", "ExpressionStatement", "String"],
      );
    }),
    { numRuns: randomCases(2_000) },
  );
});

test("special characters are escaped", () => {
  assert.equal(
    pythonString('say "x" \\ \n\r\t\0 é 😀'),
    String.raw`"say \"x\" \\ \n\r\t\u0000 \u00E9 \U0001F600"`,
  );
  assert.equal(pythonString("{{x}} ${y} 'z'"), `"{{x}} \${y} 'z'"`);
});

test("a text of several lines becomes one literal per line, which Python concatenates", () => {
  assert.equal(pythonText("SELECT 1\nFROM t\n"), '(\n    "SELECT 1\\n"\n    "FROM t\\n"\n)');
  assert.equal(pythonText("one line\n"), '"one line\\n"');
  assert.equal(pythonText(""), '""');
  fc.assert(
    fc.property(hostileText(), (text) => {
      const lines = pythonText(text)
        .replace(/^\(\n|\n\)$/g, "")
        .split("\n");
      assert.equal(lines.map((line) => pythonReads(line.trim())).join(""), text);
    }),
    { numRuns: randomCases(2_000) },
  );
});

test("a JSON value becomes the same value in Python", () => {
  assert.equal(
    pythonValue({ a: null, b: [true, false], c: 1.5, d: 12n }),
    '{"a": None, "b": [True, False], "c": 1.5, "d": 12}',
  );
  assert.equal(pythonValue([]), "[]");
  assert.equal(pythonValue({}), "{}");
  assert.equal(
    pythonValue({ key: { long: "x".repeat(90) } }),
    `{\n    "key": {\n        "long": "${"x".repeat(90)}",\n    },\n}`,
  );
});

test("any JSON value parses and round-trips", () => {
  const jsonValue = fc.jsonValue({ stringUnit: hostileText(), maxDepth: 3 });
  fc.assert(
    fc.property(jsonValue, (value) => {
      const written = pythonValue(value);
      outline(written);
      // Outside of strings only words differ from JSON, and JSON has no trailing commas.
      const json = written.replace(/"(?:[^\\"]|\\.)*"|None|True|False|,(?=\s*[\]}])/g, (piece) =>
        piece.startsWith('"') ? JSON.stringify(pythonReads(piece)) : (words[piece] ?? ""),
      );
      assert.deepEqual(JSON.parse(json), JSON.parse(JSON.stringify(value)));
    }),
    { numRuns: randomCases(1_000) },
  );
});

const words: Readonly<Record<string, string>> = { None: "null", True: "true", False: "false" };

test("SQL is written in triple quotes, unless its text could end them, split a cell or need an escape", () => {
  assert.equal(pythonBlock("SELECT '{x}'\nFROM \"t\" AS t"), `"""\\\nSELECT '{x}'\nFROM "t" AS t"""`);
  assert.equal(
    pythonBlock(`SELECT '{x}'\nFROM ${catalogMark}.gold.t\nWHERE "a" = 1`),
    `f"""\\\nSELECT '{{x}}'\nFROM {CATALOG_NAME}.gold.t\nWHERE "a" = 1"""`,
  );
  for (const text of [
    "one line",
    'a\n"""',
    'a\n"b"',
    "a\\\nb",
    "a\n# COMMAND ----------",
    "a\n\u{1f600}",
    "a\r\nb",
  ])
    assert.equal(pythonBlock(text), pythonText(text));
});

test("any text round-trips in triple quotes, which are one string to the parser", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme-ascii" })), (lines) => {
      const text = lines.join("\n");
      const literal = pythonBlock(text);
      if (!literal.startsWith('"""')) return;
      assert.equal(literal.slice('"""\\\n'.length, -3), text);
      assert.deepEqual(
        outline(literal).filter((name) => name !== "Escape"),
        ["Script", "ExpressionStatement", "String"],
      );
    }),
    { numRuns: randomCases(2_000) },
  );
});
