import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import {
  AutomationDefinition,
  AutomationSchedule,
  AutomationTrigger,
  exampleDefinition,
  isDefinitionKey,
} from "./automation-definition.ts";
import { DeploymentResponse } from "./deployments.ts";
import { dateTime, environmentHeader, exampleIds, exampleTime, nullableText, paging } from "./shared.ts";

export const ScheduleOverride = s.model("ScheduleOverride", {
  paused: s.boolean(),
  by: s.string(),
  at: dateTime(),
  reason: nullableText(),
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
  design_content_hash: nullableText(),
  deployment_id: nullableText(),
  workflow_id: nullableText().describe("The job's id on the platform."),
  metadata: s.map(),
  activated_at: dateTime(),
  activated_by: s.string(),
});
export type Release = s.Infer<typeof Release>;

export const ScheduleState = s.model("ScheduleState", {
  environment_id: s.string(),
  environment: s.string(),
  schedule: AutomationSchedule.nullable().describe("As declared in the released definition."),
  trigger: AutomationTrigger.nullable().describe(
    "As declared in the released definition, if it has a trigger instead of a schedule.",
  ),
  state: s.literal("active", "paused", "unscheduled"),
  override: ScheduleOverride.nullable().describe("Who paused it, when, why and until when."),
  problem: nullableText().describe(
    "Extension: why the trigger does not work, for example a missing folder; null: it works.",
  ),
});
export type ScheduleState = s.Infer<typeof ScheduleState>;

export const Automation = s.model("Automation", {
  id: s.string(),
  alias: s.string(),
  description: s.string(),
  definition: s.map().nullable().describe("An AutomationDefinition; null until one is set."),
  design_content_hash: nullableText(),
  created_at: dateTime(),
  updated_at: dateTime(),
  created_by: s.string(),
  updated_by: nullableText(),
});
export type Automation = s.Infer<typeof Automation>;

export const AutomationDetails = s.model("AutomationDetails", {
  automation: Automation,
  releases: s.list(Release).describe("The current release of each environment."),
  schedules: s.list(ScheduleState),
});
export type AutomationDetails = s.Infer<typeof AutomationDetails>;

const QueryResponse = s.model("QueryResponse", {
  success: s.boolean(),
  result: s.integer(),
  message: nullableText(),
  error: nullableText(),
});

const automation = {
  id: exampleIds.automation,
  alias: "orders-daily",
  description: "Refresh the orders every morning",
  definition: exampleDefinition,
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
  schedule: exampleDefinition.schedule,
  trigger: null,
  state: "paused",
  override: { paused: true, by: "ada@example.com", at: exampleTime, reason: null, until: null },
  problem: null,
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
const shared = { tag: "Automations" } as const;
const one = "/api/automations/{automation_alias}";

export const syncAutomationRelease = endpoint({
  ...shared,
  number: 9,
  method: "POST",
  path: "/api/automations/sync-release",
  summary: "Register a release after a promotion merge",
  description:
    "`activate` makes the release current in the environment, installs its job and records a deployment. With `metadata.attempt_id` it releases that attempt, and returns 409 if the definition is invalid in itself: its syntax, schema or rules. `delete` removes the release, unless `metadata` has a `version` or `git_commit_sha` that is not current: then nothing changes, and `message` says so. Any other action returns 409. An unknown automation is registered by its alias. Repeating a call changes nothing.",
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

export const validateQuery = endpoint({
  ...shared,
  number: 18,
  method: "POST",
  path: "/api/automations/validate_query",
  summary: "Validate a query",
  description: "A failure returns `success: false` and an `error`.",
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
    "Applies to the environment of `X-Environment-Id`, or to every environment with a current release. The pause is stored apart from the declared schedule and survives a new release. Pausing again changes nothing, unless the body has a reason or an end time: then the new pause replaces the old one.",
  access: "operator",
  headers: {
    "X-Environment-Id": "Id or name of an environment. Default: every environment with a current release.",
  },
  params: { action: s.literal("pause", "resume") },
  body: s.model("ScheduleRequest", {
    reason: s.extension(s.string().nullable()).optional().describe("Extension: why it is paused."),
    until: s
      .extension(dateTime().nullable())
      .optional()
      .describe("Extension: when the pause ends by itself. Default: when resumed."),
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
  body: s.model(
    "AutomationCreateRequest",
    {
      alias: s.string({ min: 1 }).describe("Unique."),
      description: s.string().default(""),
      definition: AutomationDefinition.nullable().optional(),
    },
    {
      closed: (key: string) =>
        isDefinitionKey(key)
          ? "It is part of the definition: put it under definition"
          : "The key is not known",
    },
  ),
  yaml: true,
  response: Automation,
  errors: [409],
  creates: true,
  versioned: true,
  example: { body: { alias: "orders-daily", definition: exampleDefinition }, response: automation },
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
  description: "The definition runs once sync-release makes it part of the current release.",
  access: "operator",
  body: AutomationDefinition,
  yaml: true,
  response: Automation,
  errors: [404, 409, 412],
  versioned: true,
  example: { body: exampleDefinition, response: automation },
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
