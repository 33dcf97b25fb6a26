/**
 * Compares the warehouse with Spark: the values and types of each case in spark/cases.sql with what Spark answered. After a
 * change, `UPDATE_DOCS=1` prints the tables in docs/reference/sql.md again.
 */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import {
  cases,
  fixture,
  readResults,
  type SparkResult,
  type SqlCase,
  type Verdict,
} from "../../../spark/cases.ts";
import { differenceFromSpark } from "../../../spark/comparison.ts";
import { type JudgedCase, withSupportTable } from "../../../spark/support-table.ts";
import { DataProblem } from "../../protocol/problem.ts";
import { openShop, scope, type TestShop } from "../testing/shop.ts";
import { prepareQuery } from "./prepared-query.ts";

const page = new URL("../../../../../docs/reference/sql.md", import.meta.url);
const recorded = new Map(readResults().map((result) => [result.sql, result]));
const judged: JudgedCase[] = [];
const atOnce = 8;
let shop: TestShop;

before(async () => {
  shop = await openShop();
  await shop.run("DROP TABLE shop.sales.orders");
  const connection = await shop.warehouse.connect();
  for (const { table, select } of fixture) {
    const query = { scope, sql: select, dialect: "databricks" } as const;
    const { sql } = await prepareQuery(shop.warehouse, connection, query);
    await shop.run(`CREATE TABLE shop.sales.${table} AS ${sql}`);
  }
  connection.closeSync();
});
after(() => shop[Symbol.asyncDispose]());

describe("a query gives the values and types of Spark, or is refused", () => {
  for (const [topic, of] of Map.groupBy(cases, (one) => one.topic)) {
    test(topic, async () => {
      const surprises: string[] = [];
      for (let at = 0; at < of.length; at += atOnce) {
        const some = of.slice(at, at + atOnce);
        const verdicts = await Promise.all(some.map((one) => verdictOn(one, recorded.get(one.sparkSql))));
        for (const [index, one] of some.entries()) {
          const { verdict = "different", explanation = "" } = verdicts[index] ?? {};
          judged.push({ ...one, verdict });
          const isExpected = (verdict === "different") === (one.difference !== undefined);
          if (!isExpected) surprises.push(`${one.text}: ${explanation}`);
        }
      }
      assert.deepEqual(surprises, []);
    });
  }
});

test("docs/reference/sql.md says what is supported", async () => {
  const text = await readFile(page, "utf8");
  const current = withSupportTable(text, judged);
  if (process.env.UPDATE_DOCS) await writeFile(page, current);
  else assert.equal(text, current, "Print the tables again with UPDATE_DOCS=1.");
});

async function verdictOn(
  one: SqlCase,
  spark: SparkResult | undefined,
): Promise<{ readonly verdict: Verdict; readonly explanation: string }> {
  if (!spark) return { verdict: "different", explanation: "Spark's answer is not recorded" };
  try {
    const answer = await shop.query(one.sql);
    const explanation = spark.answer
      ? differenceFromSpark(one, answer, spark.answer)
      : `Spark refuses it: ${spark.error}`;
    return {
      verdict: explanation === undefined ? "same" : "different",
      explanation: explanation ?? "nothing differs",
    };
  } catch (error) {
    if (!(error instanceof DataProblem)) throw error;
    assert.match(error.message, /^[^a-z].*[.?!]$/s, "a refusal is a sentence");
    return { verdict: spark.answer ? "refused" : "same", explanation: error.message };
  }
}
