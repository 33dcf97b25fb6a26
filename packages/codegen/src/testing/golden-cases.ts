import type { TableMetadata } from "../metadata/table-metadata.ts";
import { templates } from "../templates.ts";

export interface GoldenCase {
  readonly name: string;
  readonly path: string;
  readonly request: Readonly<Record<string, unknown>>;
  /** The table's metadata in the catalog, for the undo of a change. */
  readonly known?: TableMetadata;
}

const metadata = "/api/v1/codegen/alter-metadata";
const consumption = "/api/v1/codegen/consumption";

/** Every template's example, and further requests whose output a reviewer should see. */
export const goldenCases: readonly GoldenCase[] = [
  ...templates.map(({ name, path, example }) => ({ name, path, request: example })),
  {
    name: "alter-metadata-undo",
    path: metadata,
    request: {
      catalog_name: "shop",
      schema_name: "sales",
      table_name: "orders",
      change: {
        table_description: "Orders",
        table_tags: { domain: "sales", owner: "ada", draft: null },
        columns: [{ column: "amount", description: "", column_tags: { unit: "EUR" } }],
      },
    },
    known: {
      description: "All orders, since 2019",
      tags: { domain: "marketing", draft: "yes" },
      columns: { amount: { description: "Net", tags: {} } },
    },
  },
  {
    name: "alter-metadata-hostile",
    path: metadata,
    request: {
      catalog_name: "shop",
      schema_name: "sales",
      table_name: "order`items",
      change: {
        table_description: "It's \\ \"odd\"\n'''; DROP TABLE x; -- ${env:HOME} {{job.id}} */ \u202e\u{1f600}",
        table_tags: { "it's": "# COMMAND ----------" },
        columns: [{ column: "select", description: "\u0000$1`" }],
      },
    },
  },
  {
    name: "consumption-merge-and-delete",
    path: consumption,
    request: {
      flow_name: "open_orders",
      source_tables: ["sales.orders"],
      target_name: "marts.open_orders",
      trigger_type: "table_update",
      matched_sql: "SELECT order_id, customer_id, ordered_on FROM sales.orders WHERE status = 'open'",
      write_strategy: "merge_and_delete",
      max_delete_share: 0.8,
      check_severity: "fail",
      business_date_column: "ordered_on",
      target_schema: {
        description: "Orders that are open",
        columns: [
          { name: "order_id", type: "bigint", pk: true },
          { name: "customer_id", type: "bigint" },
          { name: "ordered_on", type: "date", not_null: true },
        ],
        foreign_keys: [
          {
            column: "customer_id",
            parent_table: "sales.customers",
            parent_column: "customer_id",
            check_severity: "warn",
          },
        ],
      },
      requested_by: "ada@example.com",
    },
  },
  {
    name: "consumption-scd2-by-run",
    path: consumption,
    request: {
      flow_name: "price_history",
      source_tables: ["sales.prices"],
      target_name: "marts.price_history",
      trigger_type: "scheduled",
      schedule: { cron: "0 22 * * 1-5", timezone: "America/New_York" },
      matched_sql: "SELECT sku, price FROM sales.prices",
      scd_type: 2,
      target_schema: {
        description: "Prices as each run found them",
        columns: [
          { name: "sku", type: "string", pk: true },
          { name: "price", type: "decimal(10,2)", not_null: true },
        ],
      },
      requested_by: "ada@example.com",
    },
  },
];
