import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { Done, dateTime, exampleIds, exampleTime, paging } from "./shared.ts";

const text = () => s.string().nullable();

export const Environment = s.model("Environment", {
  id: s.string(),
  name: s.string(),
  description: text(),
  protected: s.boolean().describe("For people's interfaces: editing is disabled there. The API still edits."),
  platform: s.string(),
  gitProvider: text(),
  gitRepository: text(),
  targetGitBranch: text(),
  secretScope: text(),
  dataPlatformClientIdKey: text(),
  dataPlatformClientSecretKey: text(),
  configuration: s.map().describe("Key-value settings. Secret values are answered as `********`."),
  isActive: s.boolean(),
  createdAt: dateTime(),
  updatedAt: dateTime(),
  createdBy: text(),
  updatedBy: text(),
});
export type Environment = s.Infer<typeof Environment>;

const settings = {
  platform: text().optional().describe("Absent or null: the server's default platform."),
  gitProvider: text().optional(),
  gitRepository: text().optional(),
  targetGitBranch: text().optional(),
  secretScope: text().optional(),
  dataPlatformClientIdKey: text().optional(),
  dataPlatformClientSecretKey: text().optional(),
};

export const EnvironmentCreateRequest = s.model("EnvironmentCreateRequest", {
  name: s.string({ min: 1 }).describe("Unique."),
  description: text().optional(),
  protected: s.boolean().default(false),
  ...settings,
  configuration: s.map().default({}),
  isActive: s.boolean().nullable().optional(),
  createdBy: text().optional().describe("Absent: the caller."),
});
export type EnvironmentCreateRequest = s.Infer<typeof EnvironmentCreateRequest>;

export const EnvironmentUpdateRequest = s.model("EnvironmentUpdateRequest", {
  name: s.string({ min: 1 }).nullable().optional(),
  description: text().optional(),
  protected: s.boolean().nullable().optional(),
  ...settings,
  configuration: s.map().nullable().optional().describe("Replaces the whole map."),
  isActive: s.boolean().nullable().optional(),
  updatedBy: text().optional(),
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
      deployment_name: text(),
      git_branch: s.string(),
      git_commit_sha: s.string(),
      completed_at: dateTime().nullable(),
    })
    .nullable(),
  current_releases: s.list(ReleaseBrief),
  deployment_counts: s.map(s.integer()).describe("How many deployments are in each status."),
  failure_streak: s.integer().describe("Failed deployments in a row, up to the newest."),
  reconciled_at: dateTime().nullable().describe("When a finish last recomputed this; null: never yet."),
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
    "Only the fields that are sent change. Null clears a nullable field and leaves any other as it is. A secret sent back as `********` keeps its stored value.",
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
    "409 while something lives in it; and without `force=true` where it is protected, or its warehouse has tables, which go with it.",
  access: "operator",
  needsData: true,
  query: {
    force: s
      .boolean()
      .default(false)
      .describe("Needed for a protected environment, and for one with tables in its warehouse."),
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
  summary: "What reconciliation computed: releases, latest success, counts, failures in a row",
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
