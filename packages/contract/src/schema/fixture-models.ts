import * as s from "./index.ts";

const text = s.string();
const optionalText = text.optional();
const nullableText = text.nullable().optional();
const flag = s.boolean().default(false);
const nullableMap = s.map().nullable().optional();
const textMap = s.map(text);

// Authentication

export const TokenRequestUser = s.model("TokenRequestUser", { username: text, password: text });
export const TokenRequestClient = s.model("TokenRequestClient", { client_id: text, client_secret: text });

/** A key of the client form, even null, makes it the client form; anything else is the user form. */
export const TokenRequest = s.choice(
  "TokenRequest",
  (raw) => (s.has(raw, "client_id") || s.has(raw, "client_secret") ? 1 : 0),
  TokenRequestUser,
  TokenRequestClient,
);

// Environments

export const EnvironmentCreateRequest = s.model("EnvironmentCreateRequest", {
  name: s.string({ min: 1 }),
  description: nullableText,
  protected: flag,
  platform: nullableText,
  gitProvider: nullableText,
  gitRepository: nullableText,
  targetGitBranch: nullableText,
  secretScope: nullableText,
  dataPlatformClientIdKey: nullableText,
  dataPlatformClientSecretKey: nullableText,
  configuration: s.map().default({}),
  isActive: s.boolean().nullable().optional(),
  createdBy: nullableText,
});

export const EnvironmentUpdateRequest = s.model("EnvironmentUpdateRequest", {
  name: s.string({ min: 1 }).nullable().optional(),
  description: nullableText,
  protected: s.boolean().nullable().optional(),
  platform: nullableText,
  gitProvider: nullableText,
  gitRepository: nullableText,
  targetGitBranch: nullableText,
  secretScope: nullableText,
  dataPlatformClientIdKey: nullableText,
  dataPlatformClientSecretKey: nullableText,
  configuration: nullableMap,
  isActive: s.boolean().nullable().optional(),
  updatedBy: nullableText,
});

// Code generation

export const GlossaryColumnChange = s.model("GlossaryColumnChange", {
  column: text,
  description: nullableText,
  column_tags: nullableMap,
});

export const GlossaryChange = s.model("GlossaryChange", {
  table_description: nullableText,
  table_tags: nullableMap,
  columns: s.list(GlossaryColumnChange).default([]),
});

export const GlossaryUpdateInput = s.model("GlossaryUpdateInput", {
  catalog_name: text,
  schema_name: text,
  table_name: text,
  change: GlossaryChange,
});

export const ScheduleConfig = s.model("ScheduleConfig", {
  cron: text,
  timezone: text.nullable().default("UTC"),
});

export const TableColumn = s.model("TableColumn", {
  name: text,
  type: text,
  description: text.default(""),
  pk: flag,
  not_null: flag,
  pii: flag,
  glossary_terms: s.list(text).default([]),
});

export const ForeignKey = s.model("ForeignKey", { column: text, parent_table: text, parent_column: text });

export const TableSchema = s.model("TableSchema", {
  description: text,
  columns: s.list(TableColumn),
  foreign_keys: s.list(ForeignKey).default([]),
});

export const ConsumptionFlowInput = s.model("ConsumptionFlowInput", {
  flow_name: text,
  type: text.default("consumption"),
  source_tables: s.list(text),
  target_name: text,
  trigger_type: text,
  schedule: ScheduleConfig.nullable().optional(),
  matched_sql: text,
  unmatched_sql: optionalText,
  recheck_sql: optionalText,
  sequence_by: optionalText,
  business_date_column: optionalText,
  scd_type: s.integer().optional(),
  emit_surrogate_key: flag,
  target_schema: TableSchema,
  cluster_by: s.list(text).nullable().optional(),
  table_properties: textMap.default({}),
  warehouse: optionalText,
  requested_by: text,
});

export const ConnectionInput = s.model("ConnectionInput", { name: text, type: text, config: s.map() });

export const IngestionTableConfig = s.model("IngestionTableConfig", {
  target_name: text,
  pii_suppressed: flag,
  source_dataset: text,
});

export const ReverseEtlTableConfig = s.model("ReverseEtlTableConfig", {
  ...IngestionTableConfig.fields,
  watermark_column: optionalText,
});

