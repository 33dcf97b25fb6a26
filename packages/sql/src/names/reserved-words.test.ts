/** Every word of the vocabulary can be the name of a column, an alias and a table, as quoteIdentifier writes it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { loadSqlParser } from "../parser/sql-parser.ts";
import { analyzeSelect } from "../query/select-analysis.ts";
import { statementDiagnostic } from "../statement-check.ts";
import { builtInFunctions } from "../vocabulary/functions.ts";
import * as keywords from "../vocabulary/keywords.ts";
import { quoteIdentifier } from "./literals.ts";
import { reservedWords } from "./reserved-words.ts";

/** SQL_KEYWORDS() of Spark 4.1.4 and 4.3.0. */
const sparkKeywords = readFileSync(join(import.meta.dirname, "spark-keywords.txt"), "utf8")
  .trim()
  .split(/\s+/);

const { changeWords, queryWords, types, units, valueWords } = keywords;
const words = new Set(
  [
    ...reservedWords,
    ...sparkKeywords,
    ...builtInFunctions,
    ...changeWords,
    ...queryWords,
    ...types,
    ...units,
    ...valueWords,
  ].map((word) => word.toLowerCase()),
);

/** Statements in which generated code uses names. */
const statements = (name: string): string[] => [
  `MERGE INTO a AS target USING b AS source ON target.${name} <=> source.${name} WHEN MATCHED THEN UPDATE SET ${name} = source.${name} WHEN NOT MATCHED THEN INSERT (${name}) VALUES (source.${name})`,
  `SELECT CAST(${name} AS STRING) AS ${name}, row_number() OVER (PARTITION BY ${name} ORDER BY ${name} DESC NULLS LAST) AS r FROM t AS kept WHERE EXISTS (SELECT 1 FROM u WHERE u.${name} = kept.${name})`,
  `SELECT ${name} FROM s.${name}`,
  `SELECT id, ${name} FROM t WHERE id > 0`,
  `SELECT *, ${name} FROM t`,
  `SELECT ${name}, count(*) AS n FROM t GROUP BY ${name} HAVING count(*) > 1`,
];

test("statements with any word as a name are accepted", async () => {
  const parser = await loadSqlParser();
  const refused = [...words].flatMap((word) =>
    statements(quoteIdentifier(word)).flatMap((sql) => {
      const found = statementDiagnostic(parser, sql);
      return found ? [`${sql}: ${found.message}`] : [];
    }),
  );
  assert.ok(words.size > 500);
  assert.deepEqual(refused, []);
});

test("a quoted word is a column with its name and its source, never a function", async () => {
  const parser = await loadSqlParser();
  const name = { catalog: "shop", schema: "sales", table: "orders" };
  for (const word of words) {
    const quoted = `\`${word}\``;
    const tables = [{ name, columns: [word] }];
    const options = { tables, catalog: "shop", schema: "sales", field: "matched_sql" };
    const { columns, problems } = analyzeSelect(parser, `SELECT ${quoted} FROM orders`, options);
    assert.deepEqual(problems ?? [], [], word);
    assert.deepEqual(
      columns?.map((one) => [one.name, one.sources.map(({ column }) => column)]),
      [[word, [word]]],
    );
  }
});
