import assert from "node:assert/strict";
import { test } from "node:test";
import { loadSqlParser } from "../../parser/sql-parser.ts";
import { planPipeline } from "../pipeline-planner.ts";
import { explained, shop } from "./shop.ts";

const sql = await loadSqlParser();

/** All problems of sources named `1.sql`, `2.sql` and so on. */
export const problemsOf = (...texts: readonly string[]): readonly string[] =>
  explained(
    planPipeline(
      sql,
      texts.map((text, index) => ({ path: `${index + 1}.sql`, text })),
      shop,
    ),
  );

/** Tests that each text has exactly these problems, by their locations and the beginnings of their messages. */
export function testProblems(cases: readonly (readonly [string, ...string[]])[]): void {
  for (const [text, ...expected] of cases) {
    test(`rejected: ${text.slice(0, 100)}`, () => {
      const found = problemsOf(text).map((problem) => problem.replace("1.sql:", ""));
      assert.equal(found.length, expected.length, found.join("\n"));
      for (const [index, one] of expected.entries())
        assert.ok(found[index]?.startsWith(one), `${found[index]} is not ${one}`);
    });
  }
}
