import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { DeploymentResponse } from "./deployments.ts";
import {
  Done,
  dateTime,
  environmentFilter,
  environmentHeader,
  exampleIds,
  exampleTime,
  paging,
} from "./shared.ts";

const text = () => s.string().nullable();

const taskKinds = ["sql", "flow", "connector", "pipeline", "http", "agent"] as const;

const TaskCondition = s.model("TaskCondition", {
  left: s.string().describe("Text with `{{…}}` in it, such as `{{tasks.count.value}}`."),
  op: s.literal("==", "!=", "<", "<=", ">", ">="),
  right: s.string().describe("The same. Two numbers are compared as numbers, anything else as text."),
});

const AutomationTask = s.model("AutomationTask", {
  name: s.string({ min: 1 }).describe("Unique in its automation."),
  kind: s.literal(...taskKinds),
  depends_on: s.list(s.string()).default([]).describe("Names of tasks that must have ended before."),
  run_if: s
    .literal("all_success", "all_done", "at_least_one_success", "at_least_one_failed", "none_failed")
    .default("all_success")
    .describe("How those must have ended. A task that is not run is skipped."),
  condition: TaskCondition.nullable()
    .optional()
    .describe("What must hold besides, once the tasks before it have ended; otherwise it is skipped."),
  reference: s
    .string()
    .nullable()
    .optional()
    .describe("What it runs: the name of the connector, pipeline, flow or agent."),
  query: s.string().nullable().optional().describe("The statements of an `sql` task."),
  url: s.string().nullable().optional().describe("The address of an `http` task."),
  parameters: s
    .map()
    .default({})
    .describe(
      "For the run of a flow, connector or pipeline; the body of an agent's request; of an `sql` task the values of `:name` in it; of an `http` task `method`, `headers` and `body`.",
    ),
  retries: s.integer({ ge: 0, le: 100 }).default(0).describe("How often it is tried again after a failure."),
  retry_seconds: s.integer({ ge: 0, le: 86_400 }).default(10).describe("The pause before that."),
  timeout_seconds: s.integer({ ge: 1 }).nullable().optional().describe("How long one attempt may take."),
});
export type AutomationTask = s.Infer<typeof AutomationTask>;

const AutomationSchedule = s.model("AutomationSchedule", {
  cron: s.string().describe("Five fields, or six with seconds first."),
  timezone: s.string().nullable().default("UTC"),
});

const distance = () => s.integer({ ge: 0, le: 7 * 24 * 3600 }).default(0);

const AutomationTrigger = s
  .model("AutomationTrigger", {
    table_update: s
      .model("OnTableUpdate", {
        table_names: s.list(s.string()),
        condition: s.literal("any", "all").default("any"),
        wait_after_last_change_seconds: distance(),
        min_time_between_triggers_seconds: distance(),
      })
      .nullable()
      .optional(),
    file_arrival: s
      .model("OnFileArrival", {
        path: s.string().describe("A folder, or a glob."),
        wait_after_last_change_seconds: distance(),
        min_time_between_triggers_seconds: distance(),
      })
      .nullable()
      .optional(),
    continuous: s.boolean().optional().describe("It starts again when its last run has ended."),
  })
  .rule(({ table_update, file_arrival, continuous }) =>
    [table_update, file_arrival, continuous].filter(Boolean).length === 1
      ? undefined
      : "exactly one of table_update, file_arrival and continuous must be set",
  );

const channels = () =>
  s.list(s.string()).default([]).describe("`channel_id`s bound in the environment of the release.");

const AutomationNotifications = s.model("AutomationNotifications", {
  on_success: channels(),
  on_failure: channels(),
  on_recovery: channels(),
});

