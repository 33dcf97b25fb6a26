import { writeStrategies } from "../connections/table-settings.ts";
import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { environmentHeader, optionalText } from "./shared.ts";

const ArtifactOutput = s.model("ArtifactOutput", {
  path: s.string(),
  content: s.string(),
  file_type: s.string().nullable(),
  encode_artifacts: s.boolean().describe("Whether `content` is base64; always equal to `is_base64`."),
  is_base64: s.boolean(),
  metadata: s.map().nullable(),
});

export const CodegenResponse = s.model("CodegenResponse", {
  status: s.literal("success", "error"),
  artifacts: s.list(ArtifactOutput),
  errors: s.list(s.string()),
});
export type CodegenResponse = s.Infer<typeof CodegenResponse>;

export const GlossaryUpdateInput = s.model("GlossaryUpdateInput", {
  catalog_name: s.string(),
  schema_name: s.string(),
  table_name: s.string(),
  change: s.model("GlossaryChange", {
    table_description: s.string().nullable().optional(),
    table_tags: s.map().nullable().optional(),
    columns: s
      .list(
        s.model("GlossaryColumn", {
          column: s.string(),
          description: s.string().nullable().optional(),
          column_tags: s.map().nullable().optional(),
        }),
      )
      .default([]),
  }),
});

export type GlossaryUpdateInput = s.Infer<typeof GlossaryUpdateInput>;

const TableSchema = s.model("TableSchema", {
  description: s.string(),
  columns: s.list(
    s.model("TableColumn", {
      name: s.string(),
      type: s.string(),
      description: s.string().default(""),
      pk: s.boolean().default(false),
      not_null: s.boolean().default(false),
      pii: s.boolean().default(false),
      glossary_terms: s.list(s.string()).default([]),
    }),
  ),
  foreign_keys: s
    .list(s.model("ForeignKey", { column: s.string(), parent_table: s.string(), parent_column: s.string() }))
    .default([]),
});

export const ConsumptionFlowInput = s.model("ConsumptionFlowInput", {
  flow_name: s.string(),
  type: s.string().default("consumption"),
  source_tables: s.list(s.string()),
  target_name: s.string(),
  trigger_type: s.string(),
  schedule: s
    .model("ScheduleConfig", { cron: s.string(), timezone: s.string().nullable().default("UTC") })
    .nullable()
    .optional(),
  matched_sql: s.string(),
  unmatched_sql: optionalText(),
  recheck_sql: optionalText(),
  sequence_by: optionalText(),
  business_date_column: optionalText(),
  scd_type: s.integer().optional(),
  emit_surrogate_key: s.boolean().default(false),
  target_schema: TableSchema,
  cluster_by: s.list(s.string()).nullable().optional(),
  table_properties: s.map(s.string()).default({}),
  warehouse: optionalText(),
  requested_by: s.string(),
});

export type ConsumptionFlowInput = s.Infer<typeof ConsumptionFlowInput>;

const tableConfig = {
  target_name: s.string(),
  pii_suppressed: s.boolean().default(false),
  source_dataset: s.string(),
};
const keysAndStrategy = {
  primary_keys: s
    .extension(s.list(s.string()).nullable())
    .describe("Extension: takes precedence over the map in the config."),
  write_strategy: s.extension(s.literal(...writeStrategies)).describe("Extension."),
};

export const IngestionFlowInput = s.model("IngestionFlowInput", {
  name: s.string(),
  execution_mode: s.string(),
  table_configs: s.list(
    s.model("IngestionTable", {
      ...tableConfig,
      watermark_column: s
        .extension(s.string())
        .describe("Extension: takes precedence over the map in the config."),
      ...keysAndStrategy,
    }),
  ),
  connection: s.model("Connection", { name: s.string(), type: s.string(), config: s.map() }),
  connection_ref: s.string(),
  encode_artifacts: s.boolean().default(false),
  resource_id: optionalText(),
  schedule_cron: optionalText(),
  compute_type: optionalText(),
  cluster_config: s.map().optional(),
});

export type IngestionFlowInput = s.Infer<typeof IngestionFlowInput>;

export const ReverseEtlFlowInput = s.model("ReverseEtlFlowInput", {
  name: s.string(),
  target_type: s.string(),
  execution_mode: s.string(),
  table_configs: s.list(
    s.model("ReverseEtlTable", { ...tableConfig, watermark_column: optionalText(), ...keysAndStrategy }),
  ),
  target_config: s.map().optional(),
  schedule_cron: optionalText(),
  warehouse: optionalText(),
  encode_artifacts: s.boolean().default(false),
  requested_by: s.string(),
});

export type ReverseEtlFlowInput = s.Infer<typeof ReverseEtlFlowInput>;

/** Ingestion if there is a connection; otherwise reverse ETL if there is a `target_type`. */
const ConnectorFlowInput = s.choice(
  "ConnectorFlowInput",
  (raw) => {
    if (s.has(raw, "connection") || s.has(raw, "connection_ref")) return 0;
    return s.has(raw, "target_type") ? 1 : 0;
  },
  IngestionFlowInput,
  ReverseEtlFlowInput,
);

