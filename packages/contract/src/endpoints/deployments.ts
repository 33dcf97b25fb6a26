import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import {
  dateTime,
  environmentFilter,
  environmentHeader,
  exampleIds,
  exampleTime,
  nullableText,
  paging,
} from "./shared.ts";

export const DeploymentResponse = s.model("DeploymentResponse", {
  id: s.string(),
  deployment_name: nullableText(),
  environment_id: s.string(),
  git_branch: s.string(),
  git_commit_sha: s.string(),
  status: s.literal("pending", "running", "succeeded", "failed", "cancelled"),
  job_run_id: nullableText(),
  created_at: dateTime(),
  started_at: dateTime().nullable(),
  completed_at: dateTime().nullable(),
  initiated_by: nullableText(),
  error_message: nullableText(),
});
export type DeploymentResponse = s.Infer<typeof DeploymentResponse>;

export const DeploymentCreateRequest = s.model("DeploymentCreateRequest", {
  deployment_name: nullableText().optional(),
  git_branch: s.string().optional().describe("Default: the environment's target branch."),
  git_commit_sha: s.string().default(""),
  job_run_id: nullableText().optional(),
});
export type DeploymentCreateRequest = s.Infer<typeof DeploymentCreateRequest>;

export const DeploymentFinishRequest = s.model("DeploymentFinishRequest", {
  status: s.literal("succeeded", "failed", "cancelled"),
  error_message: nullableText().optional(),
  log_chunk: nullableText().optional().describe("Appended to the deployment's log."),
});
export type DeploymentFinishRequest = s.Infer<typeof DeploymentFinishRequest>;

const deployment = {
  id: exampleIds.deployment,
  deployment_name: "orders 1.4.0",
  environment_id: exampleIds.environment,
  git_branch: "main",
  git_commit_sha: "3f9c1d2",
  status: "pending",
  job_run_id: null,
  created_at: exampleTime,
  started_at: null,
  completed_at: null,
  initiated_by: "ci",
  error_message: null,
} as const;

const shared = { tag: "Deployments" } as const;
const one = "/api/v1/deployments/{deployment_id}";

export const createDeployment = endpoint({
  ...shared,
  method: "POST",
  path: "/api/v1/deployments/",
  summary: "Create a deployment",
  access: "operator",
  headers: environmentHeader,
  body: DeploymentCreateRequest,
  response: DeploymentResponse,
  errors: [404, 409],
  creates: true,
  versioned: true,
  example: {
    body: { deployment_name: "orders 1.4.0", git_branch: "main", git_commit_sha: "3f9c1d2" },
    response: deployment,
  },
});

export const listDeployments = endpoint({
  ...shared,
  method: "GET",
  path: "/api/v1/deployments/",
  summary: "List the deployments",
  access: "viewer",
  headers: environmentFilter,
  query: paging,
  response: s.model("DeploymentList", { deployments: s.list(DeploymentResponse), total: s.integer() }),
  errors: [404, 409],
  example: { response: { deployments: [deployment], total: 1 } },
});

export const getDeployment = endpoint({
  ...shared,
  method: "GET",
  path: one,
  summary: "Read a deployment",
  access: "viewer",
  response: DeploymentResponse,
  errors: [404],
  versioned: true,
  example: { response: deployment },
});

export const startDeployment = endpoint({
  ...shared,
  method: "POST",
  path: `${one}/start`,
  summary: "Mark a pending deployment as running",
  access: "operator",
  response: DeploymentResponse,
  errors: [404, 409],
  versioned: true,
  example: { response: { ...deployment, status: "running", started_at: exampleTime } },
});

export const finishDeployment = endpoint({
  ...shared,
  number: 16,
  method: "POST",
  path: `${one}/finish`,
  summary: "Finish a deployment",
  description:
    "Stores the final status and updates the environment's summary. Repeating the same status changes nothing; a different status returns 409.",
  access: "operator",
  body: DeploymentFinishRequest,
  response: DeploymentResponse,
  errors: [404, 409],
  versioned: true,
  example: {
    body: { status: "succeeded", log_chunk: "done\n" },
    response: { ...deployment, status: "succeeded", completed_at: exampleTime },
  },
});

export const appendDeploymentLog = endpoint({
  ...shared,
  method: "POST",
  path: `${one}/log`,
  summary: "Append to a deployment's log",
  access: "operator",
  body: s.model("DeploymentLogRequest", { log_chunk: s.string() }),
  response: DeploymentResponse,
  errors: [404, 409],
  versioned: true,
  example: { body: { log_chunk: "uploading…\n" }, response: { ...deployment, status: "running" } },
});

export const getDeploymentLog = endpoint({
  ...shared,
  method: "GET",
  path: `${one}/log`,
  summary: "Read a deployment's log",
  access: "viewer",
  response: s.model("DeploymentLog", { deployment_id: s.string(), log: s.string() }),
  errors: [404],
  example: { response: { deployment_id: exampleIds.deployment, log: "uploading…\ndone\n" } },
});
