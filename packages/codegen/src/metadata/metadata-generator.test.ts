import assert from "node:assert/strict";
import test from "node:test";
import type { GlossaryUpdateInput } from "@lakehelm/contract";
import { production } from "../testing/contexts.ts";
import { generateMetadata } from "./metadata-generator.ts";
import type { TableMetadata } from "./table-metadata.ts";

type MetadataRequest = GlossaryUpdateInput["change"];

const requestFor = (change: Partial<MetadataRequest>): GlossaryUpdateInput => ({
  catalog_name: "main",
  schema_name: "gold",
  table_name: "orders",
  change: { columns: [], ...change },
});

/** The artifacts' statements, by the last part of their paths. */
function statementsOf(change: Partial<MetadataRequest>, known?: TableMetadata) {
  const { artifacts, errors } = generateMetadata(requestFor(change), production, known);
  assert.equal(errors, undefined);
  return Object.fromEntries(artifacts.map(({ path, statements }) => [path.split("/").at(-1), statements]));
}

const errorsOf = (request: GlossaryUpdateInput) =>
  generateMetadata(request, production, undefined).errors ?? assert.fail("expected errors");

test("the table's description and tags come first, then each column's; removals before additions", () => {
  const { "alter.sql": sql, "alter.py": python } = statementsOf({
    table_description: "One row an order",
    table_tags: { domain: "sales", draft: null },
    columns: [
      { column: "amount", description: "In cents", column_tags: { unit: "cent" } },
      { column: "order", column_tags: { old: null, older: null } },
    ],
  });
  assert.deepEqual(sql, [
    "COMMENT ON TABLE main.gold.orders IS 'One row an order'",
    "ALTER TABLE main.gold.orders UNSET TAGS ('draft')",
    "ALTER TABLE main.gold.orders SET TAGS ('domain' = 'sales')",
    "ALTER TABLE main.gold.orders ALTER COLUMN amount COMMENT 'In cents'",
    "ALTER TABLE main.gold.orders ALTER COLUMN amount SET TAGS ('unit' = 'cent')",
    "ALTER TABLE main.gold.orders ALTER COLUMN `order` UNSET TAGS ('old')",
    "ALTER TABLE main.gold.orders ALTER COLUMN `order` UNSET TAGS ('older')",
  ]);
  assert.deepEqual(python, sql);
});

test("null changes nothing, an empty text clears a description", () => {
  const { "alter.sql": sql } = statementsOf({
    table_description: "",
    table_tags: null,
    columns: [
      { column: "a", description: "", column_tags: null },
      { column: "b", description: null, column_tags: {} },
    ],
  });
  assert.deepEqual(sql, [
    "COMMENT ON TABLE main.gold.orders IS NULL",
    "ALTER TABLE main.gold.orders ALTER COLUMN a COMMENT ''",
  ]);
});

test("tags are text, in the request's order; numbers and booleans are written as in JSON", () => {
  const { "alter.sql": sql } = statementsOf({
    table_tags: { z: "", n: 1.5, big: 12345678901234567890n, yes: true, a: "'" },
  });
  assert.deepEqual(sql, [
    "ALTER TABLE main.gold.orders SET TAGS (\n  'z' = '',\n  'n' = '1.5',\n  'big' = '12345678901234567890',\n  'yes' = 'true',\n  'a' = '\\''\n)",
  ]);
});

test("undo restores what the catalog knows, and lists what it does not know", () => {
  const change: Partial<MetadataRequest> = {
    table_description: "New",
    table_tags: { domain: "sales", owner: "ada", draft: null, never: null },
    columns: [
      { column: "Amount", description: "New", column_tags: { unit: "cent" } },
      { column: "note", description: "New" },
    ],
  };
  const known: TableMetadata = {
    description: null,
    tags: { domain: "it", draft: "yes", other: "kept" },
    columns: { AMOUNT: { description: "Net", tags: {} }, note: { tags: {} } },
  };
  const { artifacts = [] } = generateMetadata(requestFor(change), production, known);
  const undo = artifacts.find(({ path }) => path.endsWith("/undo.sql"));
  assert.deepEqual(undo?.statements, [
    "COMMENT ON TABLE main.gold.orders IS NULL",
    "ALTER TABLE main.gold.orders UNSET TAGS ('owner')",
    "ALTER TABLE main.gold.orders SET TAGS ('draft' = 'yes', 'domain' = 'it')",
    "ALTER TABLE main.gold.orders ALTER COLUMN Amount COMMENT 'Net'",
    "ALTER TABLE main.gold.orders ALTER COLUMN Amount UNSET TAGS ('unit')",
  ]);
  assert.match(
    undo.content,
    /-- Column note\n-- Its earlier description is unknown, so it is not changed\.\n$/,
  );
});

test("there is no undo if no earlier value is known", () => {
  const change = { table_description: "New", columns: [{ column: "a", column_tags: { x: null } }] };
  for (const known of [undefined, { columns: {} }, { tags: {}, columns: { a: { description: "x" } } }]) {
    assert.deepEqual(Object.keys(statementsOf(change, known)), ["alter.sql", "alter.py"]);
  }
});