export const AutomationDefinition = s
  .model("AutomationDefinition", {
    version: s.integer({ ge: 1, le: 1 }).default(1).describe("The version of this schema."),
    description: s.string().default(""),
    tasks: s.list(AutomationTask),
    schedule: AutomationSchedule.nullable().optional(),
    trigger: AutomationTrigger.nullable().optional().describe("In place of a schedule."),
    parameters: s
      .map()
      .default({})
      .describe("Values for `{{parameters.name}}` in tasks; those of a run win over them."),
    overlap: s.boolean().default(false).describe("Whether a run may begin before the last one has ended."),
    timeout_seconds: s.integer({ ge: 1 }).nullable().optional().describe("How long a run may take."),
    notifications: AutomationNotifications.nullable()
      .optional()
      .describe(
        "Channels that hear of runs, besides those bound to the automation, which hear of releases, failures, recoveries and pauses.",
      ),
  })
  .rule(({ schedule, trigger }) =>
    schedule && trigger ? "schedule and trigger cannot be combined" : undefined,
  );
export type AutomationDefinition = s.Infer<typeof AutomationDefinition>;

export const ScheduleOverride = s.model("ScheduleOverride", {
  paused: s.boolean(),
  by: s.string(),
  at: dateTime(),
  reason: text(),
  until: dateTime().nullable(),
});
export type ScheduleOverride = s.Infer<typeof ScheduleOverride>;

export const Release = s.model("Release", {
  id: s.string(),
  artifact: s.string().describe("`automation/<alias>` or `agent/<name>`."),
  environment_id: s.string(),
  environment: s.string().describe("The environment's name."),
  version: s.string(),
  git_branch: s.string(),
  git_commit_sha: s.string(),
  design_content_hash: text(),
  deployment_id: text(),
  workflow_id: text().describe("The job's id on the platform."),
  metadata: s.map(),
  activated_at: dateTime(),
  activated_by: s.string(),
});
export type Release = s.Infer<typeof Release>;

export const ScheduleState = s.model("ScheduleState", {
  environment_id: s.string(),
  environment: s.string(),
  schedule: AutomationSchedule.nullable().describe("As declared in the released definition."),
  state: s.literal("active", "paused", "unscheduled"),
  override: ScheduleOverride.nullable().describe("Who paused it, when, why and until when."),
});
export type ScheduleState = s.Infer<typeof ScheduleState>;

export const Automation = s.model("Automation", {
  id: s.string(),
  alias: s.string(),
  description: s.string(),
  definition: s.map().nullable().describe("An AutomationDefinition; null until one is set."),
  design_content_hash: text(),
  created_at: dateTime(),
  updated_at: dateTime(),
  created_by: s.string(),
  updated_by: text(),
});
export type Automation = s.Infer<typeof Automation>;

export const AutomationDetails = s.model("AutomationDetails", {
  automation: Automation,
  releases: s.list(Release).describe("The current one of each environment."),
  schedules: s.list(ScheduleState),
});
export type AutomationDetails = s.Infer<typeof AutomationDetails>;

const AttemptFile = s.model("AttemptFile", { path: s.string({ min: 1 }), content: s.string() });

export const AttemptRequest = s.model("AttemptRequest", {
  description: s.string().default(""),
  tasks: s.list(s.map()).describe("AutomationTask items; judged by validate-artifacts, kept as they are."),
  schedule: s.map().nullable().optional(),
  parameters: s.map().default({}),
  files: s.list(AttemptFile).default([]).describe("Further files of the design, by relative path."),
  metadata: s.map().default({}),
});
export type AttemptRequest = s.Infer<typeof AttemptRequest>;

export const Attempt = s.model("Attempt", {
  attempt_id: s.string(),
  automation_alias: s.string(),
  description: s.string(),
  tasks: s.list(s.map()),
  schedule: s.map().nullable(),
  parameters: s.map(),
  files: s.list(AttemptFile),
  metadata: s.map(),
  created_at: dateTime(),
  updated_at: dateTime(),
  created_by: s.string(),
});
export type Attempt = s.Infer<typeof Attempt>;

