import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc, { anyCharacter } from "@lakehelm/testing/random-cases";
import { pythonString, pythonText } from "../../text/python.ts";
import { sparkStatements, stringsIn } from "./spark-sql.ts";
import { parsePython } from "./syntax-tree.ts";

const strings = (code: string) => stringsIn(parsePython(code, 0), code, { CATALOG: "shop" });
const statementTexts = (code: string) =>
  sparkStatements(parsePython(code, 0), code, {}).map(({ text }) => text);

suite("the strings of a notebook", () => {
  const literals: [code: string, text: string][] = [
    ["x = 'a'", "a"],
    ['x = "it\\\'s"', "it's"],
    ["x = '''a\nb'''", "a\nb"],
    ["x = r'\\n'", "\\n"],
    ["x = '\\n\\t\\\\\\x41\\u00e9\\U0001F600\\101\\\n'", "\n\t\\Aé😀A"],
    ["x = ('a'  # one\n     \"b\"\n     r'\\c')", "ab\\c"],
  ];
  for (const [code, text] of literals) {
    test(`${JSON.stringify(code)} is ${JSON.stringify(text)}`, () => assert.ok(strings(code).has(text)));
  }

  test("do not include the pieces of a concatenated string", () =>
    assert.deepEqual([...strings("x = 'a' 'b'\n")], ["ab"]));

  test("do not include bytes and format strings", () =>
    assert.deepEqual([...strings("x = b'a'\ny = f'b'\nz = f'{CATALOG}{other}'\n")], []));

  test("include format strings whose names are known", () =>
    assert.deepEqual(
      [...strings("x = (f'FROM {CATALOG}.a\\n'\n  '{}' f'{{\\'{CATALOG}}}')\n")],
      ["FROM shop.a\n{}{'shop}"],
    ));

  test("round-trip for any value", () => {
    const text = fc.oneof(fc.string({ unit: anyCharacter }), fc.stringMatching(/^['"\\\n{}#$x]{0,9}$/));
    fc.assert(
      fc.property(text, (value) => {
        assert.ok(strings(`x = ${pythonString(value)}\n`).has(value));
        assert.ok(strings(`x = ${pythonText(value)}\n`).has(value));
      }),
    );
  });
});

suite("the statements passed to Spark", () => {
  const cases: [what: string, code: string, texts: string[]][] = [
    ["a literal", "spark.sql('SELECT 1')", ["SELECT 1"]],
    ["concatenated literals", "rows = spark.sql(('SELECT '\n 'a')).count()", ["SELECT a"]],
    ["a name", "q = 'SELECT 1'\nspark.sql(q)", ["SELECT 1"]],
    ["a loop over a list", "for s in ['A', 'B']:\n    spark.sql(s)", ["A", "B"]],
    ["a loop over a name", "ALL = ('A', 'B')\nfor s in ALL:\n    spark.sql(s)", ["A", "B"]],
    ["a template", "spark.sql(f'SELECT {c} FROM {{t}}')", ["SELECT placeholder FROM {t}"]],
    ["a parameter", "def f(s):\n    return spark.sql(s)", []],
    ["other calls", "print('SELECT 1')\nother.sql('SELECT 1')", []],
  ];
  for (const [what, code, texts] of cases) {
    test(what, () => assert.deepEqual(statementTexts(code), texts));
  }
});
