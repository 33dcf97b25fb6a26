import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { type SparkEngine, startSpark } from "../../codegen/spark/spark-engine.ts";
import {
  cases,
  fixture,
  isQuery,
  readResults,
  resultsFile,
  type SparkResult,
  type SqlCase,
} from "./cases.ts";

let spark: SparkEngine;
before(async () => {
  spark = await startSpark({ settings: { "spark.sql.session.timeZone": "UTC" } });
  for (const { table, select } of fixture) await spark.sql(`CREATE TEMPORARY VIEW ${table} AS ${select}`);
});
after(() => spark.stop());

test("Spark answers as recorded", async () => {
  const answered = new Map<string, SparkResult>();
  for (const group of Map.groupBy(cases, groupOf).values()) {
    for (let at = 0; at < group.length; at += atOnce) {
      for (const result of await answersOf(group.slice(at, at + atOnce))) answered.set(result.sql, result);
    }
  }
  const results = cases.flatMap(({ sparkSql }) => answered.get(sparkSql) ?? []);
  if (process.env.UPDATE_SPARK_RESULTS) {
    await writeFile(resultsFile, results.map((result) => `${JSON.stringify(result)}\n`).join(""));
    return;
  }
  assert.deepEqual(results, readResults(), "Run it with UPDATE_SPARK_RESULTS=1 to record Spark's answers.");
});

/** Spark takes about as long for one expression as for many: those over the same rows are one query. */
const atOnce = 32;

/** The rest of the query after the select list, by which cases are grouped. A complete query is a group of its own. */
function groupOf({ sparkSql, text }: SqlCase): string {
  if (isQuery(text) || sparkSql.includes("explode(") || sparkSql.includes("json_object")) return sparkSql;
  return / FROM orders.*$/.exec(sparkSql)?.[0] ?? "";
}

/** The answers to expressions over the same rows. If one of them fails, the query fails: then each half is tried. */
async function answersOf(group: readonly SqlCase[]): Promise<readonly SparkResult[]> {
  const [first] = group;
  if (!first) return [];
  if (group.length === 1) {
    const { answer, ...result } = await answerTo(first.sparkSql);
    // The name of an expression's column is Spark's own, and is not compared.
    return [
      { ...result, ...(answer && { answer: isQuery(first.text) ? answer : { ...answer, names: ["x"] } }) },
    ];
  }
  const rest = groupOf(first);
  const list = group.map(
    ({ sparkSql }, at) => `${sparkSql.slice("SELECT ".length, sparkSql.length - rest.length)} AS c${at}`,
  );
  const together = await answerTo(`SELECT ${list.join(", ")}${rest}`);
  if (!together.answer) {
    const half = Math.ceil(group.length / 2);
    return [...(await answersOf(group.slice(0, half))), ...(await answersOf(group.slice(half)))];
  }
  const { types, rows } = together.answer;
  return group.map(({ sparkSql: sql }, at) => ({
    sql,
    answer: { names: ["x"], types: types.slice(at, at + 1), rows: rows.map((row) => row.slice(at, at + 1)) },
  }));
}

const answerTo = (sql: string): Promise<SparkResult> =>
  spark.typedSql(sql).then(
    (answer) => ({ sql, answer }),
    (error) => ({ sql, error: error.condition ?? "an error without a name" }),
  );