export const AutomationValidateArtifactsResponse = s.model("AutomationValidateArtifactsResponse", {
  success: s.boolean(),
  attempt_id: s.string(),
  automation_alias: s.string(),
  validation_status: s.literal("passed", "failed"),
  validation_errors: s.list(s.string()),
  files_to_commit: s.list(s.string()),
  design_content_hash: text(),
  metadata_preview: s.map().nullable(),
  api_response_time_seconds: s.number(),
});
export type AutomationValidateArtifactsResponse = s.Infer<typeof AutomationValidateArtifactsResponse>;

export const ChatBinding = s.model("ChatBinding", {
  id: s.string(),
  environment_id: s.string(),
  environment: s.string(),
  channel_id: s.string(),
  team_id: text(),
  channel_name: text(),
  channel_url: text().describe("Answered as `********`: an incoming webhook's address is a secret."),
  automation_alias: text(),
  metadata: s.map(),
  created_at: dateTime(),
  updated_at: dateTime(),
  created_by: s.string(),
});
export type ChatBinding = s.Infer<typeof ChatBinding>;

const QueryResponse = s.model("QueryResponse", {
  success: s.boolean(),
  result: s.integer(),
  message: text(),
  error: text(),
});

const definition = {
  version: 1,
  description: "Refresh the orders every morning",
  tasks: [
    { name: "load", kind: "connector", reference: "orders-in", depends_on: [], parameters: {}, retries: 2 },
  ],
  schedule: { cron: "0 6 * * *", timezone: "Europe/Berlin" },
  parameters: {},
};
const automation = {
  id: exampleIds.automation,
  alias: "orders-daily",
  description: "Refresh the orders every morning",
  definition,
  design_content_hash: "sha256:2f0c",
  created_at: exampleTime,
  updated_at: exampleTime,
  created_by: "ada@example.com",
  updated_by: null,
};
const release = {
  id: exampleIds.release,
  artifact: "automation/orders-daily",
  environment_id: exampleIds.environment,
  environment: "prod",
  version: "1.4.0",
  git_branch: "main",
  git_commit_sha: "3f9c1d2",
  design_content_hash: "sha256:2f0c",
  deployment_id: exampleIds.deployment,
  workflow_id: "job-orders-daily",
  metadata: { version: "1.4.0" },
  activated_at: exampleTime,
  activated_by: "ci",
};
const scheduleState = {
  environment_id: exampleIds.environment,
  environment: "prod",
  schedule: definition.schedule,
  state: "paused",
  override: { paused: true, by: "ada@example.com", at: exampleTime, reason: null, until: null },
} as const;
const deployment = {
  id: exampleIds.deployment,
  deployment_name: "orders-daily 1.4.0",
  environment_id: exampleIds.environment,
  git_branch: "main",
  git_commit_sha: "3f9c1d2",
  status: "succeeded",
  job_run_id: null,
  created_at: exampleTime,
  started_at: exampleTime,
  completed_at: exampleTime,
  initiated_by: "ci",
  error_message: null,
} as const;
const attemptRequest = {
  description: "Refresh the orders every morning",
  tasks: definition.tasks,
  schedule: definition.schedule,
  parameters: {},
  files: [{ path: "sql/orders.sql", content: "select 1" }],
  metadata: {},
};
const attempt = {
  attempt_id: "a-1",
  automation_alias: "orders-daily",
  ...attemptRequest,
  created_at: exampleTime,
  updated_at: exampleTime,
  created_by: "ada@example.com",
};
const binding = {
  id: exampleIds.binding,
  environment_id: exampleIds.environment,
  environment: "dev",
  channel_id: "C0123",
  team_id: null,
  channel_name: "data-ops",
  channel_url: "********",
  automation_alias: "orders-daily",
  metadata: {},
  created_at: exampleTime,
  updated_at: exampleTime,
  created_by: "ada@example.com",
};

const shared = { tag: "Automations" } as const;
const one = "/api/automations/{automation_alias}";

