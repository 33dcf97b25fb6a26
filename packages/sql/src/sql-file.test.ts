import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "@lakehelm/testing/random-cases";
import { readSqlFile } from "./index.ts";
import { quoteIdentifier, sqlString } from "./names/literals.ts";

const statementsOf = (content: string) => readSqlFile(content).statements.map(({ text }) => text);

suite("a SQL file", () => {
  const files: [content: string, statements: string[]][] = [
    ["", []],
    [";;\n-- only a comment\n;", []],
    ["SELECT 1;\nSELECT 2;\n", ["SELECT 1", "SELECT 2"]],
    ["SELECT 1\n", ["SELECT 1"]],
    ["SELECT ';', \";\", `;`, r';\\';\n", ["SELECT ';', \";\", `;`, r';\\'"]],
    ["SELECT 'it\\'s; -- no comment';", ["SELECT 'it\\'s; -- no comment'"]],
    ["SELECT `a``;b`;", ["SELECT `a``;b`"]],
    ["-- a; b\nSELECT 1 -- c; d\n, 2 -- e\n;", ["SELECT 1 -- c; d\n, 2"]],
    ["/* a; /* b; */ c; */ SELECT /*+ BROADCAST(a;) */ 1;", ["SELECT /*+ BROADCAST(a;) */ 1"]],
    ["SELECT bar'x;y';", ["SELECT bar'x;y'"]],
  ];
  for (const [content, statements] of files) {
    test(`${JSON.stringify(content)} has ${statements.length} statements`, () => {
      assert.deepEqual(readSqlFile(content).problems, []);
      assert.deepEqual(statementsOf(content), statements);
    });
  }

  const broken: [content: string, expected: RegExp][] = [
    ["SELECT 'a;", /string is never closed/],
    ["SELECT 'a\\';", /string is never closed/],
    ["SELECT `a;", /backticks is never closed/],
    ["SELECT 1 /* a /* b */;", /comment is never closed/],
    ["-- continued \\\nSELECT 1;", /backslash/],
    ["SELECT '\n-- COMMAND ----------\n';", /notebook instruction/],
    ["-- MAGIC %sh rm\nSELECT 1;", /notebook instruction/],
  ];
  for (const [content, expected] of broken) {
    test(`${JSON.stringify(content)} is rejected`, () => {
      const messages = readSqlFile(content).problems.map(({ message }) => message);
      assert.match(messages.join(), expected);
    });
  }

  test("is split where it was joined, whatever its strings and names contain", () => {
    const hostile = fc.oneof(fc.string({ unit: "grapheme" }), fc.stringMatching(/^[;'"`\\*/\-$\n a]{1,12}$/));
    const statement = fc
      .tuple(hostile, hostile)
      .map(([name, text]) => `COMMENT ON TABLE ${quoteIdentifier(name)} IS ${sqlString(text)}`);
    fc.assert(
      fc.property(fc.array(statement), (statements) => {
        const content = statements.map((one) => `-- next\n${one};\n`).join("\n");
        const read = readSqlFile(content);
        assert.deepEqual(
          read.statements.map(({ text }) => text),
          statements,
        );
      }),
    );
  });
});