test("the notebook has only the code that its statements need", () => {
  const notebook = (change: Partial<MetadataRequest>) =>
    generateMetadata(requestFor(change), production, undefined).artifacts?.[1]?.content ?? "";
  assert.doesNotMatch(notebook({ table_description: "x" }), /def |ParseException|functions/);
  assert.doesNotMatch(notebook({ table_tags: { a: "b" } }), /remove_tag|functions/);
  assert.doesNotMatch(notebook({ table_tags: { a: null } }), /column/);
  assert.doesNotMatch(
    notebook({ columns: [{ column: "c", column_tags: { a: null } }] }),
    /table_tags|is None/,
  );
});

test("all mistakes are reported at once, each with its field", () => {
  const tooMany = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, at]));
  const errors = errorsOf({
    catalog_name: "a.b",
    schema_name: "",
    table_name: "it\u202e",
    change: {
      table_description: "\ud800",
      table_tags: {
        "a.b": "x",
        "": "x",
        " a": "x",
        ["k".repeat(256)]: "x",
        ok: { deep: 1 },
        list: [],
        nan: Number.NaN,
      },
      columns: [
        { column: "id", description: "x".repeat(65_536) },
        { column: "ID", column_tags: tooMany },
        { column: "x\n", column_tags: { a: "x".repeat(1001), b: "x ", c: "\udfff" } },
      ],
    },
  });
  const kinds = "expected a string, a number, true, false, or null to remove the tag, but found";
  assert.deepEqual(errors, [
    'catalog_name: the name "a.b" contains a space, a dot or a slash.',
    "schema_name: a name is empty.",
    'table_name: the name "it\\u{202e}" contains an invisible character.',
    'change.columns[1].column: "ID" is already in change.columns[0].',
    'change.columns[2].column: the name "x\\n" contains an invisible character.',
    "change.table_description: the text contains an unpaired surrogate.",
    'change.table_tags: the key "a.b" contains ".". A key cannot contain any of . , - = / :.',
    'change.table_tags: the key "" is empty.',
    'change.table_tags: the key " a" begins or ends with a space.',
    `change.table_tags: the key "${"k".repeat(80)}…" is longer than 255 characters.`,
    `change.table_tags, key "ok": ${kinds} an object.`,
    `change.table_tags, key "list": ${kinds} a list.`,
    `change.table_tags, key "nan": ${kinds} a number that JSON cannot represent.`,
    "change.columns[0].description: the text is longer than 65535 characters.",
    "change.columns[1].column_tags: 51 tags, but a column can have at most 50.",
    'change.columns[2].column_tags, key "a": the text is longer than 1000 characters.',
    'change.columns[2].column_tags, key "b": the value begins or ends with a space.',
    'change.columns[2].column_tags, key "c": the text contains an unpaired surrogate.',
  ]);
});

test("values at the limits are accepted", () => {
  const tags = Object.fromEntries(
    Array.from({ length: 50 }, (_, at) => [`${"k".repeat(250)}${at}`, "v".repeat(1000)]),
  );
  const { errors } = generateMetadata(
    requestFor({ table_description: "😀".repeat(65_535), table_tags: { ...tags, gone: null } }),
    production,
    undefined,
  );
  assert.equal(errors, undefined);
});

test("a change that changes nothing is an error", () => {
  for (const change of [
    {},
    { table_tags: {} },
    { columns: [{ column: "a", description: null, column_tags: {} }] },
  ]) {
    assert.deepEqual(errorsOf(requestFor(change)), [
      "change: nothing is changed. Expected a description or a tag, of the table or of a column.",
    ]);
  }
});

test("the folder of a table does not depend on the case of its name, and differs from that of another table", () => {
  const folder = (table_name: string) => {
    const request = { ...requestFor({ table_description: "x" }), table_name };
    return generateMetadata(request, production, undefined).artifacts?.[0]?.path;
  };
  assert.match(folder("orders") ?? "", /^src\/metadata\/main\.gold\.orders\/[0-9a-f]{8}\/alter\.sql$/);
  assert.equal(folder("Orders"), folder("orders"));
  assert.notEqual(folder("orders_"), folder("orders"));
});

test("two changes of one table do not overwrite each other's files", () => {
  const paths = (change: Partial<MetadataRequest>, description?: string) =>
    generateMetadata(requestFor(change), production, description ? { description, columns: {} } : undefined)
      .artifacts?.map(({ path }) => path)
      .join();
  const first = paths({ table_description: "One" });
  assert.equal(paths({ table_description: "One" }), first);
  assert.notEqual(paths({ table_description: "Two" }), first);
  assert.notEqual(paths({ columns: [{ column: "a", description: "One" }] }), first);
  // The same change of another earlier state has another undo.
  assert.notEqual(paths({ table_description: "One" }, "Earlier"), paths({ table_description: "One" }, "One"));
});

test("a column that the catalog's table does not have is an error", () => {
  const change = {
    columns: [
      { column: "Amount", description: "a" },
      { column: "amuont", description: "b" },
    ],
  };
  const known = { columns: { order_id: {}, amount: {} } };
  assert.deepEqual(generateMetadata(requestFor(change), production, known).errors, [
    'change.columns[1].column: the table has no column "amuont". Its columns are order_id, amount.',
  ]);
  assert.equal(generateMetadata(requestFor(change), production, undefined).errors, undefined);
});
