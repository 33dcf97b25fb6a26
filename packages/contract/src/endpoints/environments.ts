import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { listFields, listQuery, memoryListFields, nextCursor } from "./lists.ts";
import {
  createdAt,
  Done,
  dateTime,
  exampleIds,
  exampleTime,
  largePage,
  nullableText,
  total,
  updatedAt,
  updatedBy,
} from "./shared.ts";

const whoChanges =
  "True: only admins may change it and what is in it, and another admin than its author must approve a plan before it is applied.";

export const Environment = s.model("Environment", {
  id: s.string().describe("UUID of the environment."),
  name: s.string().describe("Unique. Accepted wherever an environment is named."),
  description: nullableText().describe("What the environment is for; null: not given."),
  protected: s.boolean().describe("Only admins may change it and what is in it."),
  platform: s.string().describe("Name of the platform that runs its jobs, such as `embedded`."),
  gitProvider: nullableText().describe("Where its repository is, such as `github`; null: not given."),
  gitRepository: nullableText().describe(
    "URL of the repository that bundles are deployed from; null: not given.",
  ),
  targetGitBranch: nullableText().describe("The branch that is deployed here; null: not given."),
  secretScope: nullableText().describe(
    "The scope that generated code reads its secrets from; null: `lakehelm`.",
  ),
  dataPlatformClientIdKey: nullableText().describe(
    "Name of the secret with the platform's client id; null: not given.",
  ),
  dataPlatformClientSecretKey: nullableText().describe(
    "Name of the secret with the platform's client secret; null: not given.",
  ),
  configuration: s
    .map()
    .describe(
      "Key-value settings, such as `catalog`, `schema` and `timezone`. Secret values are returned as `********`.",
    ),
  isActive: s
    .boolean()
    .describe("Whether anything may run in it. An inactive environment can be read and changed."),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
  createdBy: nullableText().describe("Who created it, as sent, or the caller."),
  updatedBy: updatedBy(),
});
export type Environment = s.Infer<typeof Environment>;

const settings = {
  platform: nullableText()
    .optional()
    .describe(
      "Name of the platform that runs its jobs: `embedded`, `databricks` or `spark`. Absent or null: the server's default platform.",
    ),
  gitProvider: nullableText()
    .optional()
    .describe("Where its repository is, such as `github`. It is only stored."),
  gitRepository: nullableText()
    .optional()
    .describe("URL of the repository that bundles are deployed from, without credentials."),
  targetGitBranch: nullableText()
    .optional()
    .describe("The branch that is deployed here. New deployments and generated bundles use it."),
  secretScope: nullableText()
    .optional()
    .describe(
      "The scope that generated code reads its secrets from, and that has the platform's credentials. Null: `lakehelm`.",
    ),
  dataPlatformClientIdKey: nullableText()
    .optional()
    .describe(
      "Name of the secret, in `secretScope`, with the client id that signs in to the platform. Databricks: the application id of a service principal.",
    ),
  dataPlatformClientSecretKey: nullableText()
    .optional()
    .describe("Name of the secret, in `secretScope`, with the client secret that belongs to it."),
};

export const EnvironmentCreateRequest = s.model("EnvironmentCreateRequest", {
  name: s.string({ min: 1 }).describe("Unique among all environments, such as `staging`."),
  description: nullableText().optional().describe("What the environment is for."),
  protected: s.boolean().default(false).describe(whoChanges),
  ...settings,
  configuration: s
    .map()
    .default({})
    .describe(
      "Key-value settings, such as `catalog`, `schema` and `timezone`. Secret values are stored encrypted. `changes: plan` refuses changes of definitions other than by plans.",
    ),
  isActive: s
    .boolean()
    .nullable()
    .optional()
    .describe("Whether anything may run in it. Absent or null: true."),
  createdBy: nullableText().optional().describe("Who creates it. Absent or null: the caller."),
});
export type EnvironmentCreateRequest = s.Infer<typeof EnvironmentCreateRequest>;

export const EnvironmentUpdateRequest = s.model("EnvironmentUpdateRequest", {
  name: s
    .string({ min: 1 })
    .nullable()
    .optional()
    .describe("Unique among all environments. The default environment cannot be renamed (409)."),
  description: nullableText().optional().describe("What the environment is for. Null clears it."),
  protected: s.boolean().nullable().optional().describe(whoChanges),
  ...settings,
  configuration: s
    .map()
    .nullable()
    .optional()
    .describe("Replaces the whole map. A secret sent as `********` keeps its stored value."),
  isActive: s.boolean().nullable().optional().describe("Whether anything may run in it."),
  updatedBy: nullableText().optional().describe("Who changes it. Absent or null: the caller."),
});
export type EnvironmentUpdateRequest = s.Infer<typeof EnvironmentUpdateRequest>;

