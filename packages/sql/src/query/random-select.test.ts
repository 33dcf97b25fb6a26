import assert from "node:assert/strict";
import { test } from "node:test";
import fc, { randomCases } from "@lakehelm/testing/random-cases";
import { plainName } from "../names/table-name.ts";
import { loadSqlParser } from "../parser/sql-parser.ts";
import { statementProblem } from "../statement-check.ts";
import { filled, randomSelect } from "../testing/random-select.ts";
import { shop } from "../testing/shop.ts";
import { analyzeSelect } from "./select-analysis.ts";

const sql = await loadSqlParser();
/** Spellings of the declared tables whose columns are unknown. */
const written = ["orders", "sales.Lines", "SHOP.crm.Customers", "`shop`.`sales`.`orders`", "Sales.orders"];
const declared = shop.tables.map(({ name }) => plainName(name));

test("any SELECT over declared tables is analyzed, with its columns and tables", () => {
  fc.assert(
    fc.property(randomSelect, (random) => {
      const text = filled(random, (gap) => written[gap % written.length] ?? "");
      const { columns, tables, problems } = analyzeSelect(sql, text, shop);
      assert.deepEqual(problems, undefined, text);
      assert.deepEqual(
        columns?.map(({ name }) => name),
        random.columns,
      );
      for (const table of tables ?? []) assert.ok(declared.includes(table));
      for (const { sources } of columns ?? []) {
        for (const { table } of sources) assert.ok(table === null || tables?.includes(table));
      }
      assert.equal(statementProblem(sql, text), undefined);
    }),
    { numRuns: randomCases(150) },
  );
});

test("an undeclared table is found anywhere in a SELECT", () => {
  fc.assert(
    fc.property(randomSelect, fc.nat(), (random, chosen) => {
      const hidden = chosen % random.gaps;
      const text = filled(random, (gap) => (gap === hidden ? "other.intruder" : (written[gap % 5] ?? "")));
      const before = text.slice(0, text.indexOf("other.intruder"));
      const lines = before.split("\n");
      assert.deepEqual(
        analyzeSelect(sql, text, shop).problems?.map(({ line, column, message }) => ({
          line,
          column,
          message: message.slice(0, 51),
        })),
        [
          {
            line: lines.length,
            column: [...(lines.at(-1) ?? "")].length + 1,
            message: "shop.other.intruder is not a declared source table.",
          },
        ],
        text,
      );
    }),
    { numRuns: randomCases(150) },
  );
});

test("a table is found in every unusual way of reading it", () => {
  const ways = [
    "TABLE intruder",
    "STREAM intruder",
    "STREAM(intruder)",
    "delta.`/intruder`",
    "IDENTIFIER('intruder')",
    "read_files('/intruder')",
    '"intruder"',
    "'intruder'",
    "my_function(TABLE orders)",
    "a.b.c.intruder",
    "table_changes('intruder', 1)",
  ];
  fc.assert(
    fc.property(randomSelect, fc.nat(), fc.constantFrom(...ways), (random, chosen, way) => {
      const text = filled(random, (gap) => (gap === chosen % random.gaps ? way : (written[gap % 5] ?? "")));
      assert.ok((analyzeSelect(sql, text, shop).problems?.length ?? 0) > 0, text);
    }),
    { numRuns: randomCases(150) },
  );
});
