import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { Done, dateTime, exampleIds, exampleTime, nullableText, paging } from "./shared.ts";

export const Environment = s.model("Environment", {
  id: s.string(),
  name: s.string(),
  description: nullableText(),
  protected: s.boolean().describe("User interfaces disable editing. The API still allows it."),
  platform: s.string(),
  gitProvider: nullableText(),
  gitRepository: nullableText(),
  targetGitBranch: nullableText(),
  secretScope: nullableText(),
  dataPlatformClientIdKey: nullableText(),
  dataPlatformClientSecretKey: nullableText(),
  configuration: s.map().describe("Key-value settings. Secret values are returned as `********`."),
  isActive: s.boolean(),
  createdAt: dateTime(),
  updatedAt: dateTime(),
  createdBy: nullableText(),
  updatedBy: nullableText(),
});
export type Environment = s.Infer<typeof Environment>;

const settings = {
  platform: nullableText().optional().describe("Absent or null: the server's default platform."),
  gitProvider: nullableText().optional(),
  gitRepository: nullableText().optional(),
  targetGitBranch: nullableText().optional(),
  secretScope: nullableText().optional(),
  dataPlatformClientIdKey: nullableText().optional(),
  dataPlatformClientSecretKey: nullableText().optional(),
};

export const EnvironmentCreateRequest = s.model("EnvironmentCreateRequest", {
  name: s.string({ min: 1 }).describe("Unique."),
  description: nullableText().optional(),
  protected: s.boolean().default(false),
  ...settings,
  configuration: s.map().default({}),
  isActive: s.boolean().nullable().optional(),
  createdBy: nullableText().optional().describe("Default: the caller."),
});
export type EnvironmentCreateRequest = s.Infer<typeof EnvironmentCreateRequest>;

export const EnvironmentUpdateRequest = s.model("EnvironmentUpdateRequest", {
  name: s.string({ min: 1 }).nullable().optional(),
  description: nullableText().optional(),
  protected: s.boolean().nullable().optional(),
  ...settings,
  configuration: s.map().nullable().optional().describe("Replaces the whole map."),
  isActive: s.boolean().nullable().optional(),
  updatedBy: nullableText().optional(),
});
export type EnvironmentUpdateRequest = s.Infer<typeof EnvironmentUpdateRequest>;

const ReleaseBrief = s.model("ReleaseBrief", {
  artifact: s.string().describe("`automation/<alias>` or `agent/<name>`."),
  version: s.string(),
  activated_at: dateTime(),
});

export const EnvironmentSummary = s.model("EnvironmentSummary", {
  environment_id: s.string(),
  latest_success: s
    .model("DeploymentBrief", {
      id: s.string(),
      deployment_name: nullableText(),
      git_branch: s.string(),
      git_commit_sha: s.string(),
      completed_at: dateTime().nullable(),
    })
    .nullable(),
  current_releases: s.list(ReleaseBrief),
  deployment_counts: s.map(s.integer()).describe("Number of deployments in each status."),
  failure_streak: s.integer().describe("Number of consecutive failed deployments, up to the newest."),
  reconciled_at: dateTime()
    .nullable()
    .describe("When a finished deployment last updated this summary; null: never."),
});
export type EnvironmentSummary = s.Infer<typeof EnvironmentSummary>;

const environment = {
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
  path: "/api/v1/environments/",
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
    response: environment,
  },
});

export const listEnvironments = endpoint({
  ...shared,
  method: "GET",
  path: "/api/v1/environments/",
  summary: "List the environments",
  access: "viewer",
  query: paging,
  response: s.model("EnvironmentList", { environments: s.list(Environment), total: s.integer() }),
  example: { response: { environments: [environment], total: 1 } },
});

export const getEnvironment = endpoint({
  ...shared,
  method: "GET",
  path: "/api/v1/environments/{environment_id}",
  summary: "Read an environment, by id or name",
  access: "viewer",
  response: Environment,
  errors: [404],
  versioned: true,
  example: { response: environment },
});

export const updateEnvironment = endpoint({
  ...shared,
  number: 5,
  method: "PATCH",
  path: "/api/v1/environments/{environment_id}",
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
    response: { ...environment, description: "Before production" },
  },
});

export const deleteEnvironment = endpoint({
  ...shared,
  method: "DELETE",
  path: "/api/v1/environments/{environment_id}",
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
