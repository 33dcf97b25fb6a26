/** The templates, each with a valid request. The golden folders contain their output. */
import type { EndpointBodyInput, endpoints } from "@lakehelm/contract";
import { connectionKind } from "@lakehelm/contract/connections";

export interface Template {
  readonly name: string;
  readonly summary: string;
  readonly method: "POST";
  readonly path: string;
  readonly produces: string[];
  readonly example: Record<string, unknown>;
}

type GeneratorRequest<Name extends keyof typeof endpoints> = EndpointBodyInput<(typeof endpoints)[Name]>;

const metadata = (
  summary: string,
  /** The folder of the table and of this change. */
  folder: string,
  example: GeneratorRequest<"generateAlterMetadata">,
): Template => ({
  name: "alter-metadata",
  summary,
  method: "POST",
  path: "/api/v1/codegen/alter-metadata",
  produces: ["alter.sql", "alter.py"].map((file) => `src/metadata/${folder}/${file}`),
  example,
});

const flow = (name: string, summary: string, example: GeneratorRequest<"generateConsumption">): Template => ({
  name,
  summary,
  method: "POST",
  path: "/api/v1/codegen/consumption",
  produces: [
    ...["ddl.sql", "flow.py", "quality.py", "flow.json"].map(
      (file) => `src/flows/${example.flow_name}/${file}`,
    ),
    `resources/flow_${example.flow_name}.job.yml`,
    "databricks.yml",
  ],
  example,
});

const connector = (
  kind: string,
  summary: string,
  example: GeneratorRequest<"generateConnector">,
): Template => {
  const [shape, action] = "connection" in example ? ["ingestion", "ingest"] : ["reverse-etl", "sync"];
  const readsDatabase = shape === "ingestion" && connectionKind(kind)?.defaultPort !== undefined;
  return {
    name: `${shape}-${kind}`,
    summary,
    method: "POST",
    path: "/api/v1/codegen/connector",
    produces: [
      `src/${shape}/${example.name}/${action}.py`,
      `src/${shape}/${example.name}/connector.json`,
      ...(readsDatabase
        ? ["connection.prod.sql", "connection.dev.sql"].map((file) => `src/${shape}/${example.name}/${file}`)
        : []),
      `resources/${action}_${example.name}.job.yml`,
      "databricks.yml",
    ],
    example,
  };
};

const relational = (kind: string, more: Record<string, unknown> = {}, dataset = "public.orders") =>
  connector(kind, `Tables of ${connectionKind(kind)?.title} into the lakehouse, incrementally`, {
    name: `shop-${kind}`,
    execution_mode: "batch",
    schedule_cron: "*/15 * * * *",
    connection_ref: `shop-${kind}`,
    connection: {
      name: `shop-${kind}`,
      type: kind,
      config: {
        host: "db.shop.example",
        port: connectionKind(kind)?.defaultPort,
        database: "shop",
        user: "reader",
        password: "{{secrets/shop/reader_password}}",
        ...more,
      },
    },
    table_configs: [
      {
        source_dataset: dataset,
        target_name: "bronze.orders",
        watermark_column: "updated_at",
        primary_keys: ["order_id"],
      },
    ],
  });

const operational = (kind: string, more: Record<string, unknown> = {}) =>
  connector(kind, `Lakehouse tables to ${connectionKind(kind)?.title}, incrementally`, {
    name: `customers-to-${kind}`,
    target_type: kind,
    execution_mode: "table_update",
    requested_by: "ada@example.com",
    target_config: {
      host: "crm.shop.example",
      port: connectionKind(kind)?.defaultPort,
      database: "crm",
      user: "writer",
      password: "{{secrets/shop/writer_password}}",
      ...more,
    },
    table_configs: [
      {
        source_dataset: "shop.gold.customers",
        target_name: "customers",
        watermark_column: "updated_at",
        primary_keys: ["customer_id"],
      },
    ],
  });

