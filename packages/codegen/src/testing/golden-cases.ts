import type { TableMetadata } from "../metadata/table-metadata.ts";
import { templates } from "../templates.ts";

export interface GoldenCase {
  readonly name: string;
  readonly path: string;
  readonly request: Readonly<Record<string, unknown>>;
  /** What the catalog knows of the table, for the undo of a change. */
  readonly known?: TableMetadata;
}

const metadata = "/api/v1/codegen/alter-metadata";
const consumption = "/api/v1/codegen/consumption";

/** Every template's example, and requests whose answers a reviewer should see too. */
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
