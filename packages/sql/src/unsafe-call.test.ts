import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { tokenize } from "./lexer/lexer.ts";
import { unsafeCall } from "./unsafe-call.ts";

const problem = (sql: string) => unsafeCall(tokenize(sql).tokens)?.message;

suite("unsafeCall", () => {
  test("queries of tables with built-in functions are safe", () => {
    for (const sql of [
      "SELECT count(*), sum(amount) FROM orders WHERE id IN (1, 2) AND (a OR b)",
      "WITH c (x) AS (SELECT 1) SELECT * FROM c AS t(y) JOIN d USING (id)",
      "SELECT cast(a AS decimal(10, 2)), transform(l, x -> x + 1), map('a', 1) FROM range(3)",
      "SELECT `a/b`, row_number() OVER (PARTITION BY x ORDER BY y) FROM main.gold.orders VALUES (1)",
      "SELECT * FROM t LATERAL VIEW explode(l) v AS x WHERE exists (SELECT 1)",
    ]) {
      assert.equal(problem(sql), undefined, sql);
    }
  });

  test("what reaches beyond tables is not", () => {
    for (const [sql, expected] of [
      [
        "SELECT reflect('java.lang.System', 'getenv', 'PATH')",
        /^reflect\(\) is not allowed here: it calls Java code\.$/,
      ],
      ["SELECT `reflect`('java.lang.System')", /calls Java code/],
      ["SELECT ReFlEcT /* x */ ('java.lang.System')", /calls Java code/],
      ["SELECT system.builtin.java_method('a', 'b')", /has a schema in front/],
      ["SELECT main.gold.abs(1)", /has a schema in front/],
      ["SELECT own(1)", /own\(\) is not a built-in function/],
      ["SELECT conct('a', 'b')", /because they can read any table\. Did you mean concat\?$/],
      ["SELECT * FROM orders o(x, y)", /write AS in front of its name/],
      ["WITH a AS (SELECT 1), newest(x) AS (SELECT 2) SELECT 1", /of a CTE, name them in its SELECT/],
      ["SELECT TRANSFORM(a) USING 'sh -c id' FROM t", /runs a program/],
      ['FROM t MAP a USING "cat"', /runs a program/],
      ["SELECT * FROM text.`/etc/passwd`", /is a path/],
      ["SELECT * FROM delta . `s3://bucket/t`", /is a path/],
      ["SELECT * FROM identifier('text.`/etc/passwd`')", /identifier\(\) is not allowed/],
      ["SELECT * FROM read_files('/etc')", /reads files/],
    ] as const) {
      assert.match(problem(sql) ?? "none", expected, sql);
    }
  });
});
