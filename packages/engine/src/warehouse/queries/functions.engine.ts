/**
 * Compares every function with Spark 4.3, with edge values of every type: the calls are generated from
 * spark/functions.sql. At night all calls; otherwise some, and those that differ, with one of the rows that Spark
 * refuses. functions-different.txt and functions-refused.txt list the rows that differ and the rows that are refused:
 * exactly these rows must differ or be refused.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { isNightly, someOf } from "@lakehelm/testing/nightly";
import { generatedCalls, keyOf, readAnswers } from "../../../spark/generated-cases.ts";
import { judgedRows } from "../../../spark/generated-verdicts.ts";
import { expectedVerdict, isKnownToDiffer } from "../../../spark/known-verdicts.ts";
import { DataProblem } from "../../protocol/problem.ts";
import { openShop, type TestShop } from "../testing/shop.ts";

const answers = readAnswers();
const atOnce = 4;
let shop: TestShop;
before(async () => {
  shop = await openShop();
});
after(() => shop[Symbol.asyncDispose]());

async function query(sql: string) {
  try {
    const { columns, rows = [] } = await shop.query(sql, { timeoutMs: 120_000 });
    return { columns, rows };
  } catch (error) {
    if (!(error instanceof DataProblem)) throw error;
    assert.match(error.message, /^[^a-z].*[.?!]$/s, `a refusal is a sentence: ${error.message}`);
    return { refusal: error.message };
  }
}

describe("a function gives the value and the type of Spark, or is refused", () => {
  for (const [topic, calls] of Map.groupBy(generatedCalls, (call) => call.topic)) {
    test(topic, async () => {
      const surprises: string[] = [];
      const some = new Set(someOf(calls, Math.ceil(calls.length / 16)));
      const waiting = calls.filter((call) => some.has(call) || isKnownToDiffer(keyOf(call)));
      const work = async () => {
        for (let call = waiting.shift(); call; call = waiting.shift()) {
          const answer = answers.get(keyOf(call));
          if (!answer) {
            surprises.push(`${keyOf(call)}: Spark's answer is not recorded`);
            continue;
          }
          const rows = await judgedRows(query, call, answer, isNightly ? undefined : 1);
          for (const { at, verdict, sql, explanation } of rows) {
            const expected = expectedVerdict(keyOf(call), at);
            if (verdict === expected) continue;
            surprises.push(
              `${keyOf(call)} # ${at} is ${verdict}${expected === "same" ? "" : `, but listed in functions-${expected}.txt`}: ${sql} ${explanation}`,
            );
          }
        }
      };
      await Promise.all(Array.from({ length: atOnce }, work));
      assert.deepEqual(surprises, []);
    });
  }
});
