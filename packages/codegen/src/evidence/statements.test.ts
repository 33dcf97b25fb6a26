import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Artifact } from "../artifact.ts";
import { parsePython } from "./python/syntax-tree.ts";
import { notebookStatements, sqlFileStatements } from "./statements.ts";

/** Which statements the dialect takes is told elsewhere; here a statement is sound unless it is called wrong. */
const parses = (statement: string) => (/WRONG/.test(statement) ? "It is wrong." : undefined);

const sqlFile = (content: string, statements: string[]) =>
  sqlFileStatements({ path: "a.sql", content, fileType: "sql", about: "", statements }, parses).problems;

const notebook = (content: string, statements: string[]) => {
  const artifact: Artifact = { path: "a.py", content, fileType: "python", about: "", statements };
  return notebookStatements(artifact, parsePython(content, 0), parses).problems;
};

suite("the statements of a SQL file", () => {
  test("are the claimed ones", () => assert.deepEqual(sqlFile("A;\n-- c\nB;\n", ["A", "B"]), []));
  test("each parse", () => {
    assert.deepEqual(sqlFile("A;\n  WRONG;\n", ["A", "WRONG"]), [
      "The statement at line 2, column 3: It is wrong.",
    ]);
  });
  for (const claimed of [[], ["A"], ["B", "A"], ["A", "B", "C"], ["A", "B "]]) {
    test(`are not ${JSON.stringify(claimed)}`, () => assert.equal(sqlFile("A;\nB;\n", claimed).length, 1));
  }
});

suite("the statements of a notebook", () => {
  test("are in it, and claimed", () =>
    assert.deepEqual(notebook("spark.sql('A')\nx = 'B'\n", ["A", "B"]), []));
  test("each parse", () =>
    assert.match(notebook("x = 'WRONG'\n", ["WRONG"]).join(), /Statement 1: It is wrong/));
  test("cannot be claimed without being there", () => {
    assert.match(notebook("spark.sql('A')\n", ["A", "B"]).join(), /Statement 2 is claimed, but no string/);
  });
  test("cannot be there without being claimed", () => {
    assert.deepEqual(notebook("x = 1\nspark.sql('A')\n", []), [
      "The statement at line 2, column 11: It is handed to Spark, but not claimed.",
    ]);
  });
  test("that are templates parse, too", () => {
    assert.deepEqual(notebook("x = 1\nspark.sql(f'A {x}')\n", []), []);
    assert.match(notebook("x = 1\nspark.sql(f'WRONG {x}')\n", []).join(), /It is wrong/);
  });
});
