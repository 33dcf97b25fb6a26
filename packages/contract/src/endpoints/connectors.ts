import { writeStrategies } from "../connections/table-settings.ts";
import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { contractListQuery, listFields, nextCursor } from "./lists.ts";
import {
  createdAt,
  Done,
  dateTime,
  environmentFilter,
  environmentHeader,
  exampleIds,
  exampleTime,
  nullableText,
  startsPaused,
  total,
  updatedAt,
  updatedBy,
} from "./shared.ts";

const map = () => s.map().nullable();
const executionMode = () => s.literal("batch", "table_update", "file_arrival", "live", "manual");
const writeStrategy = () => s.literal(...writeStrategies);

/** The values of a policy: their bounds, and what they mean. */
const policyValues = {
  attempts: [
    s.integer({ ge: 1, le: 100 }),
    "Maximum number of attempts of a run. Only retryable errors are retried. Default: 5.",
  ],
  backoff_seconds: [
    s.integer({ ge: 0, le: 86_400 }),
    "Pause before the second attempt, doubled before each further one, minus a random part of up to a half. Default: 10.",
  ],
  max_backoff_seconds: [
    s.integer({ ge: 0, le: 86_400 }),
    "The longest pause between two attempts. Default: 300.",
  ],
  timeout_seconds: [
    s.integer({ ge: 1, le: 604_800 }),
    "Time limit of one attempt. Default: `PLATFORM_RUN_TIMEOUT_SECONDS`.",
  ],
  concurrency: [
    s.integer({ ge: 1, le: 8 }),
    "How many datasets are moved at the same time. Exports to other targets than PostgreSQL and MySQL always move one. Default: 1.",
  ],
} as const;
const policyValue = (name: keyof typeof policyValues) => {
  const [value, text] = policyValues[name];
  return value.optional().describe(text);
};
const changedPolicyValue = (name: keyof typeof policyValues) => {
  const [value, text] = policyValues[name];
  return value.nullable().optional().describe(`${text} Null sets the default. Absent: it stays.`);
};
const closedPolicy = { closed: () => "The key is not known" } as const;

export const ConnectorPolicy = s.model(
  "ConnectorPolicy",
  {
    attempts: policyValue("attempts"),
    backoff_seconds: policyValue("backoff_seconds"),
    max_backoff_seconds: policyValue("max_backoff_seconds"),
    timeout_seconds: policyValue("timeout_seconds"),
    concurrency: policyValue("concurrency"),
  },
  closedPolicy,
);
export type ConnectorPolicy = s.Infer<typeof ConnectorPolicy>;

const ConnectorPolicyUpdate = s.model(
  "ConnectorPolicyUpdate",
  {
    attempts: changedPolicyValue("attempts"),
    backoff_seconds: changedPolicyValue("backoff_seconds"),
    max_backoff_seconds: changedPolicyValue("max_backoff_seconds"),
    timeout_seconds: changedPolicyValue("timeout_seconds"),
    concurrency: changedPolicyValue("concurrency"),
  },
  closedPolicy,
);

export const ConnectorDataset = s.model("ConnectorDataset", {
  id: s.string().describe("UUID of the dataset. Its watermark belongs to it."),
  connector_id: s.string().describe("UUID of its connector."),
  source_dataset: s
    .string()
    .describe("What is read: the source's own name on import, a warehouse table on export."),
  target_name: s.string().describe("What is written. Unique in the connector."),
  change_detection: s.string().describe("Always `incremental`."),
  write_strategy: s
    .string()
    .describe("`upsert`, `append` or `replace`. Where `log_keys` is present, runs do what that says."),
  current_watermark: nullableText().describe(
    "The greatest value of the watermark column so far, as text; null: nothing was read yet, or there is no such column.",
  ),
  current_watermark_time: dateTime().nullable().describe("When the watermark last changed; null: never."),
  watermark_type: s
    .object({
      column: s.string().describe("The name of the watermark column."),
      type: s.string().describe("Its type in the warehouse."),
    })
    .optional()
    .describe(
      "The watermark column of its last run, and its type: bounds of a `window` must be values of it. Absent: not known.",
    ),
  warnings: s
    .list(s.string())
    .optional()
    .describe(
      "What its last run found although it succeeded, such as a column that the source no longer has. Absent: nothing.",
    ),
  log_keys: s
    .list(s.string())
    .optional()
    .describe(
      "The columns by which its last run found the rows that changes in the log of its source are about (`capture: log`): rows are updated by them, and deleted where they are deleted there. Empty: all columns. Absent: no run has read a log.",
    ),
  primary_keys: s
    .list(s.string())
    .nullable()
    .describe("The columns that identify a row, as set; null: none were set, see `log_keys`."),
  custom_config: map().describe(
    "Further settings, such as `watermark_column`, `watermark_lag`, `deletes`, `max_delete_share`, `on_missing_column`, `on_added_column`, `on_lost_rows`, `max_reject_share` and `pii_suppressed`. Secret values are returned as `********`.",
  ),
  created_at: createdAt(),
  created_by: s
    .string()
    .describe("Who added it: the caller, or `created_by` of the connector if it came with it."),
});
export type ConnectorDataset = s.Infer<typeof ConnectorDataset>;