const ReleaseBrief = s.model("ReleaseBrief", {
  artifact: s.string().describe("`automation/<alias>` or `agent/<name>`."),
  version: s.string().describe("The current version, such as `1.4.0`."),
  activated_at: dateTime().describe("When it became current."),
});

export const EnvironmentSummary = s.model("EnvironmentSummary", {
  environment_id: s.string().describe("Id of the environment."),
  latest_success: s
    .model("DeploymentBrief", {
      id: s.string().describe("UUID of the deployment."),
      deployment_name: nullableText().describe("Name for people; null: none."),
      git_branch: s.string().describe("The branch that was deployed; empty if unknown."),
      git_commit_sha: s.string().describe("The commit that was deployed; empty if unknown."),
      completed_at: dateTime().nullable().describe("When it was finished."),
    })
    .nullable()
    .describe("The newest deployment that succeeded; null: none has."),
  current_releases: s.list(ReleaseBrief).describe("The current release of each automation and agent."),
  deployment_counts: s.map(s.integer()).describe("Number of deployments in each status."),
  failure_streak: s.integer().describe("Number of consecutive failed deployments, up to the newest."),
  reconciled_at: dateTime()
    .nullable()
    .describe("When a finished deployment last updated this summary; null: never."),
});
export type EnvironmentSummary = s.Infer<typeof EnvironmentSummary>;

export const environmentExample = {
  id: exampleIds.environment,
  name: "staging",
  description: null,
  protected: false,
  platform: "embedded",
  gitProvider: null,
  gitRepository: null,
  targetGitBranch: "main",
  secretScope: null,
  dataPlatformClientIdKey: null,
  dataPlatformClientSecretKey: null,
  configuration: { catalog: "shop", api_token: "********" },
  isActive: true,
  createdAt: exampleTime,
  updatedAt: exampleTime,
  createdBy: "internal-service",
  updatedBy: null,
};

const shared = { tag: "Environments" } as const;

export const createEnvironment = endpoint({
  ...shared,
  number: 15,
  method: "POST",
  changes: "settings",
  path: "/api/v1/environments/",
  scope: "server",
  summary: "Create an environment",
  access: "operator",
  body: EnvironmentCreateRequest,
  response: Environment,
  errors: [409],
  creates: true,
  versioned: true,
  example: {
    body: {
      name: "staging",
      targetGitBranch: "main",
      configuration: { catalog: "shop", api_token: "s3cret" },
    },
    response: environmentExample,
  },
});

export const listEnvironments = endpoint({
  ...shared,
  method: "GET",
  path: "/api/v1/environments/",
  scope: "list",
  summary: "List the environments",
  access: "viewer",
  query: listQuery(listFields.environments),
  response: s.model("EnvironmentList", {
    environments: s.list(Environment).describe("The environments on this page."),
    total: total(),
    next_cursor: nextCursor(),
  }),
  example: { response: { environments: [environmentExample], total: 1 } },
});

export const getEnvironment = endpoint({
  ...shared,
  method: "GET",
  path: "/api/v1/environments/{environment_id}",
  scope: "environment",
  summary: "Read an environment, by id or name",
  access: "viewer",
  response: Environment,
  errors: [404],
  versioned: true,
  example: { response: environmentExample },
});

export const updateEnvironment = endpoint({
  ...shared,
  number: 5,
  method: "PATCH",
  changes: "settings",
  path: "/api/v1/environments/{environment_id}",
  scope: "environment",
  summary: "Change an environment",
  description:
    "Changes only the fields that you send. Null clears a nullable field and is ignored for any other field. A secret sent as `********` keeps its stored value.",
  access: "operator",
  body: EnvironmentUpdateRequest,
  response: Environment,
  errors: [404, 409, 412],
  versioned: true,
  example: {
    body: { description: "Before production" },
    response: { ...environmentExample, description: "Before production" },
  },
});

export const deleteEnvironment = endpoint({
  ...shared,
  method: "DELETE",
  changes: "settings",
  path: "/api/v1/environments/{environment_id}",
  scope: "environment",
  summary: "Delete an empty environment",
  description:
    "Returns 409 while the environment has resources. Without `force=true` it also returns 409 if the environment is protected or its warehouse has tables. The tables are deleted with it.",
  access: "operator",
  needsData: true,
  query: {
    force: s
      .boolean()
      .default(false)
      .describe("Required for a protected environment, and for one with tables in its warehouse."),
  },
  response: Done,
  errors: [404, 409, 412],
  versioned: true,
  example: { response: { success: true, message: "Environment staging deleted." } },
});

