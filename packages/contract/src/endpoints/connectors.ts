import { writeStrategies } from "../connections/table-settings.ts";
import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import {
  Done,
  dateTime,
  environmentFilter,
  environmentHeader,
  exampleIds,
  exampleTime,
  nullableText,
  paging,
} from "./shared.ts";

const map = () => s.map().nullable();
const executionMode = () => s.literal("batch", "table_update", "file_arrival", "live", "manual");
const writeStrategy = () => s.literal(...writeStrategies);
const cron = () =>
  s
    .string()
    .nullable()
    .rule((value) => (value === null || s.isCron(value) ? undefined : "invalid cron expression"));

export const ConnectorDataset = s.model("ConnectorDataset", {
  id: s.string(),
  connector_id: s.string(),
  source_dataset: s.string(),
  target_name: s.string(),
  change_detection: s.string(),
  write_strategy: s.string(),
  current_watermark: nullableText(),
  current_watermark_time: dateTime().nullable(),
  primary_keys: s.list(s.string()).nullable(),
  custom_config: map(),
  created_at: dateTime(),
  created_by: s.string(),
});
export type ConnectorDataset = s.Infer<typeof ConnectorDataset>;

export const Connector = s.model("Connector", {
  id: s.string(),
  name: s.string(),
  target_type: s.string(),
  target_config: s.map().describe("Secret values are returned as `********`."),
  execution_mode: s.string(),
  schedule_cron: nullableText(),
  table_update_config: map(),
  file_arrival_config: map(),
  compute_type: s.string(),
  cluster_config: map(),
  status: s.literal("created", "active", "paused", "failed"),
  git_commit_id: nullableText(),
  git_branch: nullableText(),
  workflow_id: nullableText().describe("The job's id on the platform."),
  artifacts_path: nullableText(),
  error_message: nullableText(),
  created_at: dateTime(),
  updated_at: dateTime(),
  created_by: s.string(),
  updated_by: nullableText(),
  datasets: s.list(ConnectorDataset).nullable(),
});
export type Connector = s.Infer<typeof Connector>;

export const DatasetInput = s.model("DatasetInput", {
  source_dataset: s.string({ min: 1 }),
  target_name: s.string({ min: 1 }),
  primary_keys: s.list(s.string()).nullable().optional(),
  write_strategy: writeStrategy()
    .optional()
    .describe("Default: `upsert` with primary keys, otherwise `append`."),
  watermark_column: nullableText().optional(),
  custom_config: map().optional(),
});
export type DatasetInput = s.Infer<typeof DatasetInput>;

export const DatasetUpdate = s.model("DatasetUpdate", {
  source_dataset: s.string({ min: 1 }).optional(),
  target_name: s.string({ min: 1 }).optional(),
  primary_keys: s.list(s.string()).nullable().optional(),
  write_strategy: writeStrategy().optional(),
  watermark_column: nullableText().optional(),
  custom_config: map().optional(),
});
export type DatasetUpdate = s.Infer<typeof DatasetUpdate>;

export const ConnectorCreateRequest = s.model("ConnectorCreateRequest", {
  name: s.string({ min: 1 }).describe("Unique across all environments."),
  target_type: s.string(),
  target_config: map().describe("Required. Null is stored as an empty map."),
  execution_mode: executionMode().default("batch"),
  schedule_cron: cron().optional().describe("Five fields, or six with seconds first."),
  table_update_config: map().optional(),
  file_arrival_config: map().optional(),
  created_by: s.string(),
  datasets: s.extension(s.list(DatasetInput)).optional().describe("Extension: the initial datasets."),
});
export type ConnectorCreateRequest = s.Infer<typeof ConnectorCreateRequest>;

export const ConnectorUpdateRequest = s.model("ConnectorUpdateRequest", {
  name: s.string({ min: 1 }).optional(),
  target_type: s.string().optional(),
  target_config: s.map().optional(),
  execution_mode: executionMode().optional(),
  schedule_cron: cron().optional(),
  table_update_config: map().optional(),
  file_arrival_config: map().optional(),
  cluster_config: map().optional(),
  artifacts_path: nullableText().optional(),
  git_branch: nullableText().optional(),
  git_commit_id: nullableText().optional(),
  updated_by: nullableText().optional(),
});
export type ConnectorUpdateRequest = s.Infer<typeof ConnectorUpdateRequest>;

export const PauseRequest = s.model("PauseRequest", {
  reason: nullableText().optional(),
  until: dateTime().nullable().optional().describe("When the pause ends by itself; null: when resumed."),
});
export type PauseRequest = s.Infer<typeof PauseRequest>;

