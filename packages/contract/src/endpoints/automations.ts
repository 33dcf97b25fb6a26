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
import { listFields, listQuery, nextCursor } from "./lists.ts";
import {
  createdAt,
  createdBy,
  Done,
  dateTime,
  environmentHeader,
  exampleIds,
  exampleTime,
  message,
  nullableText,
  success,
  total,
  updatedAt,
  updatedBy,
} from "./shared.ts";

export const ScheduleOverride = s.model("ScheduleOverride", {
  paused: s.boolean().describe("Always true: without a pause there is no override."),
  by: s.string().describe("Who paused it."),
  at: dateTime().describe("When it was paused."),
  reason: nullableText().describe("Why it was paused; null: nobody said."),
  until: dateTime().nullable().describe("When the pause ends by itself; null: when somebody resumes it."),
});
export type ScheduleOverride = s.Infer<typeof ScheduleOverride>;

export const Release = s.model("Release", {
  id: s.string().describe("UUID of the release."),
  artifact: s.string().describe("`automation/<alias>` or `agent/<name>`."),
  environment_id: s.string().describe("Id of the environment in which it is current."),
  environment: s.string().describe("The environment's name."),
  version: s
    .string()
    .describe("Such as `1.4.0`: `metadata.version`, else the commit, else the hash of the design."),
  git_branch: s.string().describe("The branch it was deployed from; empty if unknown."),
  git_commit_sha: s.string().describe("The commit it was deployed from; empty if unknown."),
  design_content_hash: nullableText().describe(
    "`sha256:` and the hash of the released design; null: the automation had no definition.",
  ),
  deployment_id: nullableText().describe("Id of the deployment that records it."),
  workflow_id: nullableText().describe("The job's id on the platform."),
  error_message: nullableText()
    .optional()
    .describe(
      "Extension: why the platform refused its job, or has not installed or removed it yet; null or absent: there is no problem.",
    ),
  metadata: s.map().describe("As sent with the release. Secret values are not stored: they are `********`."),
  activated_at: dateTime().describe("When it became current."),
  activated_by: s.string().describe("The caller who released it."),
});
export type Release = s.Infer<typeof Release>;

export const ScheduleState = s.model("ScheduleState", {
  environment_id: s.string().describe("Id of the environment of the release."),
  environment: s.string().describe("Name of that environment."),
  schedule: AutomationSchedule.nullable().describe("As declared in the released definition."),
  trigger: AutomationTrigger.nullable().describe(
    "As declared in the released definition, if it has a trigger instead of a schedule.",
  ),
  state: s
    .literal("active", "paused", "unscheduled")
    .describe("`unscheduled`: the released definition has neither a schedule nor a trigger."),
  override: ScheduleOverride.nullable().describe("Who paused it, when, why and until when."),
  problem: nullableText().describe(
    "Extension: why the trigger does not work, for example a missing folder; null: it works.",
  ),
});
export type ScheduleState = s.Infer<typeof ScheduleState>;

export const Automation = s.model("Automation", {
  id: s.string().describe("UUID of the automation."),
  alias: s.string().describe("Unique name, used in paths. It never changes."),
  description: s.string().describe("What the automation is for. Empty if nothing was said."),
  definition: s.map().nullable().describe("An AutomationDefinition; null until one is set."),
  design_content_hash: nullableText().describe(
    "`sha256:` and the hash of the definition; null until one is set.",
  ),
  created_at: createdAt(),
  updated_at: updatedAt(),
  created_by: createdBy(),
  updated_by: updatedBy(),
});
export type Automation = s.Infer<typeof Automation>;

export const AutomationDetails = s.model("AutomationDetails", {
  automation: Automation.describe("The automation itself."),
  releases: s.list(Release).describe("The current release of each environment."),
  schedules: s
    .list(ScheduleState)
    .describe("The state of its schedule in each environment in which it is released."),
});
export type AutomationDetails = s.Infer<typeof AutomationDetails>;