export const getEnvironmentSummary = endpoint({
  ...shared,
  method: "GET",
  path: "/api/v1/environments/{environment_id}/summary",
  scope: "environment",
  summary: "Get the summary of an environment's releases and deployments",
  access: "viewer",
  response: EnvironmentSummary,
  errors: [404],
  example: {
    response: {
      environment_id: exampleIds.environment,
      latest_success: null,
      current_releases: [],
      deployment_counts: {},
      failure_streak: 0,
      reconciled_at: null,
    },
  },
});

export const EnvironmentCheck = s.model("EnvironmentCheck", {
  ok: s.boolean().describe("True if no finding is `failed`."),
  platform: s.string().describe("Name of the environment's platform."),
  findings: s
    .list(
      s.model("EnvironmentFinding", {
        name: s
          .string()
          .describe(
            "What was checked: `identity`, `warehouse`, `catalog`, … Each platform has its own list.",
          ),
        status: s
          .literal("ok", "warning", "failed", "skipped")
          .describe(
            "`warning`: it works, with something to know. `skipped`: an earlier finding prevents it.",
          ),
        message: s.string().describe("What was found."),
        action: nullableText().describe("What to do about it; null: nothing."),
      }),
    )
    .describe("One for each part of the platform, in order."),
});
export type EnvironmentCheck = s.Infer<typeof EnvironmentCheck>;

export const checkEnvironment = endpoint({
  isBounded: true,
  ...shared,
  method: "POST",
  changes: "nothing",
  path: "/api/v1/environments/{environment_id}/check",
  scope: "environment",
  summary: "Check what works in an environment",
  description:
    "Asks the platform whether it can be reached, who Lakehelm is there, and what it may do. Changes nothing: a file that it writes where rows are staged is removed again.",
  access: "operator",
  effect: "connects to another system",
  needsData: true,
  response: EnvironmentCheck,
  errors: [404, 409],
  example: {
    response: {
      ok: false,
      platform: "databricks",
      findings: [
        {
          name: "identity",
          status: "ok",
          message: "https://dbc-1234.example.com accepts the credentials of loader.",
          action: null,
        },
        {
          name: "warehouse",
          status: "failed",
          message: "The environment has no SQL warehouse.",
          action: "Set configuration.warehouse_id to the id of a SQL warehouse.",
        },
      ],
    },
  },
});

export const EnvironmentRole = s.model("EnvironmentRole", {
  username: s.string().describe("The user, as the workspace names it: `ada@example.com`."),
  role: s
    .literal("viewer", "operator", "admin")
    .describe("What the user may do there. Each role includes the previous ones."),
  granted_by: s.string().describe("The caller who gave the role."),
  granted_at: dateTime().describe("When it was given."),
});
export type EnvironmentRole = s.Infer<typeof EnvironmentRole>;

const environmentRole = {
  username: "ada@example.com",
  role: "operator",
  granted_by: "internal-service",
  granted_at: exampleTime,
} as const;

export const listEnvironmentRoles = endpoint({
  ...shared,
  method: "GET",
  path: "/api/v1/environments/{environment_id}/roles",
  scope: "environment",
  summary: "List the users who have a role of their own in an environment",
  description: "Users without one have their role on the whole server there.",
  access: "admin",
  query: { ...listQuery(memoryListFields.roles), limit: largePage },
  response: s.model("EnvironmentRoleList", {
    roles: s.list(EnvironmentRole).describe("The roles, by user name."),
    total: s.integer().describe("Number of users who have a role of their own and match."),
    next_cursor: nextCursor(),
  }),
  errors: [404],
  example: { response: { roles: [environmentRole], total: 1 } },
});

export const putEnvironmentRole = endpoint({
  ...shared,
  method: "PUT",
  changes: "settings",
  path: "/api/v1/environments/{environment_id}/roles/{username}",
  scope: "environment",
  summary: "Give a user a role in an environment",
  description:
    "It replaces the user's role on the whole server there, higher or lower. Admins of the server are admins everywhere. It takes effect at once, on every server. The user need not exist yet: in a Databricks workspace, Lakehelm learns of users when they call.",
  access: "admin",
  body: s.model("EnvironmentRoleRequest", {
    role: s
      .literal("viewer", "operator", "admin")
      .describe("What the user may do there. Each role includes the previous ones."),
  }),
  response: EnvironmentRole,
  errors: [404, 409],
  example: { body: { role: "operator" }, response: environmentRole },
});

export const deleteEnvironmentRole = endpoint({
  ...shared,
  method: "DELETE",
  changes: "settings",
  path: "/api/v1/environments/{environment_id}/roles/{username}",
  scope: "environment",
  summary: "Remove a user's role in an environment",
  access: "admin",
  response: Done,
  errors: [404],
  example: { response: { success: true, message: "ada@example.com has no role of its own in staging." } },
});
