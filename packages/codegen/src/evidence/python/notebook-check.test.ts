import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { validArtifacts } from "../testing/valid-artifacts.ts";
import { checkNotebook } from "./notebook-check.ts";
import { unusedNames } from "./unused-names.ts";

const header = "# Databricks notebook source\n";
const problemsOf = (code: string) => checkNotebook(header + code).problems;

/** Code, and what must be said of it. Each of these Python refuses, too, or Databricks reads differently. */
const wrong: [code: string, said: RegExp][] = [
  // What the parser itself sees.
  ["print(1\n", /line 3, column 1: The syntax is wrong/],
  ["x = = 1\n", /line 2, column 5: The syntax is wrong/],
  ["if 1:\nprint()\n", /syntax is wrong/],
  ["x = '''a\n", /no end/],
  // Indentation.
  ["x = 1\n  y = 2\n", /line 3, column 3: The line is indented, but nothing was opened/],
  ["def f():\n    x = 1\n  y = 2\n", /line 4, column 3/],
  ["def f():\n    x = 1\n     y = 2\n", /line 4, column 6/],
  ["if 1:\n    x = 1\n  else:\n    x = 2\n", /line 4/],
  ["if 1:\n\tx = 1\n", /line 3, column 2: The line is indented with a tab/],
  // Where statements stand.
  ["return 1\n", /outside of a function/],
  ["class A:\n    yield 1\n", /outside of a function/],
  ["break\n", /outside of a loop/],
  ["while 1:\n    def f():\n        continue\n", /outside of a loop/],
  ["global x\n", /outside of a function/],
  ["x = (yield)\n", /outside of a function/],
  ["x = 1\nawait x\n", /asynchronous/],
  ["type X = int\n", /Python 3\.12/],
  ["try:\n    x = 1\ny = 2\n", /neither except nor finally/],
  ["try:\n    pass\nexcept:\n    pass\nexcept ValueError:\n    pass\n", /must be the last one/],
  ["if 1:\n    pass\nelif:\n    pass\n", /elif has no condition/],
  ["x = 1; y = 2\n", /several statements/],
  ["print 'a'\n", /parentheses are missing/],
  // Strings and numbers.
  ["x = 'abc\n", /line 2, column 5: A string has no end/],
  ["x = r'\\'\n", /A string has no end/],
  ["x = '\\xzz'\n", /escape that Python does not know/],
  ["x = '\\u12'\n", /escape that Python does not know/],
  ["x = '\\d'\n", /escape that Python does not know/],
  ["x = 'a' b'c'\n", /Text and bytes/],
  ["x = f'}'\n", /brace without its partner/],
  ["x = 1\ny = f'{x['a']}'\n", /own quotes/],
  ["x = 1\ny = f'{x + \"\\n\"}'\n", /backslash/],
  ["x = 007\n", /begins with a zero/],
  ["x = 1__0\n", /underscores/],
  ["x = 0.real\n", /runs into/],
  // What can be given a value, parameters and arguments.
  ["1 = 2\n", /cannot be given a value/],
  ["print() = 1\n", /cannot be given a value/],
  ["for 1 in []:\n    pass\n", /cannot be given a value/],
  ["del print()\n", /cannot be given a value/],
  ["x = 1\nx, y += 1\n", /cannot be given a value/],
  ["None = 1\n", /cannot be given a value/],
  ["x = *[1]\n", /star/],
  ["*[1]\n", /star/],
  ["if (print() := 1):\n    pass\n", /cannot be given a value/],
  ["def f(a, a):\n    pass\n", /"a" is there twice/],
  ["def f(a=1, b):\n    pass\n", /without a default/],
  ["def f(*):\n    pass\n", /Nothing follows the star/],
  ["print(end='', 1)\n", /without a name follows/],
  ["print(end='', end='')\n", /"end" is given twice/],
  ["print(x for x in [], 1)\n", /generator/],
  ["from os import path,\n", /ends with a comma/],
  ["x = 1\nx.for\n", /keyword/],
  ["x = 1 <> 2\n", /written !=/],
  ["x = 1 in not []\n", /not stands behind/],
  // Names.
  ["print(total)\n", /line 2, column 7: The name "total" is never given a value/],
  ["total = total + 1\n", /used before/],
  ["print(total)\ntotal = 1\n", /used before/],
  ["def f():\n    inner = 1\n\n\nprint(inner)\n", /"inner" is never/],
  ["x = [row for row in []]\nprint(row)\n", /"row" is never/],
  ["import os.path as p\nprint(os)\n", /"os" is never/],
  ["exec('1')\n", /"exec" is never/],
  ["from os import *\n", /everything/],
  // What is not there on serverless compute.
  ["spark.sparkContext.setLogLevel('WARN')\n", /no Spark context/],
  ["rows = spark.table('t').rdd\n", /no RDDs/],
  // Cells.
  ['x = """\n# COMMAND ----------\n"""\n', /no end|syntax/],
  ["x = [\n# COMMAND ----------\n]\n", /syntax/],
  ["def f():\n    x = 1\n# COMMAND ----------\n    return x\n", /./],
  ["x = 1 + \\\n# COMMAND ----------\n", /./],
  ["# MAGIC %sh rm -rf /\n", /Databricks would run this comment/],
  ["# MAGIC %md Title\n# MAGIC %sh rm\n", /Databricks would run this comment/],
  ["x = 1\n# MAGIC %md Title\n", /Databricks would run this comment/],
  // Characters.
  ["x = 'ü'\n", /outside of ASCII/],
  ["ü = 1\n", /outside of ASCII/],
  ["# \u202E reordered\n", /cannot be seen/],
  ["x = 1\f\n", /cannot be seen/],
];