export const templates: Template[] = [
  metadata("Descriptions and tags of a table and its columns", "shop.sales.orders/44b2aa14", {
    catalog_name: "shop",
    schema_name: "sales",
    table_name: "orders",
    change: {
      table_description: "One row for each order, as the shop's cashier saw it",
      table_tags: { domain: "sales", draft: null },
      columns: [
        { column: "customer_email", description: "Where the receipt went", column_tags: { pii: "true" } },
        { column: "legacy_code", description: "" },
      ],
    },
  }),
  flow("consumption-replace", "A table that each run replaces", {
    flow_name: "revenue_by_day",
    source_tables: ["shop.sales.orders"],
    target_name: "shop.marts.revenue_by_day",
    trigger_type: "scheduled",
    schedule: { cron: "0 6 * * *", timezone: "Europe/Berlin" },
    matched_sql: [
      "SELECT",
      "  CAST(ordered_at AS DATE) AS order_date,",
      "  SUM(amount) AS revenue",
      "FROM shop.sales.orders",
      "GROUP BY CAST(ordered_at AS DATE)",
    ].join("\n"),
    business_date_column: "order_date",
    target_schema: {
      description: "Revenue by day",
      columns: [
        { name: "order_date", type: "date", description: "The day of the orders", not_null: true },
        { name: "revenue", type: "decimal(18,2)", description: "What they come to" },
      ],
    },
    cluster_by: ["order_date"],
    requested_by: "ada@example.com",
  }),
  flow("consumption-scd1", "A table with the latest row for each key, and a second one for unmatched rows", {
    flow_name: "orders_enriched",
    source_tables: ["shop.sales.orders", "shop.sales.customers"],
    target_name: "shop.marts.orders_enriched",
    trigger_type: "table_update",
    matched_sql: [
      "SELECT o.order_id, o.amount, c.country, o.updated_at",
      "FROM shop.sales.orders AS o",
      "JOIN shop.sales.customers AS c ON c.customer_id = o.customer_id",
    ].join("\n"),
    unmatched_sql: [
      "SELECT o.order_id, o.customer_id, o.amount, o.updated_at",
      "FROM shop.sales.orders AS o",
      "LEFT JOIN shop.sales.customers AS c ON c.customer_id = o.customer_id",
      "WHERE c.customer_id IS NULL",
    ].join("\n"),
    recheck_sql: [
      "SELECT u.order_id, u.amount, c.country, u.updated_at",
      "FROM shop.marts.orders_enriched_unmatched AS u",
      "JOIN shop.sales.customers AS c ON c.customer_id = u.customer_id",
    ].join("\n"),
    scd_type: 1,
    sequence_by: "updated_at",
    emit_surrogate_key: true,
    target_schema: {
      description: "Orders with their customer's country",
      columns: [
        { name: "order_id", type: "bigint", description: "The order", pk: true },
        { name: "amount", type: "decimal(18,2)", description: "What it cost", glossary_terms: ["Revenue"] },
        { name: "country", type: "string", description: "Where the customer lives", pii: true },
        { name: "updated_at", type: "timestamp", description: "When the order last changed" },
      ],
    },
    requested_by: "ada@example.com",
  }),
  flow("consumption-scd2", "A table with the history of each key", {
    flow_name: "customer_history",
    source_tables: ["shop.sales.customers"],
    target_name: "shop.marts.customer_history",
    trigger_type: "manual",
    matched_sql: "SELECT customer_id, email, country, updated_at\nFROM shop.sales.customers",
    scd_type: 2,
    sequence_by: "updated_at",
    emit_surrogate_key: true,
    target_schema: {
      description: "Every state that a customer's record was in",
      columns: [
        { name: "customer_id", type: "bigint", description: "The customer", pk: true },
        { name: "email", type: "string", description: "How to reach them", pii: true },
        { name: "country", type: "string", description: "Where they live" },
        { name: "updated_at", type: "timestamp", description: "Since when it was so", not_null: true },
      ],
      foreign_keys: [{ column: "country", parent_table: "shop.marts.countries", parent_column: "code" }],
    },
    requested_by: "ada@example.com",
  }),
  relational("postgresql"),
  relational("mysql", {}, "orders"),
  relational("sqlserver", {}, "dbo.orders"),
  relational("oracle", {}, "SHOP.ORDERS"),
  relational("snowflake", { options: { warehouse: "READING" } }, "PUBLIC.ORDERS"),
  connector("files", "CSV, JSON, Parquet or Avro files into the lakehouse, file by file", {
    name: "shop-files",
    execution_mode: "file_arrival",
    connection_ref: "shop-files",
    connection: {
      name: "shop-files",
      type: "files",
      config: { path: "/Volumes/shop/landing/exports", format: "csv", pii_columns: ["email"] },
    },
    table_configs: [
      { source_dataset: "customers", target_name: "bronze.customers", pii_suppressed: true },
      { source_dataset: "orders/*.csv", target_name: "bronze.orders_files", primary_keys: ["order_id"] },
    ],
  }),
  connector("rest", "Records of a REST API into the lakehouse, page by page", {
    name: "shop-rest",
    execution_mode: "batch",
    schedule_cron: "0 * * * *",
    connection_ref: "shop-rest",
    connection: {
      name: "shop-rest",
      type: "rest",
      config: {
        url: "https://api.shop.example/v2",
        headers: { Authorization: "{{secrets/shop/api_authorization}}" },
        records_path: "items",
        paging: { type: "cursor", parameter: "cursor", next_path: "next_cursor" },
      },
    },
    table_configs: [
      { source_dataset: "tickets", target_name: "bronze.tickets", primary_keys: ["ticket_id"] },
    ],
  }),
  operational("postgresql"),
  operational("mysql"),
  operational("sqlserver"),
  operational("snowflake", { options: { warehouse: "WRITING" } }),
  connector("http", "Lakehouse tables to an HTTP endpoint, in batches", {
    name: "customers-to-http",
    target_type: "http",
    execution_mode: "batch",
    schedule_cron: "30 5 * * 1-5",
    requested_by: "ada@example.com",
    target_config: {
      url: "https://hooks.shop.example/customers",
      headers: { Authorization: "{{secrets/shop/hook_authorization}}" },
      batch_size: 200,
    },
    table_configs: [
      {
        source_dataset: "shop.gold.customers",
        target_name: "customers",
        watermark_column: "updated_at",
        primary_keys: ["customer_id"],
      },
    ],
  }),
];
