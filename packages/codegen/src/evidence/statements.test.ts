import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Artifact } from "../artifact.ts";
import { parsePython } from "./python/syntax-tree.ts";
import { notebookStatements, sqlFileStatements } from "./statements.ts";

/** Statements are valid here unless they contain WRONG, because the dialect has its own tests. */
const check = (statement: string) => (/WRONG/.test(statement) ? "It is wrong." : undefined);

const sqlFile = (content: string, statements: string[]) =>
  sqlFileStatements({ path: "a.sql", content, fileType: "sql", about: "", statements }, check).problems;

const notebook = (content: string, statements: string[]) => {
  const artifact: Artifact = { path: "a.py", content, fileType: "python", about: "", statements };
  return notebookStatements(artifact, parsePython(content, 0), check).problems;
};

suite("the statements of a SQL file", () => {
  test("must be the declared ones", () => assert.deepEqual(sqlFile("A;\n-- c\nB;\n", ["A", "B"]), []));
  test("must each parse", () => {
    assert.deepEqual(sqlFile("A;\n  WRONG;\n", ["A", "WRONG"]), [
      "The statement at line 2, column 3: It is wrong.",
    ]);
  });
  for (const declared of [[], ["A"], ["B", "A"], ["A", "B", "C"], ["A", "B "]]) {
    test(`are not ${JSON.stringify(declared)}`, () => assert.equal(sqlFile("A;\nB;\n", declared).length, 1));
  }
});

suite("the statements of a notebook", () => {
  test("must be in it, and declared", () =>
    assert.deepEqual(notebook("spark.sql('A')\nx = 'B'\n", ["A", "B"]), []));
  test("must each parse", () =>
    assert.match(notebook("x = 'WRONG'\n", ["WRONG"]).join(), /Statement 1: It is wrong/));
  test("cannot be declared without being there", () => {
    assert.match(
      notebook("spark.sql('A')\n", ["A", "B"]).join(),
      /Statement 2 is declared, but the notebook has no such string/,
    );
  });
  test("cannot be there without being declared", () => {
    assert.deepEqual(notebook("x = 1\nspark.sql('A')\n", []), [
      "The statement at line 2, column 11: It is passed to Spark, but not declared.",
    ]);
  });
  test("are checked in templates, too", () => {
    assert.deepEqual(notebook("x = 1\nspark.sql(f'A {x}')\n", []), []);
    assert.match(notebook("x = 1\nspark.sql(f'WRONG {x}')\n", []).join(), /It is wrong/);
  });
});
