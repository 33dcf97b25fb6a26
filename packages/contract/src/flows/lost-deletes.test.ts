import assert from "node:assert/strict";
import { test } from "node:test";
import { lostDeletes } from "./lost-deletes.ts";

const columns = [{ name: "id", type: "bigint", pk: true }];
const flow = (definition = {}) => ({
  kind: "flow",
  name: "value",
  definition: { target_name: "marts.value", target_schema: { columns }, ...definition },
});
const exporting = (custom_config: unknown = { deletes: true }, target_type = "sqlite") => ({
  kind: "connector",
  name: "crm",
  definition: { target_type, datasets: [{ source_dataset: "shop.marts.VALUE", custom_config }] },
});
const found = (...resources: Parameters<typeof lostDeletes>[0]) =>
  lostDeletes(resources, (name) => `shop.${name.replace("shop.", "")}`.toLowerCase()).map(
    ({ connector, at, flow }) => [connector, at, flow],
  );

test("an export with deletes of a table that a flow merges into is found", () => {
  assert.deepEqual(found(flow(), exporting()), [["crm", 0, "value"]]);
  assert.deepEqual(found(flow({ write_strategy: "merge" }), exporting()), [["crm", 0, "value"]]);
});

test("not if the flow deletes, the export does not, or the flow publishes another table", () => {
  for (const write_strategy of ["merge_and_delete", "replace"])
    assert.deepEqual(found(flow({ write_strategy }), exporting()), []);
  assert.deepEqual(found(flow({ target_schema: { columns: [{ name: "id" }] } }), exporting()), []);
  for (const config of [null, {}, { deletes: false }]) assert.deepEqual(found(flow(), exporting(config)), []);
  assert.deepEqual(found(flow(), exporting({ deletes: true }, "warehouse")), []);
  assert.deepEqual(found(flow({ target_name: "marts.other" }), exporting()), []);
});

test("definitions that are wrong are left to other checks", () => {
  for (const definition of [{}, { datasets: 5 }, { datasets: [null] }, { datasets: [{ source_dataset: 1 }] }])
    assert.deepEqual(found(flow(), { kind: "connector", name: "x", definition }), []);
  assert.deepEqual(found({ kind: "flow", name: "x", definition: {} }, exporting()), []);
});