const CodegenTemplate = s.model("CodegenTemplate", {
  name: s.string(),
  summary: s.string(),
  method: s.string(),
  path: s.string().describe("The endpoint that generates it."),
  produces: s.list(s.string()).describe("The paths of the artifacts that the example generates."),
  example: s.map().describe("A complete request."),
});

const checked = {
  sql: "1 statement parsed in the Databricks dialect.",
  json: "Valid JSON in canonical form.",
};

/** A response, shortened to one artifact. */
const generated = (
  path: string,
  content: string,
  fileType: "sql" | "json",
  about: string,
  sha256: string,
) => ({
  status: "success",
  artifacts: [
    {
      path,
      content,
      file_type: fileType,
      encode_artifacts: false,
      is_base64: false,
      metadata: {
        about,
        sha256,
        checks: [{ check: fileType, detail: checked[fileType] }],
        design_content_hash: "sha256:60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752",
      },
    },
  ],
  errors: [],
});

const shared = {
  tag: "Code generation",
  method: "POST",
  access: "operator",
  headers: environmentHeader,
  response: CodegenResponse,
  errors: [404, 409],
  bodyLimit: "codegen",
  readBy: "handler",
} as const;

export const generateAlterMetadata = endpoint({
  ...shared,
  number: 6,
  path: "/api/v1/codegen/alter-metadata",
  // The undo script needs the current catalog.
  needsData: true,
  summary: "Generate SQL for description and tag changes",
  body: GlossaryUpdateInput,
  example: {
    body: {
      catalog_name: "shop",
      schema_name: "sales",
      table_name: "orders",
      change: { table_description: "One row for each order", columns: [] },
    },
    response: generated(
      "src/metadata/shop.sales.orders/alter.sql",
      "COMMENT ON TABLE shop.sales.orders IS 'One row for each order';\n",
      "sql",
      "The change as SQL.",
      "f4586820123ac1f1de95dba8cf60f1f8be6b04a7107a8b764035726377e59dac",
    ),
  },
});

export const generateConsumption = endpoint({
  ...shared,
  number: 7,
  path: "/api/v1/codegen/consumption",
  summary: "Generate a consumption flow",
  body: ConsumptionFlowInput,
  example: {
    body: {
      flow_name: "daily_revenue",
      source_tables: ["shop.sales.orders"],
      target_name: "shop.marts.daily_revenue",
      trigger_type: "scheduled",
      schedule: { cron: "0 6 * * *", timezone: "UTC" },
      matched_sql: "select order_date, sum(amount) as revenue from shop.sales.orders group by order_date",
      target_schema: {
        description: "Revenue by day",
        columns: [
          { name: "order_date", type: "date", pk: true },
          { name: "revenue", type: "decimal(18,2)" },
        ],
      },
      requested_by: "ada@example.com",
    },
    response: generated(
      "src/flows/daily_revenue/ddl.sql",
      "CREATE SCHEMA IF NOT EXISTS shop.marts;\n",
      "sql",
      "The table that the flow publishes.",
      "49a9921e1d8778db4d3cd7dc554588e7e004fb87c15ba841838e1b7147adff6a",
    ),
  },
});

export const generateConnector = endpoint({
  ...shared,
  number: 8,
  path: "/api/v1/codegen/connector",
  summary: "Generate a connector",
  description:
    "With `connection` or `connection_ref` it generates an ingestion. Otherwise, with `target_type`, it generates reverse ETL.",
  body: ConnectorFlowInput,
  example: {
    body: {
      name: "orders-to-crm",
      target_type: "postgresql",
      execution_mode: "batch",
      table_configs: [{ source_dataset: "shop.sales.orders", target_name: "orders" }],
      requested_by: "ada@example.com",
    },
    response: generated(
      "src/reverse-etl/orders-to-crm/connector.json",
      '{\n  "name": "orders-to-crm"\n}\n',
      "json",
      "What the connector was generated from.",
      "25ac950ae25405a5d93799d7a2241063bf0d5dbcfe7b4622de8b60692ee3d6f5",
    ),
  },
});

export const listCodegenTemplates = endpoint({
  tag: "Code generation",
  method: "GET",
  path: "/api/v1/codegen/templates",
  summary: "List the code generation templates",
  description: "Each template has a complete example request.",
  access: "viewer",
  response: s.model("CodegenTemplateList", { templates: s.list(CodegenTemplate), total: s.integer() }),
  example: {
    response: {
      templates: [
        {
          name: "alter-metadata",
          summary: "Descriptions and tags of a table and its columns",
          method: "POST",
          path: "/api/v1/codegen/alter-metadata",
          produces: ["src/metadata/shop.sales.orders/alter.sql"],
          example: {
            catalog_name: "shop",
            schema_name: "sales",
            table_name: "orders",
            change: { columns: [] },
          },
        },
      ],
      total: 1,
    },
  },
});