export const IngestionFlowInput = s.model("IngestionFlowInput", {
  name: text,
  execution_mode: text,
  table_configs: s.list(IngestionTableConfig),
  connection: ConnectionInput,
  connection_ref: text,
  encode_artifacts: flag,
  resource_id: optionalText,
  schedule_cron: optionalText,
  compute_type: optionalText,
  cluster_config: s.map().optional(),
});

export const ReverseEtlFlowInput = s.model("ReverseEtlFlowInput", {
  name: text,
  target_type: text,
  execution_mode: text,
  table_configs: s.list(ReverseEtlTableConfig),
  target_config: s.map().optional(),
  schedule_cron: optionalText,
  warehouse: optionalText,
  encode_artifacts: flag,
  requested_by: text,
});

const isIngestion = (raw: unknown) =>
  s.has(raw, "connection") || s.has(raw, "connection_ref") || !s.has(raw, "target_type");

export const ConnectorFlowInput = s.choice(
  "ConnectorFlowInput",
  (raw) => (isIngestion(raw) ? 0 : 1),
  IngestionFlowInput,
  ReverseEtlFlowInput,
);

// Connectors

export const ConnectorCreateRequest = s.model("ConnectorCreateRequest", {
  name: s.string({ min: 1 }),
  target_type: text,
  target_config: s.map().nullable(),
  execution_mode: s.literal("batch", "table_update", "file_arrival", "live", "manual").default("batch"),
  schedule_cron: text
    .rule((cron) => (s.isCron(cron) ? undefined : "invalid cron expression"))
    .nullable()
    .optional(),
  table_update_config: nullableMap,
  file_arrival_config: nullableMap,
  created_by: text,
});

export const ConnectorListQuery = s.model("ConnectorListQuery", {
  skip: s.integer({ ge: 0 }).default(0),
  limit: s.integer({ ge: 1, le: 1000 }).default(100),
});

// Pipelines

export const PipelineLibrary = s.model("PipelineLibrary", {
  notebook: textMap.optional(),
  file: textMap.optional(),
  jar: optionalText,
  maven: textMap.optional(),
  pypi: textMap.optional(),
  whl: optionalText,
});

export const PipelineCluster = s.model("PipelineCluster", {
  label: optionalText,
  node_type_id: optionalText,
  driver_node_type_id: optionalText,
  num_workers: s.integer().optional(),
  autoscale: s.map(s.integer()).optional(),
  custom_tags: textMap.optional(),
  spark_conf: textMap.optional(),
  spark_env_vars: textMap.optional(),
  enable_local_disk_encryption: s.boolean().optional(),
  instance_pool_id: optionalText,
});

const oneLibraryKind = PipelineLibrary.rule((library) =>
  Object.keys(library).length === 1 ? undefined : "exactly one library kind must be set",
);

const ownConfiguration = textMap.rule((configuration) =>
  Object.keys(configuration).some((key) => key.startsWith("platform."))
    ? "configuration keys starting with 'platform.' are reserved"
    : undefined,
);

export const PipelineSpec = s
  .model("PipelineSpec", {
    name: s.string({ min: 1 }),
    libraries: s.list(oneLibraryKind),
    clusters: s.list(PipelineCluster).nullable().optional(),
    notifications: s.list(s.map()).nullable().optional(),
    id: optionalText,
    storage: optionalText,
    target: optionalText,
    schema: optionalText,
    catalog: optionalText,
    root_path: optionalText,
    configuration: ownConfiguration.default({}),
    continuous: flag,
    development: flag,
    photon: flag,
    serverless: flag,
    channel: text.default("CURRENT"),
    edition: text.default("ADVANCED"),
  })
  .rule(({ serverless, clusters }) =>
    serverless && clusters && clusters.length > 0 ? "serverless and clusters cannot be combined" : undefined,
  );

// Deployments

export const DeploymentFinishRequest = s.model("DeploymentFinishRequest", {
  status: s.literal("succeeded", "failed", "cancelled"),
  error_message: nullableText,
  log_chunk: nullableText,
});

// Automations

export const AutomationValidateArtifactsRequest = s.model("AutomationValidateArtifactsRequest", {
  attempt_id: text,
});