export const validateArtifacts = endpoint({
  ...shared,
  number: 3,
  method: "POST",
  path: `${one}/validate-artifacts`,
  summary: "Validate the artifacts of an authoring attempt",
  description:
    "Writes the definition, metadata and bundle files into a temporary folder, validates them and says what it found. It changes nothing: no commit, no database write. Every problem, an unknown automation or attempt included, is in `validation_errors`.",
  access: "operator",
  headers: environmentHeader,
  body: s.model("ValidateArtifactsRequest", { attempt_id: s.string() }),
  response: AutomationValidateArtifactsResponse,
  errors: [404, 409],
  example: {
    body: { attempt_id: "a-1" },
    response: {
      success: true,
      attempt_id: "a-1",
      automation_alias: "orders-daily",
      validation_status: "passed",
      validation_errors: [],
      files_to_commit: ["automations/orders-daily/definition.yaml"],
      design_content_hash: "sha256:2f0c",
      metadata_preview: { alias: "orders-daily" },
      api_response_time_seconds: 0.004,
    },
  },
});

export const syncAutomationRelease = endpoint({
  ...shared,
  number: 9,
  method: "POST",
  path: "/api/automations/sync-release",
  summary: "Register a release after a promotion merge",
  description:
    "`activate` makes the release current in the environment, installs its job and records a deployment; `delete` takes it away; any other action is 409. An automation that is not known yet is registered by its alias. The same call twice changes nothing.",
  access: "operator",
  body: s.model("AutomationSyncReleaseRequest", {
    automation_alias: s.string(),
    environment: s.string(),
    action: s.string().default("activate"),
    metadata: s.map().default({}),
  }),
  response: s.model("AutomationSyncReleaseResponse", {
    success: s.boolean(),
    message: s.string(),
    release: Release.nullable(),
    deployment: DeploymentResponse.nullable(),
  }),
  errors: [404, 409],
  example: {
    body: {
      automation_alias: "orders-daily",
      environment: "prod",
      action: "activate",
      metadata: { version: "1.4.0", git_branch: "main", git_commit_sha: "3f9c1d2" },
    },
    response: { success: true, message: "orders-daily 1.4.0 is current in prod.", release, deployment },
  },
});

export const bindChat = endpoint({
  ...shared,
  number: 11,
  method: "POST",
  path: "/api/automations/chat/bind",
  summary: "Bind a chat channel",
  description: "Binding the same channel in the same environment again replaces the former binding.",
  access: "operator",
  body: s.model("ChatBindRequest", {
    environment: s.string().default("dev"),
    channel_id: s.string(),
    team_id: text().optional(),
    channel_name: text().optional(),
    channel_url: text().optional(),
    automation_alias: text().optional(),
    metadata: s.map().default({}),
  }),
  response: s.model("ChatBindResponse", { success: s.boolean(), message: s.string(), binding: ChatBinding }),
  errors: [404, 409],
  example: {
    body: {
      environment: "dev",
      channel_id: "C0123",
      channel_name: "data-ops",
      automation_alias: "orders-daily",
    },
    response: { success: true, message: "Channel C0123 is bound in dev.", binding },
  },
});

export const listBindings = endpoint({
  ...shared,
  method: "GET",
  path: "/api/automations/chat/bindings",
  summary: "List the chat bindings",
  access: "viewer",
  headers: environmentFilter,
  query: paging,
  response: s.model("ChatBindingList", { bindings: s.list(ChatBinding), total: s.integer() }),
  errors: [404, 409],
  example: { response: { bindings: [binding], total: 1 } },
});

export const deleteBinding = endpoint({
  ...shared,
  method: "DELETE",
  path: "/api/automations/chat/bindings/{binding_id}",
  summary: "Remove a chat binding",
  access: "operator",
  response: Done,
  errors: [404, 409],
  example: { response: { success: true, message: "Channel C0123 is no longer bound in dev." } },
});

