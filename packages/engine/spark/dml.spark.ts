import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { someOf } from "@lakehelm/testing/nightly";
import { type SparkEngine, startSpark } from "../../codegen/spark/spark-engine.ts";
import {
  creationOf,
  type DmlCase,
  type DmlResult,
  dmlCases,
  dmlResultsFile,
  mayWrite,
  readDmlResults,
  rowTexts,
  tablesIn,
} from "./dml.ts";

let spark: SparkEngine;
before(async () => {
  spark = await startSpark({
    settings: { "spark.sql.session.timeZone": "UTC", "spark.sql.sources.default": "delta" },
  });
});
after(() => spark.stop());

/** Tables that no statement has changed since they were created. */
const untouched = new Set<string>();

async function resultOf(one: DmlCase): Promise<DmlResult> {
  for (const table of tablesIn(one)) {
    if (!untouched.has(table)) for (const statement of creationOf(table)) await spark.sql(statement);
    if (mayWrite(one, table)) untouched.delete(table);
    else untouched.add(table);
  }
  let error: string | null = null;
  for (const statement of one.statements) {
    error = await spark.sql(statement).then(
      () => null,
      (failure) => failure.condition ?? nameIn(failure.message),
    );
    if (error !== null) break;
  }
  const rows = await spark.typedSql(one.select).then(
    (answer) => answer.rows,
    () => [],
  );
  return { name: one.name, error, rows: rowTexts(rows) };
}

const nameIn = (message: string): string =>
  /\[([A-Z_]{6,}(?:\.[A-Z_]+)*)\]/.exec(message)?.[1] ?? "an error without a name";

/** Records the cases that have no result yet, one by one: remove the lines that you want to record again. */
async function record(): Promise<void> {
  const recorded = new Map(readDmlResults().map((result) => [result.name, result]));
  for (const one of dmlCases) {
    if (!recorded.has(one.name)) recorded.set(one.name, await resultOf(one));
    const lines = dmlCases.flatMap(({ name }) => recorded.get(name) ?? []);
    await writeFile(dmlResultsFile, lines.map((result) => `${JSON.stringify(result)}\n`).join(""));
  }
}

test("Spark with Delta changes tables as recorded", async () => {
  if (process.env.UPDATE_SPARK_RESULTS) return record();
  const chosen = someOf(dmlCases, 9);
  const results: DmlResult[] = [];
  for (const one of chosen) results.push(await resultOf(one));
  const recorded = readDmlResults();
  assert.deepEqual(
    results,
    recorded.filter(({ name }) => chosen.some((one) => one.name === name)),
    "Run it with UPDATE_SPARK_RESULTS=1 to record Spark's answers.",
  );
  assert.deepEqual(
    recorded.map(({ name }) => name),
    dmlCases.map(({ name }) => name),
  );
});
