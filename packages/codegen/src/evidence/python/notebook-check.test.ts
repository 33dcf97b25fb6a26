import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "@lakehelm/testing/random-cases";
import { validArtifacts } from "../testing/valid-artifacts.ts";
import { checkNotebook } from "./notebook-check.ts";
import { unusedNames } from "./unused-names.ts";

const header = "# Databricks notebook source\n";
const problemsOf = (code: string) => checkNotebook(header + code).problems;

/** Code and its problem. In each case, Python refuses the code or Databricks reads it differently. */
const wrong: [code: string, expected: RegExp][] = [
  // Functions of streams run in another process, without the session.
  [
    "spark = rows = 1\ndef f(batch, _):\n    spark.sql('SELECT 1')\nrows.writeStream.foreachBatch(f)\n",
    /line 4, column 5: The function of foreachBatch uses spark/,
  ],
  [
    "spark = rows = 1\ndef deep():\n    return spark\ndef f():\n    def inner(batch, _):\n        deep()\n    return inner\nrows.foreachBatch(f())\n",
    /line 4, column 12: The function of foreachBatch uses spark/,
  ],
  ["rows = 1\nrows.foreachBatch(lambda batch, _: dbutils.get())\n", /foreachBatch uses dbutils/],
  // Errors that the parser finds.
  ["print(1\n", /line 3, column 1: Syntax error/],
  ["x = = 1\n", /line 2, column 5: Syntax error/],
  ["if 1:\nprint()\n", /Syntax error/],
  ["x = '''a\n", /Unterminated/],
  // Indentation.
  ["x = 1\n  y = 2\n", /line 3, column 3: Unexpected indentation/],
  ["def f():\n    x = 1\n  y = 2\n", /line 4, column 3/],
  ["def f():\n    x = 1\n     y = 2\n", /line 4, column 6/],
  ["if 1:\n    x = 1\n  else:\n    x = 2\n", /line 4/],
  ["if 1:\n\tx = 1\n", /line 3, column 2: The line is indented with a tab/],
  // Misplaced statements.
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
  ["x = 'abc\n", /line 2, column 5: Unterminated string/],
  ["x = r'\\'\n", /Unterminated string/],
  ["x = '\\xzz'\n", /Invalid escape/],
  ["x = '\\u12'\n", /Invalid escape/],
  ["x = '\\d'\n", /Invalid escape/],
  ["x = 'a' b'c'\n", /Text and bytes/],
  ["x = f'}'\n", /unmatched brace/],
  ["x = 1\ny = f'{x['a']}'\n", /own quotes/],
  ["x = 1\ny = f'{x + \"\\n\"}'\n", /backslash/],
  ["x = 007\n", /begins with a zero/],
  ["x = 1__0\n", /Underscores/],
  ["x = 0.real\n", /not separated/],
  // Assignments, parameters and arguments.
  ["1 = 2\n", /cannot be assigned/],
  ["print() = 1\n", /cannot be assigned/],
  ["for 1 in []:\n    pass\n", /cannot be assigned/],
  ["del print()\n", /cannot be assigned/],
  ["x = 1\nx, y += 1\n", /cannot be assigned/],
  ["None = 1\n", /cannot be assigned/],
  ["x = *[1]\n", /star/],
  ["*[1]\n", /star/],
  ["if (print() := 1):\n    pass\n", /cannot be assigned/],
  ["def f(a, a):\n    pass\n", /Duplicate parameter "a"/],
  ["def f(a=1, b):\n    pass\n", /without a default/],
  ["def f(*):\n    pass\n", /must follow the star/],
  ["print(end='', 1)\n", /positional argument follows/],
  ["print(end='', end='')\n", /Duplicate argument "end"/],
  ["print(x for x in [], 1)\n", /generator/],
  ["from os import path,\n", /ends with a comma/],
  ["x = 1\nx.for\n", /keyword/],
  ["x = 1 <> 2\n", /Use !=/],
  ["x = 1 in not []\n", /"not" cannot follow/],
  // Names.
  ["print(total)\n", /line 2, column 7: The name "total" is never assigned/],
  ["total = total + 1\n", /used before/],
  ["print(total)\ntotal = 1\n", /used before/],
  ["def f():\n    inner = 1\n\n\nprint(inner)\n", /"inner" is never/],
  ["x = [row for row in []]\nprint(row)\n", /"row" is never/],
  ["import os.path as p\nprint(os)\n", /"os" is never/],
  ["exec('1')\n", /"exec" is never/],
  ["from os import *\n", /with a star/],
  // Members that serverless compute does not have.
  ["spark.sparkContext.setLogLevel('WARN')\n", /no Spark context/],
  ["rows = spark.table('t').rdd\n", /no RDDs/],
  // Cells.
  ['x = """\n# COMMAND ----------\n"""\n', /Unterminated|Syntax/],
  ["x = [\n# COMMAND ----------\n]\n", /Syntax/],
  ["def f():\n    x = 1\n# COMMAND ----------\n    return x\n", /./],
  ["x = 1 + \\\n# COMMAND ----------\n", /./],
  ["# MAGIC %sh rm -rf /\n", /Databricks would run this comment/],
  ["# MAGIC %md Title\n# MAGIC %sh rm\n", /Databricks would run this comment/],
  ["x = 1\n# MAGIC %md Title\n", /Databricks would run this comment/],
  ["# MAGIC %pip install --quiet psycopg\n", /Databricks would run this comment/],
  ["# MAGIC %pip install --quiet a==1 git+https://example.test/x==1\n", /Databricks would run this comment/],
  ["# MAGIC %pip install --quiet a==1\nx = 1\n", /Databricks would run this comment/],
  // Characters.
  ["x = 'ü'\n", /outside of ASCII/],
  ["ü = 1\n", /outside of ASCII/],
  ["# \u202E reordered\n", /invisible character/],
  ["x = 1\f\n", /invisible character/],
];