const dataset = {
  id: exampleIds.dataset,
  connector_id: exampleIds.connector,
  source_dataset: "shop.sales.orders",
  target_name: "orders",
  change_detection: "incremental",
  write_strategy: "upsert",
  current_watermark: null,
  current_watermark_time: null,
  primary_keys: ["order_id"],
  custom_config: null,
  created_at: exampleTime,
  created_by: "ada@example.com",
};
const connector = {
  id: exampleIds.connector,
  name: "orders-to-crm",
  target_type: "postgresql",
  target_config: { host: "db.internal", database: "crm", user: "loader", password: "********" },
  execution_mode: "batch",
  schedule_cron: "0 6 * * *",
  table_update_config: null,
  file_arrival_config: null,
  compute_type: "serverless",
  cluster_config: null,
  status: "active",
  git_commit_id: null,
  git_branch: null,
  workflow_id: "job-orders-to-crm",
  artifacts_path: null,
  error_message: null,
  created_at: exampleTime,
  updated_at: exampleTime,
  created_by: "ada@example.com",
  updated_by: null,
  datasets: [dataset],
} as const;

const shared = { tag: "Connectors" } as const;
const one = "/api/v1/connectors/{connector_id}";

export const createConnector = endpoint({
  ...shared,
  number: 12,
  method: "POST",
  path: "/api/v1/connectors/",
  summary: "Create a connector",
  access: "operator",
  headers: environmentHeader,
  body: ConnectorCreateRequest,
  response: Connector,
  errors: [404, 409],
  creates: true,
  versioned: true,
  example: {
    body: {
      name: "orders-to-crm",
      target_type: "postgresql",
      target_config: { host: "db.internal", database: "crm", user: "loader", password: "s3cret" },
      schedule_cron: "0 6 * * *",
      created_by: "ada@example.com",
      datasets: [{ source_dataset: "shop.sales.orders", target_name: "orders", primary_keys: ["order_id"] }],
    },
    response: connector,
  },
});

export const listConnectors = endpoint({
  ...shared,
  number: 14,
  method: "GET",
  path: "/api/v1/connectors/",
  summary: "List the connectors, oldest first",
  access: "viewer",
  headers: environmentFilter,
  query: paging,
  response: s.model("ConnectorListResponse", { connectors: s.list(Connector), total: s.integer() }),
  errors: [404, 409],
  example: { response: { connectors: [connector], total: 1 } },
});

export const getConnector = endpoint({
  ...shared,
  method: "GET",
  path: one,
  summary: "Read a connector",
  access: "viewer",
  response: Connector,
  errors: [404],
  versioned: true,
  example: { response: connector },
});

export const updateConnector = endpoint({
  ...shared,
  method: "PATCH",
  path: one,
  summary: "Change a connector",
  description: "Changes only the fields that you send. A secret sent as `********` keeps its stored value.",
  access: "operator",
  body: ConnectorUpdateRequest,
  response: Connector,
  errors: [404, 409, 412],
  versioned: true,
  example: { body: { schedule_cron: "0 7 * * *" }, response: { ...connector, schedule_cron: "0 7 * * *" } },
});

export const deleteConnector = endpoint({
  ...shared,
  method: "DELETE",
  path: one,
  summary: "Delete a connector and its job",
  access: "operator",
  response: Done,
  errors: [404, 409, 412],
  versioned: true,
  example: { response: { success: true, message: "Connector orders-to-crm deleted." } },
});

export const pauseConnector = endpoint({
  ...shared,
  method: "POST",
  path: `${one}/pause`,
  summary: "Pause a connector's schedule",
  description:
    "Keeps the declared schedule. Pausing again changes nothing, unless the body has a reason or an end time: then the new pause replaces the old one.",
  access: "operator",
  body: PauseRequest,
  bodyOptional: true,
  response: Connector,
  errors: [404, 409],
  versioned: true,
  example: { body: { reason: "migration tonight" }, response: { ...connector, status: "paused" } },
});

export const resumeConnector = endpoint({
  ...shared,
  method: "POST",
  path: `${one}/resume`,
  summary: "Resume a paused connector",
  access: "operator",
  response: Connector,
  errors: [404, 409],
  versioned: true,
  example: { response: connector },
});

export const addDataset = endpoint({
  ...shared,
  method: "POST",
  path: `${one}/datasets`,
  summary: "Add a dataset to a connector",
  description: "Target names are unique within a connector.",
  access: "operator",
  body: DatasetInput,
  response: Connector,
  errors: [404, 409],
  creates: true,
  versioned: true,
  example: {
    body: { source_dataset: "shop.sales.orders", target_name: "orders", primary_keys: ["order_id"] },
    response: connector,
  },
});

export const updateDataset = endpoint({
  ...shared,
  method: "PATCH",
  path: `${one}/datasets/{dataset_id}`,
  summary: "Change a dataset",
  access: "operator",
  body: DatasetUpdate,
  response: Connector,
  errors: [404, 409, 412],
  versioned: true,
  example: { body: { write_strategy: "replace" }, response: connector },
});

export const removeDataset = endpoint({
  ...shared,
  method: "DELETE",
  path: `${one}/datasets/{dataset_id}`,
  summary: "Remove a dataset",
  access: "operator",
  response: Connector,
  errors: [404, 409, 412],
  versioned: true,
  example: { response: { ...connector, datasets: [] } },
});
