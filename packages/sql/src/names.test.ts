import assert from "node:assert/strict";
import test from "node:test";
import { columnNameProblem } from "@lakehelm/contract/connections";
import { hidden, shown } from "@lakehelm/contract/text";
import * as fc from "fast-check";
import { fileSlug, namePartProblem, readTableName, sqlName, tableSlug, titleProblem } from "./names.ts";
import { hostileName, hostileText } from "./testing/hostile.ts";

const place = { catalog: "main", schema: "gold" };

test("a table's name is completed with the place's names", () => {
  assert.deepEqual(readTableName("orders", place, "target_name"), { ...place, table: "orders" });
  assert.deepEqual(readTableName("raw.orders", place, "target_name"), {
    catalog: "main",
    schema: "raw",
    table: "orders",
  });
  assert.deepEqual(readTableName("a.b.c", place, "target_name"), { catalog: "a", schema: "b", table: "c" });
  assert.deepEqual(readTableName("`a-b`.`c``d`", place, "target_name"), {
    catalog: "main",
    schema: "a-b",
    table: "c`d",
  });
});

test("what is no table's name is refused with where, what and what was expected", () => {
  const problem = (text: string) => {
    const read = readTableName(text, place, "source_tables[0]");
    return "problem" in read ? read.problem : undefined;
  };
  const form = "is not a table's name. Expected table, schema.table or catalog.schema.table.";
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
    'source_tables[0]: "`a.b`" cannot be used: the name "a.b" contains a blank, a dot or a slash.',
  );
  assert.match(problem("a b") ?? "", /contains a blank/);
  assert.match(problem("a\n.b") ?? "", /contains a blank/);
  assert.match(problem("a\u202eb") ?? "", /invisible character/);
  assert.match(problem("${x}") ?? "", /would replace/);
});

test("a name that is taken is the same after it was written as SQL and read again", () => {
  fc.assert(
    fc.property(hostileName(), hostileName(), hostileName(), (catalog, schema, table) => {
      fc.pre([catalog, schema, table].every((part) => namePartProblem(part) === undefined));
      const name = { catalog, schema, table };
      assert.deepEqual(readTableName(sqlName(name), place, "x"), name);
    }),
    { numRuns: 2000 },
  );
});

test("any text is either a name of three sound parts, or a problem that hides nothing", () => {
  fc.assert(
    fc.property(hostileText(), (text) => {
      const read = readTableName(text, place, "x");
      if ("problem" in read) assert.doesNotMatch(read.problem, hidden);
      else for (const part of Object.values(read)) assert.equal(namePartProblem(part), undefined);
    }),
    { numRuns: 5000 },
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

test("a name in a sentence is short and shows what it hides", () => {
  assert.equal(shown('a"b'), '"a\\"b"');
  assert.equal(shown("a\u202eb"), '"a\\u{202e}b"');
  assert.equal(shown("a\nb\0"), '"a\\nb\\u0000"');
  assert.equal(shown("x".repeat(200)), `"${"x".repeat(80)}…"`);
  fc.assert(fc.property(hostileText(), (text) => assert.doesNotMatch(shown(text), hidden)));
});

test("slugs: a plain name is its own, any other keeps what it can and eight digits of its hash", () => {
  assert.equal(fileSlug("orders-2024"), "orders-2024");
  assert.match(fileSlug("Orders"), /^orders-[0-9a-f]{8}$/);
  assert.match(fileSlug("../../etc/passwd"), /^etc-passwd-[0-9a-f]{8}$/);
  assert.match(fileSlug("数量"), /^n-[0-9a-f]{8}$/);
  assert.match(tableSlug("Daily orders"), /^daily_orders_[0-9a-f]{8}$/);
  assert.equal(tableSlug("daily_orders"), "daily_orders");
});

test("slugs are harmless as names of files, and two names never share one", () => {
  // Pairs that differ in little: by case, blanks, what a slug drops, or by being a slug themselves.
  const whole = hostileName().filter((text) => text.isWellFormed());
  const near = fc.constantFrom<(name: string) => string>(
    (name) => name.toUpperCase(),
    (name) => `${name} `,
    (name) => `${name}-`,
    (name) => name.replaceAll("-", "_"),
    (name) => name.replace(/[^a-z0-9]/g, ""),
    (name) => name.normalize("NFD"),
    (name) => fileSlug(name),
    (name) => tableSlug(name),
    (name) => `${name}${"x".repeat(70)}`,
  );
  fc.assert(
    fc.property(whole, near, whole, (one, change, other) => {
      for (const two of [change(one), other]) {
        for (const [slug, form] of [
          [fileSlug, /^[a-z0-9][a-z0-9_-]{0,63}$/],
          [tableSlug, /^[a-z][a-z0-9_]{0,63}$/],
        ] as const) {
          assert.match(slug(one), form);
          if (one !== two) assert.notEqual(slug(one), slug(two));
        }
      }
    }),
    { numRuns: 5000 },
  );
});