const QueryResponse = s.model("QueryResponse", {
  success: s.boolean().describe("Whether the statement ran."),
  result: s
    .integer()
    .describe(
      "The value, if the statement returns one row with one integer column; otherwise the number of rows. 0 after a failure.",
    ),
  message: nullableText().describe(
    "A sentence about the result, such as `The query is valid; it has 1 column.`; null after a failure.",
  ),
  error: nullableText().describe(
    "Why it failed: a syntax error with its position, an unknown table or column, the time limit of 30 seconds. Null after a success.",
  ),
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
  changes: "definition",
  path: "/api/automations/sync-release",
  scope: "body",
  summary: "Register a release after a promotion merge",
  description:
    "`activate` makes the release current in the environment, installs its job and records a deployment. With `metadata.attempt_id` it releases that attempt, and returns 409 if the definition is invalid in itself: its syntax, schema or rules. `delete` removes the release, unless `metadata` has a `version` or `git_commit_sha` that is not current: then nothing changes, and `message` says so. Any other action returns 409. An unknown automation is registered by its alias. Repeating a call changes nothing.",
  access: "operator",
  body: s.model("AutomationSyncReleaseRequest", {
    automation_alias: s.string().describe("Alias of the automation. An unknown one is registered."),
    environment: s
      .string()
      .describe("Id or name of the environment. `dev`, `test` and `prod` are created if they are missing."),
    action: s.string().default("activate").describe("`activate` or `delete`. Any other value is 409."),
    metadata: s
      .map()
      .default({})
      .describe(
        "About the release: `version`, `git_branch`, `git_commit_sha`, and `attempt_id` (an extension) are read; anything else is stored.",
      ),
    paused: s
      .extension(s.boolean())
      .optional()
      .describe(
        "Extension: with `activate`, whether the schedule of a new release starts paused. Absent: an existing pause stays.",
      ),
  }),
  response: s.model("AutomationSyncReleaseResponse", {
    success: success(),
    message: message(),
    release: Release.nullable().describe("The current release in the environment; null: there is none."),
    deployment: DeploymentResponse.nullable().describe(
      "The deployment that was recorded; null: nothing changed, or the release was deleted.",
    ),
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
  isBounded: true,
  ...shared,
  number: 18,
  method: "POST",
  changes: "nothing",
  path: "/api/automations/validate_query",
  scope: "header",
  summary: "Validate a query",
  description: "A failure returns `success: false` and an `error`.",
  access: "operator",
  readOnly: true,
  headers: environmentHeader,
  needsData: true,
  body: s.model("QueryRequest", { query: s.string().describe("One read-only statement in Databricks SQL.") }),
  response: QueryResponse,
  errors: [404, 409],
  example: {
    body: { query: "select count(*) from shop.sales.orders" },
    response: { success: true, result: 42, message: "The query is valid; it has 1 column.", error: null },
  },
});

export const setSchedule = endpoint({
  ...shared,
  number: 20,
  method: "POST",
  changes: "operation",
  path: `${one}/schedule/{action}`,
  scope: "schedule",
  summary: "Pause or resume the schedule of an automation",
  description:
    "Applies to the environment of `X-Environment-Id`, or to every environment with a current release. The pause is stored apart from the declared schedule and survives a new release. Pausing again changes nothing, unless the body has a reason or an end time: then the new pause replaces the old one.",
  access: "operator",
  headers: {
    "X-Environment-Id": "Id or name of an environment. Default: every environment with a current release.",
  },
  params: { action: s.literal("pause", "resume").describe("What to do with the schedule.") },
  body: s.model("ScheduleRequest", {
    reason: s.extension(s.string().nullable()).optional().describe("Extension: why it is paused."),
    until: s
      .extension(dateTime().nullable())
      .optional()
      .describe("Extension: when the pause ends by itself. Default: when resumed."),
  }),
  bodyOptional: true,
  response: s.model("ScheduleResponse", {
    success: success(),
    message: message(),
    schedules: s
      .list(ScheduleState)
      .describe("The schedules after the change, one for each environment that it applied to."),
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
  changes: "definition",
  path: "/api/automations",
  scope: "any",
  summary: "Register an automation",
  access: "operator",
  body: s.model(
    "AutomationCreateRequest",
    {
      alias: s.string({ min: 1 }).describe("Unique among all automations, such as `orders-daily`."),
      description: s.string().default("").describe("What the automation is for."),
      definition: AutomationDefinition.nullable()
        .optional()
        .describe("Its tasks and when they run. Null or absent: set it later."),
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
  scope: "any",
  summary: "List the automations",
  access: "viewer",
  query: listQuery(listFields.automations),
  response: s.model("AutomationList", {
    automations: s.list(Automation).describe("The automations on this page."),
    total: total(),
    next_cursor: nextCursor(),
  }),
  example: { response: { automations: [automation], total: 1 } },
});

export const getAutomation = endpoint({
  ...shared,
  method: "GET",
  path: one,
  scope: "automation",
  summary: "Read an automation with its releases and schedules",
  access: "viewer",
  response: AutomationDetails,
  errors: [404],
  versioned: true,
  example: { response: { automation, releases: [release], schedules: [scheduleState] } },
});

export const updateAutomation = endpoint({
  ...shared,
  method: "PATCH",
  changes: "draft",
  path: one,
  scope: "automation",
  summary: "Change an automation's description",
  description:
    "Its definition has an endpoint of its own. Its alias never changes: releases and bindings use it.",
  access: "operator",
  body: s.model("AutomationUpdateRequest", {
    description: s.string().optional().describe("What the automation is for. Absent: it stays as it is."),
  }),
  response: Automation,
  errors: [404, 412],
  versioned: true,
  example: { body: { description: "Refresh the orders every morning" }, response: automation },
});

export const deleteAutomation = endpoint({
  ...shared,
  method: "DELETE",
  changes: "definition",
  path: one,
  scope: "automation",
  summary: "Delete an automation",
  description:
    "Deletes its definition and its attempts. Returns 409 while it has a release in an environment, or while a chat channel is bound to it.",
  access: "operator",
  response: Done,
  errors: [404, 409, 412],
  versioned: true,
  example: { response: { success: true, message: "Automation orders-daily deleted." } },
});

export const setDefinition = endpoint({
  ...shared,
  method: "PUT",
  changes: "draft",
  path: `${one}/definition`,
  scope: "automation",
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
  scope: "automation",
  summary: "List the current releases of an automation, one for each environment",
  access: "viewer",
  query: listQuery(listFields.releases),
  response: s.model("ReleaseList", {
    releases: s.list(Release).describe("The releases on this page."),
    total: total(),
    next_cursor: nextCursor(),
  }),
  errors: [404],
  example: { response: { releases: [release], total: 1 } },
});

export const ReleasedDefinition = s.model("ReleasedDefinition", {
  release_id: s.string().describe("UUID of the release."),
  environment_id: s.string().describe("Id of the environment it was released in."),
  environment: s.string().describe("The environment's name."),
  is_current: s.boolean().describe("Whether it is the release that runs there; false: a former one."),
  definition: s
    .map()
    .nullable()
    .describe(
      "The AutomationDefinition that the release runs. Secret values are `********`. Null: it was released without one.",
    ),
});
export type ReleasedDefinition = s.Infer<typeof ReleasedDefinition>;

export const getReleasedDefinition = endpoint({
  ...shared,
  method: "GET",
  path: `${one}/releases/{release_id}`,
  scope: "automation",
  summary: "Read the definition of a release, current or former",
  description:
    "For each environment the definitions of the last 20 former releases are kept while the automation is released there. The events `automation.release_activated` name their ids. A release in an environment where the caller has no role is 404.",
  access: "viewer",
  response: ReleasedDefinition,
  errors: [404],
  example: {
    response: {
      release_id: exampleIds.release,
      environment_id: exampleIds.environment,
      environment: "prod",
      is_current: true,
      definition: exampleDefinition,
    },
  },
});
