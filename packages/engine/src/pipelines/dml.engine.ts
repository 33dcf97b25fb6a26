/** The rows that statements leave in a table, compared with Spark and Delta. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";
import { someOf } from "@lakehelm/testing/nightly";
import { comparable, comparableType } from "../../spark/comparison.ts";
import { creationOf, dmlCases, readDmlResults, rowTexts, tablesIn } from "../../spark/dml.ts";
import { openPipelineHarness } from "./testing/pipeline.ts";

const harness = await openPipelineHarness({ after });
const recorded = new Map(readDmlResults().map((result) => [result.name, result]));

/** What stays different, as docs/reference/sql.md says it, by the names of the cases. */
const namedDifferences: Readonly<Record<string, readonly string[]>> = {
  "of several matches of a row, only those count that a clause of MERGE takes": [
    "MERGE: several matches of a row, of which a condition takes one",
    "MERGE: several matches of a row that no clause takes",
  ],
  "subqueries in UPDATE and DELETE work": [
    "UPDATE: the key that it reads",
    "DELETE: NOT IN with NULL",
    "DELETE: IN a subquery over the same table",
    "DELETE: EXISTS",
  ],
  "`DEFAULT` and `REPLACE WHERE` are refused": [
    "INSERT: DEFAULT of a column without one",
    "INSERT: DEFAULT in a list of columns",
    "INSERT: REPLACE WHERE",
    "UPDATE: DEFAULT",
  ],
  "a `WITH` before a statement that writes": ["INSERT: a WITH before it", "MERGE: a WITH before it"],
  "blanks at the end of a text that is too long are cut off": [
    "VARCHAR: blanks at the end",
    "VARCHAR: after ADD COLUMN, and it fits",
    "VARCHAR: in an array, and it fits",
  ],
  "a field of a struct cannot be updated": [
    "UPDATE: a field of a struct",
    "UPDATE: a field of a struct beside a column of that name",
    "MERGE: a field of a struct",
  ],
};

test("every named difference is in docs/reference/sql.md", async () => {
  const page = await readFile(new URL("../../../../docs/reference/sql.md", import.meta.url), "utf8");
  for (const difference of Object.keys(namedDifferences)) assert.ok(page.includes(difference), difference);
});

test("a MERGE that updates rows without a source does not read memory that nobody wrote", async () => {
  const one = dmlCases.find(({ name }) => name === "MERGE: all kinds of clauses");
  assert.ok(one);
  for (let time = 0; time < 15; time++)
    await harness.run([...tablesIn(one).flatMap(creationOf), ...one.statements].join("; "));
});

const differing = new Set(Object.values(namedDifferences).flat());

for (const one of someOf(dmlCases, 45)) {
  test(one.name, async () => {
    const spark = recorded.get(one.name);
    assert.ok(spark, "Record Spark's answer.");
    await harness.run(tablesIn(one).flatMap(creationOf).join("; "));
    let error: string | null = null;
    for (const statement of one.statements) {
      error = await harness.run(statement).then(
        () => null,
        (failure: Error) => failure.message,
      );
      if (error !== null) break;
    }
    const { rows, columns } = await harness.run(one.select).catch(() => ({ rows: [], columns: [] }));
    const ours = rowTexts(
      rows.map((row) => row.map((value, at) => comparable(value, comparableType(columns[at]?.type ?? "")))),
    );
    const found = { failed: error !== null, rows: ours };
    const theirs = { failed: spark.error !== null, rows: spark.rows };
    if (differing.has(one.name)) assert.notDeepEqual(found, theirs, "It no longer differs.");
    else
      assert.deepEqual(found, theirs, `${one.statements.join("; ")}\nhere: ${error}\nSpark: ${spark.error}`);
  });
}