const right = [
  "x: int = 1\nx += 1\n",
  "a, (b, *c) = d = [1, (2, 3)]\nprint(a, b, c, d)\n",
  "from os import path as p, sep\nimport os.path, json as j\nprint(p, sep, os, j)\n",
  "def f(a, /, b=1, *args, c, d=2, **more) -> int:\n    return a + b + c + d + len(args) + len(more)\n",
  "def later():\n    return below\n\n\nbelow = 1\n",
  "def f(x, low=min):\n    total = 0\n    for i, (a, b) in enumerate(x):\n        if a:\n            continue\n        total += b\n    return low(total, i)\n",
  "print(*[1], **{'end': ''}, sep='')\n",
  "print(', '.join(f'{k}={v!r:>{10}}' for k, v in {}.items() if v))\n",
  "with open('a') as f, open('b') as g:\n    print(f, g)\n",
  "try:\n    pass\nexcept (ValueError, KeyError) as e:\n    raise RuntimeError(str(e)) from e\nelse:\n    pass\nfinally:\n    pass\n",
  "x = sorted([3], key=lambda item, sign=-1: sign * item)\n",
  "if (n := len([])) > 1:\n    print(n)\n",
  "count = 0\n\n\ndef add():\n    global count\n    count += 1\n",
  "class A(Exception):\n    kind = 'a'\n\n    def __init__(self, text):\n        super().__init__(text)\n        self.text = text\n",
  "@staticmethod\ndef f():\n    pass\n",
  "x = (\n    'a'  # first\n    'b'\n)\ny = 'q\\n\\t\\\\ \\u00e9 \\x41 \\101' r'\\d'\n",
  "# MAGIC %md\n# MAGIC Title\n\n# COMMAND ----------\n\nx = 0xFF_FF + 1_000 + 0.5e-3\n",
  "# Überall – 日本語\nx = {'a': 1, **{}}\ny = x['a'] if x else None\nassert y is not None, 'why'\ndel x['a']\n",
];

suite("Python", () => {
  for (const [code, said] of wrong) {
    test(`${JSON.stringify(code)} is refused`, () => assert.match(problemsOf(code).join("\n"), said));
  }

  for (const code of right) {
    test(`${JSON.stringify(code)} is sound`, () => assert.deepEqual(problemsOf(code), []));
  }

  test("a notebook begins with its header", () => {
    assert.match(checkNotebook(`\n${header}`).problems.join(), /line 1, column 1: The first line/);
  });

  test("each mistake is said, in order", () => {
    const problems = problemsOf("print(first)\nreturn second\n");
    assert.deepEqual(
      problems.map((problem) => problem.split(":")[0]),
      ["line 2, column 7", "line 3, column 1", "line 3, column 8"],
    );
  });

  const notebooks = validArtifacts()
    .filter(({ fileType }) => fileType === "python")
    .map(({ content }) => content);

  test("a bracket or a quote that is lost anywhere in a notebook is seen, and so is a misspelled name", () => {
    fc.assert(
      fc.property(fc.constantFrom(...notebooks), fc.nat(), (content, seed) => {
        const places = [
          ...codeAlone(content).matchAll(/[()[\]]|"+|\b(?:spark|parameter|token|rows|statement)\b/g),
        ];
        const place = places[seed % places.length];
        assert.ok(place);
        const [found] = place;
        const instead = /\w/.test(found)
          ? `${found}_misspelled`
          : found.slice(found.length === 2 ? 1 : found.length);
        const broken = content.slice(0, place.index) + instead + content.slice(place.index + found.length);
        assert.notDeepEqual(checkNotebook(broken).problems, [], broken);
      }),
      { numRuns: 500 },
    );
  });

  test("leaves no name unused", () => {
    for (const content of notebooks) assert.deepEqual(unusedNames(checkNotebook(content).parts, content), []);
    const code =
      "import os, re\nfrom a import b as c\n\n\ndef f(x):\n    y = re\n    for z in x:\n        pass\n";
    assert.deepEqual(unusedNames(checkNotebook(code).parts, code), ["os", "c", "f", "y"]);
  });

  test("any text is read without a throw, and each problem is a sentence with its place in the text", () => {
    const noise = fc.stringMatching(/^[-\w\s'"#\\()[\]{}:;=*,.@!é]{0,60}$/);
    fc.assert(
      fc.property(noise, (code) => {
        const lines = (header + code).split("\n").length;
        for (const problem of checkNotebook(header + code).problems) {
          const [, line] = /^line (\d+), column \d+: \S.*\.$/s.exec(problem) ?? assert.fail(problem);
          assert.ok(Number(line) <= lines, problem);
        }
      }),
    );
  });

  test("depth does not exhaust it", () => {
    const nested = (depth: number) => `x = ${"(".repeat(depth)}1${")".repeat(depth)}\n`;
    assert.deepEqual(problemsOf(nested(300)), []);
    // Where the parser gives up, it says so.
    assert.match(problemsOf(nested(5000)).join(), /syntax is wrong/);
  });
});

/** A notebook of the same length with nothing in its comments and strings. */
const codeAlone = (content: string) =>
  content
    .replace(/#.*$/gm, (comment) => "#".repeat(comment.length))
    .replace(/"(?:[^"\\\n]|\\.)*"/g, (text) => `"${"_".repeat(text.length - 2)}"`);