export const Connector = s.model("Connector", {
  id: s.string().describe("UUID of the connector."),
  name: s.string().describe("Unique in its environment."),
  target_type: s
    .string()
    .describe("`warehouse` imports; any other type, such as `postgresql` or `csv`, exports to it."),
  target_config: s
    .map()
    .describe(
      "Settings of the target, or the `connection` to import from. Secret values are returned as `********`.",
    ),
  execution_mode: s
    .string()
    .describe("What starts its runs: `batch`, `table_update`, `file_arrival`, `live` or `manual`."),
  schedule_cron: nullableText().describe(
    "When it runs, with `batch`, in the environment's `configuration.timezone`; null: when you start it.",
  ),
  table_update_config: map().describe(
    "Which changed tables start it, with `table_update`; null: those that it reads.",
  ),
  file_arrival_config: map().describe(
    "Which new files start it, with `file_arrival`; null: those of its connection.",
  ),
  compute_type: s.string().describe("Always `serverless`."),
  cluster_config: map().describe(
    "Your own settings, as set by a change; null: none. Secret values are returned as `********`.",
  ),
  status: s
    .literal("created", "active", "failing", "paused", "failed")
    .describe(
      "`active`: its job is installed. `failing`: so it is, but its last run failed. `paused`: it does not fire. `created`: the platform does not support the target. `failed`: the platform refused a request.",
    ),
  git_commit_id: nullableText().describe(
    "The commit that it comes from, as set by a change; null: not given.",
  ),
  git_branch: nullableText().describe("The branch that it comes from, as set by a change; null: not given."),
  workflow_id: nullableText().describe("The job's id on the platform."),
  artifacts_path: nullableText().describe(
    "Where its generated files are, as set by a change; null: not given.",
  ),
  error_message: nullableText().describe(
    "Why it is `created` or `failed`, or why its last run failed; null: no error.",
  ),
  failing_since: dateTime()
    .optional()
    .describe("When the first of its runs failed since the last success. Only with the status `failing`."),
  policy: ConnectorPolicy.optional().describe(
    "How failed attempts of its runs are retried, as set; its job shows the values in use. Absent: all defaults.",
  ),
  created_at: createdAt(),
  updated_at: updatedAt(),
  created_by: s.string().describe("Who created it, as sent in the request."),
  updated_by: updatedBy(),
  datasets: s
    .list(ConnectorDataset)
    .nullable()
    .describe("What it moves, in the order of addition; null: no dataset was ever added."),
});
export type Connector = s.Infer<typeof Connector>;

export const DatasetInput = s.model("DatasetInput", {
  source_dataset: s
    .string({ min: 1 })
    .describe("What to read: the source's own name on import, a warehouse table on export."),
  target_name: s.string({ min: 1 }).describe("What to write. Unique in the connector."),
  primary_keys: s
    .list(s.string())
    .nullable()
    .optional()
    .describe("The columns that identify a row. Null or absent: none."),
  write_strategy: writeStrategy()
    .optional()
    .describe("Default: `upsert` with primary keys, otherwise `append`."),
  watermark_column: nullableText()
    .optional()
    .describe("Column that grows when a row changes: runs read from the last value on. Not with `replace`."),
  custom_config: map()
    .optional()
    .describe(
      "Further settings: `watermark_lag`, `deletes`, `max_delete_share`, `on_missing_column`, `on_added_column`, `on_lost_rows`, `max_reject_share`, `pii_suppressed`, `pii_columns`.",
    ),
});
export type DatasetInput = s.Infer<typeof DatasetInput>;

export const DatasetUpdate = s.model("DatasetUpdate", {
  source_dataset: s.string({ min: 1 }).optional().describe("What to read. Absent: it stays."),
  target_name: s
    .string({ min: 1 })
    .optional()
    .describe("What to write. Unique in the connector. Absent: it stays."),
  primary_keys: s
    .list(s.string())
    .nullable()
    .optional()
    .describe(
      "The columns that identify a row; null: none. Without a `write_strategy`, adding or removing keys switches between `upsert` and `append`.",
    ),
  write_strategy: writeStrategy()
    .optional()
    .describe("How rows are written. Absent: it stays, unless `primary_keys` change it."),
  watermark_column: nullableText()
    .optional()
    .describe("Column that grows when a row changes; null: none. Absent: it stays."),
  custom_config: map()
    .optional()
    .describe(
      "Further settings. Keys that are not named stay; null as a value removes a key. Null: none. Absent: all stay.",
    ),
});
export type DatasetUpdate = s.Infer<typeof DatasetUpdate>;

