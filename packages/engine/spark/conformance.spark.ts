import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { type SparkEngine, startSpark } from "../../codegen/spark/spark-engine.ts";
import { cases, fixture, readResults, resultsFile, type SparkResult } from "./cases.ts";

let spark: SparkEngine;
before(async () => {
  spark = await startSpark({ settings: { "spark.sql.session.timeZone": "UTC" } });
  for (const { table, select } of fixture) await spark.sql(`CREATE TEMPORARY VIEW ${table} AS ${select}`);
});
after(() => spark.stop());

test("Spark answers as recorded", async () => {
  const results: SparkResult[] = [];
  for (const sql of new Set(cases.map(({ sparkSql }) => sparkSql))) {
    results.push(
      await spark.typedSql(sql).then(
        (answer) => ({ sql, answer }),
        (error) => ({ sql, error: error.condition ?? "an error without a name" }),
      ),
    );
  }
  if (process.env.UPDATE_SPARK_RESULTS) {
    await writeFile(resultsFile, results.map((result) => `${JSON.stringify(result)}\n`).join(""));
    return;
  }
  assert.deepEqual(results, readResults(), "Run it with UPDATE_SPARK_RESULTS=1 to record Spark's answers.");
});
