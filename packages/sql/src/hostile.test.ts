import assert from "node:assert/strict";
import { test } from "node:test";
import { cpuMsOf } from "@lakehelm/testing/linear";
import fc, { anyCharacter, randomCases } from "@lakehelm/testing/random-cases";
import { readMetadataStatement } from "./grammar/metadata-statement.ts";
import { loadSqlParser } from "./parser/sql-parser.ts";
import { analyzeSelect } from "./query/select-analysis.ts";
import { statementProblem } from "./statement-check.ts";
import { shop } from "./testing/shop.ts";

const sql = await loadSqlParser();

const deep = (n: number): Readonly<Record<string, string>> => ({
  parentheses: `SELECT ${"(".repeat(n)}1${")".repeat(n)} AS a`,
  "open parentheses": `SELECT ${"(".repeat(n)}`,
  subqueries: `${"SELECT a FROM (".repeat(n)}SELECT a FROM orders${")".repeat(n)}`,
  CTEs: `${"WITH a AS (".repeat(n)}SELECT 1 AS b${") SELECT b FROM a".repeat(n)}`,
  sums: `SELECT ${"1+".repeat(n)}1 AS a`,
  casts: `SELECT 1${"::int".repeat(n)} AS a`,
  indexes: `SELECT a${"[0]".repeat(n)} AS a FROM orders`,
  fields: `SELECT a${".b".repeat(n)} AS a FROM orders`,
  cases: `SELECT ${"CASE WHEN a THEN ".repeat(n)}1${" END".repeat(n)} AS a FROM orders`,
  nots: `SELECT ${"NOT ".repeat(n)}a AS a FROM orders`,
  minuses: `SELECT ${"- ".repeat(n)}a AS a FROM orders`,
  unions: `SELECT 1 AS a ${"UNION ALL SELECT 1 ".repeat(n)}`,
  types: `SELECT cast(a AS ${"array<".repeat(n)}int${">".repeat(n)}) AS a FROM orders`,
  lambdas: `SELECT transform(a, ${"x -> ".repeat(n)}1) AS a FROM orders`,
  commas: `SELECT ${",".repeat(n)}`,
  quotes: "'".repeat(2 * n + 1),
  comments: `SELECT ${"/* ".repeat(n)}`,
});

for (const [what, text] of Object.entries(deep(10_000))) {
  test(`ten thousand ${what} are rejected, and the next text is still parsed`, () => {
    const { problems } = analyzeSelect(sql, text, shop);
    assert.ok(problems && problems.length > 0);
    assert.notEqual(statementProblem(sql, text), undefined);
    assert.equal(analyzeSelect(sql, "SELECT id FROM orders", shop).problems, undefined);
  });
}

test("the parser never runs out of stack", () => {
  for (const length of [200, 500, 700, 1_000, 1_500]) {
    for (const [what, text] of Object.entries(deep(length))) {
      const failure = analyzeSelect({ parse: (known) => noOverflow(known) }, text, shop);
      assert.ok(failure, what);
    }
  }
  function noOverflow(text: string) {
    const parsed = sql.parse(text);
    assert.doesNotMatch(parsed.error ?? "", /call stack|unreachable|memory/);
    return parsed;
  }
});

test("a megabyte of any text is answered quickly", async () => {
  const mega = 1 << 20;
  const texts = [
    "x".repeat(mega),
    "\0".repeat(mega),
    "(".repeat(mega),
    `SELECT '${"x".repeat(mega)}' AS a`,
    `SELECT a IN (${"1,".repeat(mega / 2)}1) AS a FROM orders`,
    "\ud83d".repeat(mega),
    "ä ".repeat(mega / 2),
    "${".repeat(mega / 2),
  ];
  for (const text of texts) {
    const ms = await cpuMsOf(() => analyzeSelect(sql, text, shop));
    assert.ok(ms < 2_000, `${text.slice(0, 20)}: ${ms} ms`);
  }
});

test("stars that double the columns with each CTE are refused", async () => {
  for (const first of ["SELECT id FROM orders", "SELECT * FROM nowhere"]) {
    const ctes = Array.from({ length: 40 }, (_, n) =>
      n === 0 ? `c0 AS (${first})` : `c${n} AS (SELECT * FROM c${n - 1} a, c${n - 1} b)`,
    );
    const text = `WITH ${ctes.join(", ")} SELECT * FROM c39`;
    const ms = await cpuMsOf(() =>
      assert.match(JSON.stringify(analyzeSelect(sql, text, shop).problems), /more than 10000 columns/),
    );
    assert.ok(ms < 2_000, `${ms} ms`);
  }
});

test("a text whose blanks multiply the time of the parser is refused", () => {
  const list = (width: number) => `SELECT ${"id + 1 AS b,".padEnd(width).repeat(6_000)} 1 AS a FROM orders`;
  assert.match(statementProblem(sql, list(180)) ?? "", /too long for its number of tokens/);
  assert.equal(statementProblem(sql, list(13)), undefined);
});

const fragment = fc.constantFrom(
  ..."SELECT FROM WHERE ( ) , . ; * 'x' \" ` orders AS a b WITH UNION ALL JOIN ON USING = -- /* */ /*+ :: : ? ${x} {{ \\ 😀 \0 \u202e NOT IN IS NULL CASE WHEN END 1 1e5 INSERT INTO ALTER TABLE SET TAGS COMMENT IDENTIFIER [ ] -> => DISTINCT VALUES LATERAL VIEW explode( PIVOT( \n".split(
    " ",
  ),
  "\n",
);
const garbage = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 200 }),
  fc.array(fragment, { maxLength: 40 }).map((parts) => parts.join(" ")),
  fc.array(fragment, { maxLength: 30 }).map((parts) => `SELECT ${parts.join(" ")}`),
);

test("random text gives problems, never an exception", () => {
  fc.assert(
    fc.property(garbage, (text) => {
      const { columns, problems } = analyzeSelect(sql, text, shop);
      assert.notEqual(columns === undefined, problems === undefined);
      for (const { line, column, message } of problems ?? []) {
        assert.ok(line >= 1 && column >= 1 && /[.?]$/.test(message));
        assert.ok(line <= text.split(/\r\n|\r|\n/).length);
      }
      statementProblem(sql, text);
      readMetadataStatement(text);
    }),
    { numRuns: randomCases(2_000) },
  );
});