export const ConnectorCreateRequest = s.model("ConnectorCreateRequest", {
  name: s.string({ min: 1 }).describe("Unique in its environment."),
  target_type: s
    .string()
    .describe(
      "`warehouse` to import, otherwise the kind of system to export to, such as `postgresql`, `csv` or `http`.",
    ),
  target_config: map().describe(
    "Settings of the target, or the `connection` to import from. Required; null is stored as an empty map.",
  ),
  execution_mode: executionMode()
    .default("batch")
    .describe(
      "What starts its runs: a cron expression, changed tables, new files, the end of the last run, or only you.",
    ),
  schedule_cron: s
    .cron()
    .nullable()
    .optional()
    .describe(
      "When it runs, with `batch`: five fields, or six with seconds first, in the environment's `configuration.timezone`. Without one, you start it.",
    ),
  table_update_config: map()
    .optional()
    .describe(
      "For `table_update`: `table_names`, `condition` (`any`, `all`), `wait_after_last_change_seconds`, `min_time_between_triggers_seconds`.",
    ),
  file_arrival_config: map()
    .optional()
    .describe(
      "For `file_arrival`: `path` (a folder or glob), `wait_after_last_change_seconds`, `min_time_between_triggers_seconds`.",
    ),
  created_by: s
    .string()
    .describe("Who creates it, such as `ada@example.com`. Stored as sent; events name the caller."),
  datasets: s.extension(s.list(DatasetInput)).optional().describe("Extension: the initial datasets."),
  paused: startsPaused(),
  policy: s
    .extension(ConnectorPolicy)
    .optional()
    .describe("Extension: how failed attempts of its runs are retried. Absent: all defaults."),
});
export type ConnectorCreateRequest = s.Infer<typeof ConnectorCreateRequest>;

export const ConnectorUpdateRequest = s.model("ConnectorUpdateRequest", {
  name: s.string({ min: 1 }).optional().describe("Unique in its environment."),
  target_type: s
    .string()
    .optional()
    .describe("`warehouse` to import, otherwise the kind of system to export to."),
  target_config: s
    .map()
    .optional()
    .describe("Replaces all settings of the target. A secret sent as `********` keeps its stored value."),
  execution_mode: executionMode().optional().describe("What starts its runs."),
  schedule_cron: s
    .cron()
    .nullable()
    .optional()
    .describe("When it runs, with `batch`: five fields, or six with seconds first; null: when you start it."),
  table_update_config: map().optional().describe("Replaces the settings for `table_update`; null: none."),
  file_arrival_config: map().optional().describe("Replaces the settings for `file_arrival`; null: none."),
  cluster_config: map().optional().describe("Your own settings; null: none. They are only stored."),
  policy: ConnectorPolicyUpdate.nullable()
    .optional()
    .describe(
      "How failed attempts of its runs are retried. Values that are not named stay. Null: all defaults. Absent: all stay.",
    ),
  datasets: s
    .extension(s.list(DatasetInput))
    .optional()
    .describe("Must be as they are, or absent: datasets are changed with requests of their own."),
  artifacts_path: nullableText()
    .optional()
    .describe("Where its generated files are; null: not given. It is only stored."),
  git_branch: nullableText()
    .optional()
    .describe("The branch that it comes from; null: not given. It is only stored."),
  git_commit_id: nullableText()
    .optional()
    .describe("The commit that it comes from; null: not given. It is only stored."),
  updated_by: nullableText().optional().describe("Who changes it. Default: the caller."),
});
export type ConnectorUpdateRequest = s.Infer<typeof ConnectorUpdateRequest>;

export const PauseRequest = s.model("PauseRequest", {
  reason: nullableText().optional().describe("Why it is paused, for people."),
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
export const connector = {
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
  changes: "definition",
  path: "/api/v1/connectors/",
  scope: "header",
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
  scope: "list",
  summary: "List the connectors, oldest first",
  access: "viewer",
  headers: environmentFilter,
  query: contractListQuery(listFields.connectors),
  response: s.model("ConnectorListResponse", {
    connectors: s.list(Connector).describe("The connectors on this page."),
    total: total(),
    next_cursor: nextCursor(),
  }),
  errors: [404, 409],
  example: { response: { connectors: [connector], total: 1 } },
});

export const getConnector = endpoint({
  ...shared,
  method: "GET",
  path: one,
  scope: "connector",
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
  changes: "definition",
  path: one,
  scope: "connector",
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
  changes: "definition",
  path: one,
  scope: "connector",
  summary: "Delete a connector and its job",
  access: "operator",
  response: Done,
  errors: [404, 409, 412],
  versioned: true,
  example: { response: { success: true, message: "Connector orders-to-crm deleted." } },
});

export const pauseConnector = endpoint({
  isBounded: true,
  ...shared,
  method: "POST",
  changes: "operation",
  path: `${one}/pause`,
  scope: "connector",
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
  isBounded: true,
  ...shared,
  method: "POST",
  changes: "operation",
  path: `${one}/resume`,
  scope: "connector",
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
  changes: "definition",
  path: `${one}/datasets`,
  scope: "connector",
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
  changes: "definition",
  path: `${one}/datasets/{dataset_id}`,
  scope: "connector",
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
  changes: "definition",
  path: `${one}/datasets/{dataset_id}`,
  scope: "connector",
  summary: "Remove a dataset",
  access: "operator",
  response: Connector,
  errors: [404, 409, 412],
  versioned: true,
  example: { response: { ...connector, datasets: [] } },
});
