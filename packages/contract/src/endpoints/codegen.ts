import { connectionKinds } from "../connections/kinds/index.ts";
import { writeStrategies } from "../connections/table-settings.ts";
import { endpoint } from "../endpoint.ts";
import { checkSeverities, flowStrategies } from "../flows/write-strategy.ts";
import * as s from "../schema/index.ts";
import { environmentHeader, optionalText } from "./shared.ts";

/** The kinds that generated code reads or writes. */
function choices(role: "source" | "target"): string {
  const names = connectionKinds.flatMap((kind) => (kind[role]?.byGeneratedCode ? `\`${kind.name}\`` : []));
  return `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

const ArtifactOutput = s.model("ArtifactOutput", {
  path: s
    .string()
    .describe("Relative path of the file in the bundle, such as `src/flows/daily_revenue/flow.py`."),
  content: s.string().describe("The text of the file, or its base64 form if `is_base64` is true."),
  file_type: s.string().nullable().describe("What the file contains: `sql`, `python`, `yaml` or `json`."),
  encode_artifacts: s.boolean().describe("Whether `content` is base64; always equal to `is_base64`."),
  is_base64: s.boolean().describe("Whether `content` is base64: the `encode_artifacts` of the request."),
  metadata: s
    .map()
    .nullable()
    .describe(
      "The evidence: `about`, the `checks` that it passed, `secrets` to create, `sha256` and `design_content_hash`.",
    ),
});

export const CodegenResponse = s.model("CodegenResponse", {
  status: s
    .literal("success", "error")
    .describe(
      "`error`: there are no artifacts, and `errors` says why. The HTTP status is 200 in both cases.",
    ),
  artifacts: s.list(ArtifactOutput).describe("The generated files, in a fixed order."),
  errors: s
    .list(s.string())
    .describe("Every mistake in the request, with its location, such as `matched_sql, line 3, column 8: …`."),
});
export type CodegenResponse = s.Infer<typeof CodegenResponse>;

export const GlossaryUpdateInput = s.model("GlossaryUpdateInput", {
  catalog_name: s.string().describe("Catalog of the table."),
  schema_name: s.string().describe("Schema of the table."),
  table_name: s.string().describe("Name of the table, without catalog and schema."),
  change: s
    .model("GlossaryChange", {
      table_description: s
        .string()
        .nullable()
        .optional()
        .describe('New description of the table. `""` clears it; null or absent: it stays.'),
      table_tags: s
        .map()
        .nullable()
        .optional()
        .describe("Tags to set, by name. A tag with null is removed; tags that are not named stay."),
      columns: s
        .list(
          s.model("GlossaryColumn", {
            column: s.string().describe("Name of a column of the table."),
            description: s
              .string()
              .nullable()
              .optional()
              .describe('New description. `""` clears it; null or absent: it stays.'),
            column_tags: s
              .map()
              .nullable()
              .optional()
              .describe("Tags to set, by name. A tag with null is removed; tags that are not named stay."),
          }),
        )
        .default([])
        .describe("The columns to change. Others stay as they are."),
    })
    .describe("The new descriptions and tags."),
});

export type GlossaryUpdateInput = s.Infer<typeof GlossaryUpdateInput>;

const TableSchema = s.model("TableSchema", {
  description: s.string().describe("Description of the table."),
  columns: s
    .list(
      s.model("TableColumn", {
        name: s.string().describe("Name of the column."),
        type: s.string().describe("A type of Databricks SQL, such as `decimal(18,2)`."),
        description: s.string().default("").describe("Description of the column."),
        pk: s
          .boolean()
          .default(false)
          .describe(
            "Whether it is part of the primary key. Without a key each run replaces the table; with one it merges into it and deletes nothing, unless `write_strategy` says otherwise.",
          ),
        not_null: s.boolean().default(false).describe("Whether NULL is an error."),
        pii: s.boolean().default(false).describe("Whether it holds personal data: it gets the tag `pii`."),
        glossary_terms: s
          .list(s.string())
          .default([])
          .describe("Business terms, stored in the tag `glossary_terms`."),
      }),
    )
    .describe("The columns, in order. The SELECTs must return them by name."),
  foreign_keys: s
    .list(
      s.model("ForeignKey", {
        column: s.string().describe("Column of this table."),
        parent_table: s.string().describe("The table that it refers to, such as `shop.sales.customers`."),
        parent_column: s.string().describe("Column of that table."),
        check_severity: s
          .literal(...checkSeverities)
          .optional()
          .describe("Extension: takes precedence over the flow's `check_severity` for this reference."),
      }),
    )
    .default([])
    .describe(
      "References to other tables. They are checked after each run: see `check_severity`. Databricks stores them without enforcing them.",
    ),
});

export const ConsumptionFlowInput = s.model("ConsumptionFlowInput", {
  flow_name: s.string().describe("Unique in its environment. Paths and the job use it."),
  type: s.string().default("consumption").describe("Always `consumption`."),
  source_tables: s
    .list(s.string())
    .describe(
      "The tables that the SELECTs may read. Shorter names get the environment's catalog and schema.",
    ),
  target_name: s.string().describe("The table to publish, such as `shop.marts.daily_revenue`."),
  trigger_type: s
    .string()
    .describe("`scheduled` (needs `schedule`), `table_update` (when a source table changes) or `manual`."),
  schedule: s
    .model("ScheduleConfig", {
      cron: s.string().describe("Five fields, or six with seconds first: `0 6 * * *`."),
      timezone: s
        .string()
        .nullable()
        .default("UTC")
        .describe("An IANA time zone: `Europe/Berlin`. Null: UTC."),
    })
    .nullable()
    .optional()
    .describe("When it runs, for `scheduled`; null or absent otherwise."),
  matched_sql: s.string().describe("One SELECT in Databricks SQL whose rows are published."),
  unmatched_sql: optionalText().describe(
    "One SELECT whose rows are kept in `<target>_unmatched` to be looked at again.",
  ),
  recheck_sql: optionalText().describe(
    "One SELECT, also over `<target>_unmatched`, whose rows are published and no longer unmatched.",
  ),
  sequence_by: optionalText().describe(
    "Column that orders the versions of a key: the greatest is the newest. Absent: the last run wins.",
  ),
  business_date_column: optionalText().describe(
    "Date column that adds the run parameter `business_date`. Absent: a run processes all dates.",
  ),
  scd_type: s
    .integer()
    .optional()
    .describe(
      "1 (default) keeps the current row of each key; 2 keeps its history in `valid_from`, `valid_to` and `is_current`.",
    ),
  emit_surrogate_key: s
    .boolean()
    .default(false)
    .describe("Whether to add `<table>_sk`, a hash of the key that is the same in every run."),
  write_strategy: s
    .literal(...flowStrategies)
    .optional()
    .describe(
      "Extension: what a run does with the rows of `matched_sql`. `merge`: inserts and updates by key, and deletes nothing. `merge_and_delete`: also deletes keys that `matched_sql` no longer returns. `replace`: the table becomes these rows. `history`: keeps the versions of each key, as `scd_type` 2. Default: `history` with `scd_type` 2, otherwise `merge` with a key and `replace` without.",
    ),
  max_delete_share: s
    .number()
    .optional()
    .describe(
      "Extension: a run that would delete (or with `close_missing_keys` close) a larger share of the table's rows fails and writes nothing. From 0 to 1; default: 0.5. Tables with fewer than 10 rows are not checked, unless it is 0.",
    ),
  close_missing_keys: s
    .boolean()
    .optional()
    .describe(
      "Extension: with `history`, whether a key that `matched_sql` no longer returns ends its current version. Default: false.",
    ),
  check_severity: s
    .literal(...checkSeverities)
    .optional()
    .describe(
      "Extension: what a failed check of the published table does (unique keys, values that are missing, foreign keys, row count). `fail`: the run fails after its rows are written. `warn`: it succeeds, and the check is reported. Default: `fail`.",
    ),
  target_schema: TableSchema.describe("The columns, keys and descriptions of the published table."),
  cluster_by: s
    .list(s.string())
    .nullable()
    .optional()
    .describe("Columns to cluster the table by; null or absent: none."),
  table_properties: s.map(s.string()).default({}).describe("Properties of the table, as texts."),
  warehouse: optionalText().describe("Stored in `flow.json`. The job runs on serverless compute."),
  requested_by: s
    .string()
    .describe(
      "Who asks for the flow. It is a tag of the job and, if it is an address, is notified of failures.",
    ),
});

export type ConsumptionFlowInput = s.Infer<typeof ConsumptionFlowInput>;

const tableConfig = {
  target_name: s.string().describe("The table to write."),
  pii_suppressed: s.boolean().default(false).describe("Whether to leave out columns with personal data."),
  source_dataset: s.string().describe("What to read: a table, or a file or path below the connection's."),
};
const keysAndStrategy = {
  primary_keys: s
    .extension(s.list(s.string()).nullable())
    .describe("Extension: takes precedence over the map in the config."),
  write_strategy: s
    .extension(s.literal(...writeStrategies))
    .describe("Extension: how rows are written. Default: `upsert` with primary keys, otherwise `append`."),
};

export const IngestionFlowInput = s.model("IngestionFlowInput", {
  name: s.string().describe("Name of the connector. Paths and the job use it."),
  execution_mode: s.string().describe("What starts the job: `batch`, `file_arrival`, `live` or `manual`."),
  table_configs: s
    .list(
      s.model("IngestionTable", {
        ...tableConfig,
        watermark_column: s
          .extension(s.string())
          .describe("Extension: takes precedence over the map in the config."),
        ...keysAndStrategy,
      }),
    )
    .describe("What to read, and which table to write it to."),
  connection: s
    .model("Connection", {
      name: s.string().describe("Name of the connection, for people."),
      type: s.string().describe(`The kind of system: ${choices("source")}.`),
      config: s
        .map()
        .describe(
          "Its settings, such as `host`, `database` and `user`. Secret values become references to secrets in the generated files.",
        ),
    })
    .describe("The system to read from."),
  connection_ref: s.string().describe("Your reference to the connection, stored in `connector.json`."),
  encode_artifacts: s.boolean().default(false).describe("Whether `content` of the artifacts is base64."),
  resource_id: optionalText().describe("Your id of the connector, stored in `connector.json`."),
  schedule_cron: optionalText().describe(
    "When the job runs, with `batch`: five fields, or six with seconds first. Absent: you start it.",
  ),
  compute_type: optionalText().describe(
    "`serverless`, or `cluster` with a `cluster_config`. Default: `serverless` without a `cluster_config`.",
  ),
  cluster_config: s
    .map()
    .optional()
    .describe(
      "Settings of the job's own cluster, such as `spark_version`, `node_type_id` and `num_workers`.",
    ),
});

export type IngestionFlowInput = s.Infer<typeof IngestionFlowInput>;

export const ReverseEtlFlowInput = s.model("ReverseEtlFlowInput", {
  name: s.string().describe("Name of the connector. Paths and the job use it."),
  target_type: s.string().describe(`The kind of system to write to: ${choices("target")}.`),
  execution_mode: s.string().describe("What starts the job: `batch`, `table_update`, `live` or `manual`."),
  table_configs: s
    .list(
      s.model("ReverseEtlTable", {
        ...tableConfig,
        watermark_column: optionalText().describe(
          "Column that grows when a row changes: runs read from the last value on. Absent: all rows are read and compared.",
        ),
        ...keysAndStrategy,
      }),
    )
    .describe("Which tables to read, and where to write them."),
  target_config: s
    .map()
    .optional()
    .describe(
      "Settings of the target, such as `host`, `database` and `batch_size`. Secret values become references to secrets in the generated files.",
    ),
  schedule_cron: optionalText().describe(
    "When the job runs, with `batch`: five fields, or six with seconds first. Absent: you start it.",
  ),
  warehouse: optionalText().describe("Stored in `connector.json`. The job runs on serverless compute."),
  encode_artifacts: s.boolean().default(false).describe("Whether `content` of the artifacts is base64."),
  requested_by: s
    .string()
    .describe(
      "Who asks for the connector. It is a tag of the job and, if it is an address, is notified of failures.",
    ),
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
  name: s.string().describe("Such as `consumption-scd1`."),
  summary: s.string().describe("What is generated, in a few words."),
  method: s.string().describe("HTTP method of the endpoint."),
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
  // The catalog of the warehouse: columns that exist, and what an undo script restores.
  needsData: true,
} as const;

export const generateAlterMetadata = endpoint({
  isBounded: true,
  ...shared,
  number: 6,
  path: "/api/v1/codegen/alter-metadata",
  scope: "header",
  readOnly: true,
  changes: "nothing",
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
      "src/metadata/shop.sales.orders/4e1c2f0a/alter.sql",
      "COMMENT ON TABLE shop.sales.orders IS 'One row for each order';\n",
      "sql",
      "The change as SQL.",
      "f4586820123ac1f1de95dba8cf60f1f8be6b04a7107a8b764035726377e59dac",
    ),
  },
});

export const generateConsumption = endpoint({
  isBounded: true,
  ...shared,
  number: 7,
  path: "/api/v1/codegen/consumption",
  scope: "header",
  readOnly: true,
  changes: "nothing",
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
  isBounded: true,
  ...shared,
  number: 8,
  path: "/api/v1/codegen/connector",
  scope: "header",
  readOnly: true,
  changes: "nothing",
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
  scope: "any",
  summary: "List the code generation templates",
  description: "Each template has a complete example request.",
  access: "viewer",
  response: s.model("CodegenTemplateList", {
    templates: s.list(CodegenTemplate).describe("All templates."),
    total: s.integer().describe("Number of templates."),
  }),
  example: {
    response: {
      templates: [
        {
          name: "alter-metadata",
          summary: "Descriptions and tags of a table and its columns",
          method: "POST",
          path: "/api/v1/codegen/alter-metadata",
          produces: ["src/metadata/shop.sales.orders/4e1c2f0a/alter.sql"],
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