export const AutomationReleaseSyncRequest = s.model("AutomationReleaseSyncRequest", {
  automation_alias: text,
  environment: text,
  action: text.default("activate"),
  metadata: s.map().default({}),
});

export const ChatBindRequest = s.model("ChatBindRequest", {
  environment: text.default("dev"),
  channel_id: text,
  team_id: nullableText,
  channel_name: nullableText,
  channel_url: nullableText,
  automation_alias: nullableText,
  metadata: s.map().default({}),
});

export const QueryRequest = s.model("QueryRequest", { query: text });

export const AutomationSchedulePath = s.model("AutomationSchedulePath", {
  automation_alias: text,
  action: s.literal("pause", "resume"),
});

export const AutomationScheduleRequest = s.model("AutomationScheduleRequest", {});

// Agents and apps

const canonicalUuid = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;

export const AgentReleaseSyncRequest = s.model("AgentReleaseSyncRequest", {
  agent_name: text,
  version: text,
  environment: text,
  action: s.literal("activate", "delete"),
  workflow_run_id: optionalText,
  workflow_name: optionalText,
  workflow_run_url: optionalText,
});

export const AgentStopRequest = s.model("AgentStopRequest", {
  agent_id: s.string({ pattern: canonicalUuid, format: "uuid" }),
  start_ui_app: flag,
  components: s.list(text).nullable().optional(),
});

export const AgentRetryComponentRequest = s.model("AgentRetryComponentRequest", {
  agent_id: text,
  component: s.literal("agent_endpoint", "ui_app", "chat"),
});

export const AppStartRequest = s.model("AppStartRequest", { application_name: text });

// What a request of each endpoint is checked with, by the endpoint's number in the contract

export interface RequestModels {
  /** The path after the base address, with the names of its parameters. */
  path: string;
  parameters?: s.AnySchema;
  query?: s.AnySchema;
  body?: s.AnySchema;
  /** The body may be absent. */
  bodyOptional?: true;
}

const automation = s.model("AutomationPath", { automation_alias: text });
const environment = s.model("EnvironmentPath", { environment_id: text });
const deployment = s.model("DeploymentPath", { deployment_id: text });

export const requestModels: Record<number, RequestModels> = {
  1: { path: "/api/v1/auth/status" },
  2: { path: "/api/v1/auth/token", body: TokenRequest },
  3: {
    path: "/api/automations/{automation_alias}/validate-artifacts",
    parameters: automation,
    body: AutomationValidateArtifactsRequest,
  },
  4: { path: "/api/agents/chat/sync-release", body: AgentReleaseSyncRequest },
  5: {
    path: "/api/v1/environments/{environment_id}",
    parameters: environment,
    body: EnvironmentUpdateRequest,
  },
  6: { path: "/api/v1/codegen/alter-metadata", body: GlossaryUpdateInput },
  7: { path: "/api/v1/codegen/consumption", body: ConsumptionFlowInput },
  8: { path: "/api/v1/codegen/connector", body: ConnectorFlowInput },
  9: { path: "/api/automations/sync-release", body: AutomationReleaseSyncRequest },
  10: { path: "/api/agents/stop", body: AgentStopRequest },
  11: { path: "/api/automations/chat/bind", body: ChatBindRequest },
  12: { path: "/api/v1/connectors", body: ConnectorCreateRequest },
  13: { path: "/api/v1/pipelines", body: PipelineSpec },
  14: { path: "/api/v1/connectors", query: ConnectorListQuery },
  15: { path: "/api/v1/environments", body: EnvironmentCreateRequest },
  16: {
    path: "/api/v1/deployments/{deployment_id}/finish",
    parameters: deployment,
    body: DeploymentFinishRequest,
  },
  17: { path: "/api/agents/retry-component", body: AgentRetryComponentRequest },
  18: { path: "/api/automations/validate_query", body: QueryRequest },
  19: { path: "/api/apps/start", body: AppStartRequest },
  20: {
    path: "/api/automations/{automation_alias}/schedule/{action}",
    parameters: AutomationSchedulePath,
    body: AutomationScheduleRequest,
    bodyOptional: true,
  },
};
