import assert from "node:assert/strict";
import test from "node:test";
import { columnNameProblem } from "@lakehelm/contract/connections";
import { hidden, shown } from "@lakehelm/contract/text";
import fc, { randomCases } from "@lakehelm/testing/random-cases";
import { hostileName, hostileText } from "../testing/hostile.ts";
import { namePartProblem, readTableName, sqlName } from "./table-name.ts";
import { titleProblem } from "./title.ts";

const defaults = { catalog: "main", schema: "gold" };

test("a table name is completed with the defaults", () => {
  assert.deepEqual(readTableName("orders", defaults, "target_name"), { ...defaults, table: "orders" });
  assert.deepEqual(readTableName("raw.orders", defaults, "target_name"), {
    catalog: "main",
    schema: "raw",
    table: "orders",
  });
  assert.deepEqual(readTableName("a.b.c", defaults, "target_name"), {
    catalog: "a",
    schema: "b",
    table: "c",
  });
  assert.deepEqual(readTableName("`a-b`.`c``d`", defaults, "target_name"), {
    catalog: "main",
    schema: "a-b",
    table: "c`d",
  });
});

test("an invalid name is rejected with the field, the text and the expected form", () => {
  const problem = (text: string) => {
    const read = readTableName(text, defaults, "source_tables[0]");
    return "problem" in read ? read.problem : undefined;
  };
  const form = "is not a table name. Expected table, schema.table or catalog.schema.table.";
  for (const text of [
    "",
    ".",
    "a.",
    ".a",
    "a..b",
    "a.b.c.d",
    "`a",
    "a`",
    "`a`b",
    "a`b`",
    "`a`.`b`.`c`.`d`",
  ]) {
    assert.equal(problem(text), `source_tables[0]: ${JSON.stringify(text)} ${form}`);
  }
  assert.equal(problem("``"), 'source_tables[0]: "``" cannot be used: a name is empty.');
  assert.equal(
    problem("`a.b`"),
    'source_tables[0]: "`a.b`" cannot be used: the name "a.b" contains a space, a dot or a slash.',
  );
  assert.match(problem("a b") ?? "", /contains a space/);
  assert.match(problem("a\n.b") ?? "", /contains a space/);
  assert.match(problem("a\u202eb") ?? "", /invisible character/);
  assert.match(problem("${x}") ?? "", /would replace/);
});

test("an accepted name is the same after it is written as SQL and read again", () => {
  fc.assert(
    fc.property(hostileName(), hostileName(), hostileName(), (catalog, schema, table) => {
      fc.pre([catalog, schema, table].every((part) => namePartProblem(part) === undefined));
      const name = { catalog, schema, table };
      assert.deepEqual(readTableName(sqlName(name), defaults, "x"), name);
    }),
    { numRuns: randomCases(2_000) },
  );
});

test("any text is a name of three valid parts, or a problem without invisible characters", () => {
  fc.assert(
    fc.property(hostileText(), (text) => {
      const read = readTableName(text, defaults, "x");
      if ("problem" in read) assert.doesNotMatch(read.problem, hidden);
      else for (const part of Object.values(read)) assert.equal(namePartProblem(part), undefined);
    }),
    { numRuns: randomCases(5_000) },
  );
});

test("names have limits", () => {
  assert.equal(columnNameProblem("x".repeat(255)), undefined);
  assert.equal(columnNameProblem("😀".repeat(255)), undefined);
  assert.match(columnNameProblem("x".repeat(256)) ?? "", /longer than 255/);
  assert.match(columnNameProblem("") ?? "", /empty/);
  assert.match(columnNameProblem(" a") ?? "", /begins or ends with a space/);
  assert.match(columnNameProblem("a\ud800") ?? "", /invisible character/);
  assert.equal(columnNameProblem("a b.c/d"), undefined);
  assert.equal(titleProblem("Orders, daily"), undefined);
  for (const title of ["", "  ", "a\nb", "x".repeat(101), "{{x}}", "\u202e"])
    assert.ok(titleProblem(title), title);
});

test("a name in a sentence is short and shows invisible characters", () => {
  assert.equal(shown('a"b'), '"a\\"b"');
  assert.equal(shown("a\u202eb"), '"a\\u{202e}b"');
  assert.equal(shown("a\nb\0"), '"a\\nb\\u0000"');
  assert.equal(shown("x".repeat(200)), `"${"x".repeat(80)}…"`);
  fc.assert(fc.property(hostileText(), (text) => assert.doesNotMatch(shown(text), hidden)));
});
