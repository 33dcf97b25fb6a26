import assert from "node:assert/strict";
import { test } from "node:test";
import fc, { randomCases } from "@lakehelm/testing/random-cases";
import { tokenize } from "../lexer/lexer.ts";
import { loadSqlParser } from "../parser/sql-parser.ts";
import { planPipeline } from "./pipeline-planner.ts";
import type { PipelinePlan } from "./plan.ts";
import { readScript } from "./script-reader.ts";
import { explained, shop } from "./testing/shop.ts";

const sql = await loadSqlParser();
const plan = (text: string): PipelinePlan => planPipeline(sql, [{ path: "a.sql", text }], shop);

const valid = [
  "CREATE OR REFRESH STREAMING TABLE clean (id BIGINT COMMENT 'k', amount DECIMAL(10, 2), CONSTRAINT ok EXPECT (amount > 0) ON VIOLATION DROP ROW) COMMENT \"c\" TBLPROPERTIES ('a' = 'b') AS SELECT id, amount FROM STREAM(raw.orders) WHERE op <> 'D'",
  "CREATE STREAMING TABLE latest; CREATE FLOW f AS AUTO CDC INTO latest FROM STREAM(raw.orders) KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY ts COLUMNS * EXCEPT (op, ts) STORED AS SCD TYPE 2",
  "CREATE LIVE TABLE totals AS WITH c AS (SELECT * FROM customers) SELECT c.name, sum(o.amount) AS total FROM LIVE.clean AS o JOIN c ON c.id = o.id GROUP BY c.name",
  "CREATE TABLE IF NOT EXISTS log (name STRING, total DECIMAL(38, 2)); INSERT INTO log BY NAME SELECT * FROM totals; UPDATE log SET total = 0 WHERE name IS NULL; MERGE INTO log USING totals AS t ON log.name = t.name WHEN MATCHED THEN UPDATE SET total = t.total WHEN NOT MATCHED THEN INSERT *",
];
const whole = `${valid.join(";\n")};`;

test("spaces, comments and case never change a plan", () => {
  const { tokens } = tokenize(whole);
  const expected = explained(plan(whole));
  assert.equal(expected.length, 7, expected.join("\n"));
  const gap = fc.constantFrom(" ", "\n", "\t ", " -- it's; 😀\n", " /* ; ' */ ", "\r\n");
  fc.assert(
    fc.property(
      fc.array(fc.tuple(gap, fc.nat(2)), { minLength: tokens.length, maxLength: tokens.length }),
      (ways) => {
        const text = tokens
          .map((token, index) => {
            const [space = " ", letters = 0] = ways[index] ?? [];
            const word =
              token.kind !== "word" || letters === 0
                ? token.text
                : letters === 1
                  ? token.text.toUpperCase()
                  : token.text.toLowerCase();
            return space + word;
          })
          .join("");
        assert.deepEqual(
          explained(plan(text)).map((line) => line.toLowerCase()),
          expected.map((line) => line.toLowerCase()),
        );
      },
    ),
    { numRuns: 4 },
  );
});

/** Requires a plan, or problems with locations in the text. Nothing may be thrown. */
function requireAnswer(text: string): void {
  const { problems, steps } = plan(text);
  assert.notEqual(problems === undefined, steps === undefined);
  const lines = text.split("\n").length;
  for (const { line, column, message } of problems ?? [])
    assert.ok(
      line >= 1 && line <= lines && column >= 1 && /[.?]$/.test(message),
      `${line}:${column} ${message}`,
    );
  readScript(sql, text, { ...shop, path: "a.sql" });
}

test("a text with missing or repeated parts is planned or rejected, and nothing is thrown", () => {
  fc.assert(
    fc.property(fc.constantFrom(...valid), fc.nat(), fc.nat(), (text, one, other) => {
      const [from = 0, to = 0] = [one % text.length, other % text.length].toSorted(
        (left, right) => left - right,
      );
      for (const cut of [
        text.slice(0, from),
        text.slice(from),
        text.slice(0, from) + text.slice(to),
        text.slice(0, to) + text.slice(from),
      ]) {
        requireAnswer(cut);
      }
    }),
    { numRuns: randomCases(12) },
  );
});

const word = fc.constantFrom(
  ..."CREATE OR REFRESH REPLACE MATERIALIZED STREAMING LIVE TABLE VIEW FLOW AS SELECT FROM STREAM ( ) , ; . ${day} ${ ${x} 'x' ` -- /* */ CONSTRAINT EXPECT ON VIOLATION APPLY CHANGES AUTO CDC INTO KEYS SEQUENCE BY USE SET = INSERT MERGE customers id :p 😀 \0 a b".split(
    " ",
  ),
  "\n",
);

test("random words are planned or rejected, and nothing is thrown", () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 40 }), (words) => requireAnswer(words.join(" "))),
    { numRuns: randomCases(300) },
  );
});

test("hostile texts are answered in time", () => {
  const mega = 1 << 20;
  const many = (count: number, one: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => one(index)).join("");
  const texts = {
    letters: "x".repeat(mega),
    semicolons: ";".repeat(mega),
    words: "a;".repeat(mega / 2),
    quotes: "'".repeat(mega - 1),
    dollars: "${".repeat(mega / 2),
    keys: "${day}".repeat(mega / 6),
    comments: `a ${"-- ${a}\n".repeat(mega / 8)}`,
    magic: `-- Databricks notebook source\n${"a;\n-- MAGIC x\n-- COMMAND ----------\n".repeat(30_000)}`,
    uses: "USE a;".repeat(mega / 6),
    brackets: `CREATE VIEW v AS SELECT ${"(".repeat(mega)}`,
    types: `CREATE VIEW v (a ${"array<".repeat(100_000)}`,
    chain: many(200, (index) => `CREATE VIEW v${index + 1} AS SELECT * FROM v${index};`),
    circle: many(400, (index) => `CREATE VIEW v${(index + 1) % 400} AS SELECT * FROM v${index};`),
    inserts: many(400, (index) => `INSERT INTO customers VALUES (${index}, 'x');`),
  };
  for (const [what, text] of Object.entries(texts)) {
    const before = process.cpuUsage();
    const { problems } = plan(text);
    const took = process.cpuUsage(before).user / 1_000;
    assert.ok(took < 2_000, `${what} took ${took} ms`);
    assert.equal(problems === undefined, ["semicolons", "inserts"].includes(what), what);
  }
});