export const validateQuery = endpoint({
  ...shared,
  number: 18,
  method: "POST",
  path: "/api/automations/validate_query",
  summary: "Validate a query",
  description: "Failures are answered with `success: false` and an `error`.",
  access: "operator",
  headers: environmentHeader,
  needsData: true,
  body: s.model("QueryRequest", { query: s.string() }),
  response: QueryResponse,
  errors: [404, 409],
  example: {
    body: { query: "select count(*) from shop.sales.orders" },
    response: { success: true, result: 42, message: "1 row", error: null },
  },
});

export const setSchedule = endpoint({
  ...shared,
  number: 20,
  method: "POST",
  path: `${one}/schedule/{action}`,
  summary: "Pause or resume the schedule of an automation",
  description:
    "In the environment of `X-Environment-Id`, or in every one with a current release. The pause is kept apart from the declared schedule and survives a new release.",
  access: "operator",
  headers: {
    "X-Environment-Id": "Id or name of an environment; absent: every one with a current release.",
  },
  params: { action: s.literal("pause", "resume") },
  body: s.model("ScheduleRequest", {
    reason: s.extension(s.string().nullable()).optional().describe("Ours: why it is paused."),
    until: s
      .extension(dateTime().nullable())
      .optional()
      .describe("Ours: when the pause should end; absent: when resumed."),
  }),
  bodyOptional: true,
  response: s.model("ScheduleResponse", {
    success: s.boolean(),
    message: s.string(),
    schedules: s.list(ScheduleState),
  }),
  errors: [404, 409],
  example: {
    body: {},
    response: { success: true, message: "orders-daily is paused in prod.", schedules: [scheduleState] },
  },
});

export const createAutomation = endpoint({
  ...shared,
  method: "POST",
  path: "/api/automations",
  summary: "Register an automation",
  access: "operator",
  body: s.model("AutomationCreateRequest", {
    alias: s.string({ min: 1 }).describe("Unique."),
    description: s.string().default(""),
    definition: AutomationDefinition.nullable().optional(),
  }),
  response: Automation,
  errors: [409],
  creates: true,
  versioned: true,
  example: { body: { alias: "orders-daily", definition }, response: automation },
});

export const listAutomations = endpoint({
  ...shared,
  method: "GET",
  path: "/api/automations",
  summary: "List the automations",
  access: "viewer",
  query: paging,
  response: s.model("AutomationList", { automations: s.list(Automation), total: s.integer() }),
  example: { response: { automations: [automation], total: 1 } },
});

export const getAutomation = endpoint({
  ...shared,
  method: "GET",
  path: one,
  summary: "Read an automation with its releases and schedules",
  access: "viewer",
  response: AutomationDetails,
  errors: [404],
  versioned: true,
  example: { response: { automation, releases: [release], schedules: [scheduleState] } },
});

export const setDefinition = endpoint({
  ...shared,
  method: "PUT",
  path: `${one}/definition`,
  summary: "Set an automation's definition",
  description: "What runs is the definition of the current release: sync-release makes it so.",
  access: "operator",
  body: AutomationDefinition,
  response: Automation,
  errors: [404, 409, 412],
  versioned: true,
  example: { body: definition, response: automation },
});

export const putAttempt = endpoint({
  ...shared,
  method: "PUT",
  path: `${one}/attempts/{attempt_id}`,
  summary: "Write an authoring attempt: the design to validate",
  access: "operator",
  body: AttemptRequest,
  response: Attempt,
  errors: [404, 409, 412],
  versioned: true,
  example: { body: attemptRequest, response: attempt },
});

export const getAttempt = endpoint({
  ...shared,
  method: "GET",
  path: `${one}/attempts/{attempt_id}`,
  summary: "Read an authoring attempt",
  access: "viewer",
  response: Attempt,
  errors: [404],
  versioned: true,
  example: { response: attempt },
});

export const listReleases = endpoint({
  ...shared,
  method: "GET",
  path: `${one}/releases`,
  summary: "List the current releases of an automation, one for each environment",
  access: "viewer",
  query: paging,
  response: s.model("ReleaseList", { releases: s.list(Release), total: s.integer() }),
  errors: [404],
  example: { response: { releases: [release], total: 1 } },
});