const right = [
  "spark = rows = 1\ndef f(batch, _):\n    batch.sparkSession.sql('SELECT 1')\nspark.sql('x')\nrows.foreachBatch(f)\n",
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
  "# MAGIC %pip install --quiet psycopg[binary]==3.3.8 PyMySQL==1.2.4\n\n# COMMAND ----------\n\nx = 1\n",
  "# MAGIC %md\n# MAGIC Title\n\n# COMMAND ----------\n\nx = 0xFF_FF + 1_000 + 0.5e-3\n",
  "# Überall – 日本語\nx = {'a': 1, **{}}\ny = x['a'] if x else None\nassert y is not None, 'why'\ndel x['a']\n",
];

suite("Python", () => {
  for (const [code, expected] of wrong) {
    test(`${JSON.stringify(code)} is refused`, () => assert.match(problemsOf(code).join("\n"), expected));
  }

  for (const code of right) {
    test(`${JSON.stringify(code)} is accepted`, () => assert.deepEqual(problemsOf(code), []));
  }

  test("a notebook begins with its header", () => {
    assert.match(checkNotebook(`\n${header}`).problems.join(), /line 1, column 1: The first line/);
  });

  test("every mistake is reported, in order", () => {
    const problems = problemsOf("print(first)\nreturn second\n");
    assert.deepEqual(
      problems.map((problem) => problem.split(":")[0]),
      ["line 2, column 7", "line 3, column 1", "line 3, column 8"],
    );
  });

  const notebooks = validArtifacts()
    .filter(({ fileType }) => fileType === "python")
    .map(({ content }) => content);

  test("a missing bracket or quote, or a misspelled name, is found anywhere in a notebook", () => {
    fc.assert(
      fc.property(fc.constantFrom(...notebooks), fc.nat(), (content, seed) => {
        const matches = [
          ...codeAlone(content).matchAll(/[()[\]]|"+|\b(?:spark|parameter|token|rows|statement)\b/g),
        ];
        const match = matches[seed % matches.length];
        assert.ok(match);
        const [found] = match;
        const instead = /\w/.test(found)
          ? `${found}_misspelled`
          : found.slice(found.length === 2 ? 1 : found.length);
        const broken = content.slice(0, match.index) + instead + content.slice(match.index + found.length);
        assert.notDeepEqual(checkNotebook(broken).problems, [], broken);
      }),
      { numRuns: 500 },
    );
  });

  test("the notebooks have no unused names", () => {
    for (const content of notebooks) assert.deepEqual(unusedNames(checkNotebook(content).nodes, content), []);
    const code =
      "import os, re\nfrom a import b as c\n\n\ndef f(x):\n    y = re\n    for z in x:\n        pass\n";
    assert.deepEqual(unusedNames(checkNotebook(code).nodes, code), ["os", "c", "f", "y"]);
  });

  test("any text is checked without a throw, and each problem is a sentence with its line and column", () => {
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

  test("deep nesting does not overflow the stack", () => {
    const nested = (depth: number) => `x = ${"(".repeat(depth)}1${")".repeat(depth)}\n`;
    assert.deepEqual(problemsOf(nested(300)), []);
    // The parser stops at this depth.
    assert.match(problemsOf(nested(5000)).join(), /Syntax error/);
  });
});

/** The notebook with comments and strings blanked to the same length. */
const codeAlone = (content: string) =>
  content
    .replace(/#.*$/gm, (comment) => "#".repeat(comment.length))
    .replace(/"(?:[^"\\\n]|\\.)*"/g, (text) => `"${"_".repeat(text.length - 2)}"`);
