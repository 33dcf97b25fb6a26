/** Every option of a flow either changes the generated code or is refused: none is ignored. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { ConsumptionFlowInput } from "@lakehelm/contract";
import { responseTo } from "../testing/responses.ts";

const column = (name: string, more: object = {}) => ({ name, type: "int", description: "", ...more });
const base = {
  flow_name: "orders",
  type: "consumption",
  source_tables: ["shop.sales.orders"],
  target_name: "shop.marts.orders",
  trigger_type: "manual",
  matched_sql: "SELECT id, day, n FROM shop.sales.orders",
  target_schema: {
    description: "",
    columns: [column("id", { pk: true }), column("day", { type: "date" }), column("n")],
  },
  requested_by: "ada@example.com",
};
type Option = keyof ConsumptionFlowInput;

const deletes = { write_strategy: "merge_and_delete" };
const unmatched = "SELECT id, day, n FROM shop.sales.orders WHERE n IS NULL";
const recheck = "SELECT id, day, n FROM shop.marts.orders_unmatched WHERE n IS NOT NULL";

/** Another value for each option, and other fields that it requires. The type requires an entry for every option. */
const changes: Readonly<Record<Option, { readonly value: unknown; readonly beside?: object }>> = {
  flow_name: { value: "orders_2" },
  type: { value: "other" },
  source_tables: {
    value: ["shop.sales.orders", "shop.sales.further"],
    beside: { trigger_type: "table_update" },
  },
  target_name: { value: "shop.marts.orders_2" },
  trigger_type: { value: "table_update" },
  schedule: { value: { cron: "0 6 * * *", timezone: "UTC" }, beside: { trigger_type: "scheduled" } },
  matched_sql: { value: "SELECT id, day, n + 1 AS n FROM shop.sales.orders" },
  unmatched_sql: { value: unmatched },
  recheck_sql: { value: recheck, beside: { unmatched_sql: unmatched } },
  sequence_by: { value: "n" },
  business_date_column: { value: "day" },
  scd_type: { value: 2 },
  emit_surrogate_key: { value: true },
  write_strategy: { value: "merge_and_delete" },
  max_delete_share: { value: 0.1, beside: deletes },
  close_missing_keys: { value: true, beside: { scd_type: 2 } },
  check_severity: { value: "warn" },
  target_schema: {
    value: { ...base.target_schema, description: "Orders" },
  },
  cluster_by: { value: ["day"] },
  table_properties: { value: { "delta.appendOnly": "false" } },
  warehouse: { value: "0123456789abcdef" },
  requested_by: { value: "eve@example.com" },
};

suite("every option of a flow is in its code, or refused", () => {
  const answer = async (more: object) => {
    const { status, artifacts, errors } = await responseTo("/api/v1/codegen/consumption", {
      ...base,
      ...more,
    });
    return { status, errors, files: artifacts.map(({ path, content }) => [path, content]) };
  };
  for (const [name, { value, beside = {} }] of Object.entries(changes)) {
    test(name, async () => {
      const before = await answer(beside);
      if (name !== "schedule") assert.deepEqual([before.status, before.errors], ["success", []]);
      const after = await answer({ ...beside, [name]: value });
      assert.notDeepEqual(after, before, "it is ignored");
    });
  }

  test("the options are those of the contract", () => {
    assert.deepEqual(Object.keys(changes).sort(), Object.keys(ConsumptionFlowInput.fields).sort());
  });
});
