import assert from "node:assert/strict";
import { test } from "node:test";
import { changeOf, differences, parseTags, tagsText } from "../src/pages/catalog/metadata-draft.ts";

const table = {
  catalog: "shop",
  schema: "sales",
  name: "orders",
  kind: "table" as const,
  comment: "Orders",
  tags: { domain: "sales", old: "" },
  rows: 1,
  columns: [{ name: "amount", type: "INT", nullable: true, comment: null, tags: {} }],
};

test("tags are lines: a value may contain commas and equals signs", () => {
  const tags = { terms: "order, sale", rule: "a=b", pii: "" };
  assert.deepEqual(parseTags(tagsText(tags)), tags);
  assert.deepEqual(parseTags(" unit = EUR \n\n"), { unit: "EUR" });
});

test("only what differs becomes part of the change; a tag that is gone is removed", () => {
  const draft = new Map([
    ["", { description: "Orders", tags: { domain: "finance" } }],
    ["amount", { description: "In euros", tags: {} }],
  ]);
  assert.deepEqual(changeOf(table, draft).change, {
    table_tags: { domain: "finance", old: null },
    columns: [{ column: "amount", description: "In euros" }],
  });
  assert.deepEqual(
    differences(table, draft).map(({ what, before, after }) => [what, before, after]),
    [
      ["tag domain", "sales", "finance"],
      ["tag old", "", undefined],
      ["description", undefined, "In euros"],
    ],
  );
  const same = new Map([["", { description: "Orders", tags: table.tags }]]);
  assert.deepEqual([differences(table, same), changeOf(table, same).change], [[], { columns: [] }]);
});
