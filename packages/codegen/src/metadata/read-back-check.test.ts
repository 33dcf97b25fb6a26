import assert from "node:assert/strict";
import test from "node:test";
import type { GlossaryUpdateInput } from "@lakehelm/contract";
import type { Artifact } from "../artifact.ts";
import { production } from "../testing/contexts.ts";
import { generateMetadata } from "./metadata-generator.ts";
import { metadataFailures } from "./read-back-check.ts";

const request: GlossaryUpdateInput = {
  catalog_name: "main",
  schema_name: "gold",
  table_name: "orders",
  change: {
    table_description: "One row an order",
    table_tags: { domain: "sales", tier: 1, draft: null },
    columns: [{ column: "amount", description: "", column_tags: { unit: "cent" } }],
  },
};
const known = { description: "Old", tags: {}, columns: { amount: { tags: {} } } };

/** The artifacts of the request, with the content of one of them edited. */
function edited(name: string, edit: (content: string) => string): Artifact[] {
  const { artifacts = [] } = generateMetadata(request, production, known);
  return artifacts.map((artifact) => {
    if (!artifact.path.endsWith(`/${name}`)) return artifact;
    const content = edit(artifact.content);
    assert.notEqual(content, artifact.content, "the edit changes something");
    return { ...artifact, content };
  });
}

test("generated files make exactly the requested changes", () => {
  const { artifacts = [] } = generateMetadata(request, production, known);
  assert.equal(artifacts.length, 3);
  assert.deepEqual(metadataFailures(request, artifacts), []);
});

test("every statement that changes something else is found", () => {
  for (const more of [
    "DROP TABLE main.gold.orders;",
    "ALTER TABLE main.gold.orders DROP COLUMN amount;",
    "ALTER TABLE main.gold.orders ALTER COLUMN amount TYPE STRING;",
    "ALTER TABLE main.gold.orders ADD COLUMNS (x INT);",
    "ALTER TABLE main.gold.orders SET TBLPROPERTIES ('a' = 'b');",
    "ALTER TABLE main.gold.orders SET TAGS ('a' = 'b') SET TAGS ('c' = 'd');",
    "SELECT 1;",
    "SET x = 1;",
  ]) {
    for (const name of ["alter.sql", "undo.sql"]) {
      const failures = metadataFailures(
        request,
        edited(name, (content) => `${content}\n${more}\n`),
      );
      assert.match(failures.join("\n"), new RegExp(`${name}: .*is not allowed`), more);
    }
  }
});

test("every difference from the request is found", () => {
  const edits: [name: string, from: string, to: string, failure: RegExp][] = [
    [
      "alter.sql",
      "'One row",
      "'Two rows",
      /expected the description of the table as "One row an order", found/,
    ],
    [
      "alter.sql",
      "'tier' = '1'",
      "'tier' = '2'",
      /expected the tag "tier" of the table as "1", found .* as "2"/,
    ],
    ["alter.sql", "'tier' = '1'", "'Tier' = '1'", /found the tag "Tier"/],
    [
      "alter.sql",
      "UNSET TAGS ('draft')",
      "UNSET TAGS ('domain')",
      /expected the tag "draft" of the table as null/,
    ],
    [
      "alter.sql",
      "COLUMN amount COMMENT ''",
      "COLUMN amount COMMENT ' '",
      /expected the description of the column "amount" as null/,
    ],
    [
      "alter.sql",
      "COLUMN amount COMMENT",
      "COLUMN total COMMENT",
      /found the description of the column "total"/,
    ],
    [
      "alter.sql",
      "-- Column amount",
      "COMMENT ON TABLE main.gold.orders IS 'x';",
      /found the description of the table/,
    ],
    ["alter.sql", "ON TABLE main.gold.orders", "ON TABLE main.gold.others", /about another table/],
    ["alter.sql", "ON TABLE main.gold", "ON TABLE gold", /about another table/],
    ["alter.py", "One row", "Two rows", /its statements are not those of alter\.sql/],
    ["alter.py", 'remove_tag("ALTER', 'print("ALTER', /its statements are not those/],
    ["alter.py", "# DBTITLE 1,Table", 'spark.sql("DROP TABLE x")', /its statements are not those/],
    [
      "alter.py",
      "# DBTITLE 1,Table",
      "statement = text\nspark.sql(statement)",
      /its statements are not those/,
    ],
    [
      "undo.sql",
      "UNSET TAGS ('tier')",
      "UNSET TAGS ('other')",
      /the tag "other" of the table is changed, but alter\.sql does not change it/,
    ],
  ];
  for (const [name, from, to, failure] of edits) {
    assert.match(
      metadataFailures(
        request,
        edited(name, (content) => content.replace(from, to)),
      ).join("\n"),
      failure,
    );
  }
});

test("a statement that is missing is found, and a file that is missing too", () => {
  const line = /^ALTER TABLE main.gold.orders ALTER COLUMN amount SET TAGS .*\n/m;
  assert.match(
    metadataFailures(
      request,
      edited("alter.sql", (content) => content.replace(line, "")),
    ).join("\n"),
    /expected the tag "unit" of the column "amount" as "cent", found nothing more/,
  );
  assert.equal(metadataFailures(request, []).length, 1);
});
