import assert from "node:assert/strict";
import type { ConsumptionFlowInput } from "@lakehelm/contract";
import { loadSqlParser } from "@lakehelm/sql";
import type { NameDefaults } from "@lakehelm/sql/names";
import type { ConsumptionFlow } from "../flow.ts";
import { readFlow } from "../request/flow-reader.ts";

export const nameDefaults: NameDefaults = { catalog: "shop", schema: "sales" };

type ColumnInput = ConsumptionFlowInput["target_schema"]["columns"][number];

export const column = (name: string, type: string, more: Partial<ColumnInput> = {}): ColumnInput => ({
  name,
  type,
  description: "",
  pk: false,
  not_null: false,
  pii: false,
  glossary_terms: [],
  ...more,
});

/** A valid request for orders with the country of their customer. `more` replaces fields of it. */
export function ordersRequest(more: Partial<ConsumptionFlowInput> = {}): ConsumptionFlowInput {
  return {
    flow_name: "orders",
    type: "consumption",
    source_tables: ["orders", "customers"],
    target_name: "shop.marts.orders",
    trigger_type: "manual",
    matched_sql: [
      "SELECT o.order_id, o.amount, c.country, o.updated_at",
      "FROM orders AS o",
      "JOIN customers AS c ON c.customer_id = o.customer_id",
    ].join("\n"),
    emit_surrogate_key: false,
    target_schema: {
      description: "Orders with their customer's country",
      columns: [
        column("order_id", "bigint", { pk: true }),
        column("amount", "decimal(18,2)"),
        column("country", "string"),
        column("updated_at", "timestamp"),
      ],
      foreign_keys: [],
    },
    table_properties: {},
    requested_by: "ada@example.com",
    ...more,
  };
}

/** Orders without a customer are kept and rechecked in each run. */
export const recheck = {
  unmatched_sql: [
    "SELECT o.order_id, o.customer_id, o.amount, o.updated_at",
    "FROM orders AS o",
    "LEFT JOIN customers AS c ON c.customer_id = o.customer_id",
    "WHERE c.customer_id IS NULL",
  ].join("\n"),
  recheck_sql: [
    "SELECT u.order_id, u.amount, c.country, u.updated_at",
    "FROM marts.orders_unmatched AS u",
    "JOIN customers AS c ON c.customer_id = u.customer_id",
  ].join("\n"),
};

/** The request without a key. */
export const keyless = (request: ConsumptionFlowInput): ConsumptionFlowInput => ({
  ...request,
  target_schema: {
    ...request.target_schema,
    columns: request.target_schema.columns.map((one) => ({ ...one, pk: false })),
  },
});

export async function flowOf(request: ConsumptionFlowInput): Promise<ConsumptionFlow> {
  const { flow, problems } = readFlow(request, nameDefaults, await loadSqlParser());
  assert.deepEqual(problems ?? [], []);
  assert.ok(flow);
  return flow;
}
