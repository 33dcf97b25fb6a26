/**
 * Compares every function with Spark 4.3, with edge values of every type: the calls are generated from spark/functions.sql. At night
 * all of them; otherwise some, with one of the rows that Spark refuses.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { isNightly, someOf } from "@lakehelm/testing/nightly";
import { generatedCalls, keyOf, readAnswers } from "../../../spark/generated-cases.ts";
import { judgedRows } from "../../../spark/generated-verdicts.ts";
import { differenceOf } from "../../../spark/known-differences.ts";
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
      const waiting = [...someOf(calls, Math.ceil(calls.length / 16))];
      const work = async () => {
        for (let call = waiting.shift(); call; call = waiting.shift()) {
          const answer = answers.get(keyOf(call));
          if (!answer) {
            surprises.push(`${keyOf(call)}: Spark's answer is not recorded`);
            continue;
          }
          const rows = await judgedRows(query, call, answer, isNightly ? undefined : 1);
          const different = rows.filter(({ verdict }) => verdict === "different");
          if (!differenceOf.has(keyOf(call)))
            surprises.push(...different.map(({ sql, explanation }) => `${sql}: ${explanation}`));
        }
      };
      await Promise.all(Array.from({ length: atOnce }, work));
      assert.deepEqual(surprises, []);
    });
  }
});

test("every known difference is of a call that is generated, and still differs", async () => {
  const calls = new Map(generatedCalls.map((call) => [keyOf(call), call]));
  const stale: string[] = [];
  for (const key of differenceOf.keys()) {
    const [call, answer] = [calls.get(key), answers.get(key)];
    const rows = call && answer ? await judgedRows(query, call, answer) : [];
    if (!rows.some(({ verdict }) => verdict === "different")) stale.push(key);
  }
  assert.deepEqual(stale, [], "Remove these lines of functions-differences.txt.");
});
