import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { listFields, listQuery, nextCursor } from "./lists.ts";
import {
  createdAt,
  Done,
  dateTime,
  environmentFilter,
  environmentHeader,
  environmentId,
  exampleIds,
  exampleTime,
  nullableText,
  total,
} from "./shared.ts";

export const DeploymentResponse = s.model("DeploymentResponse", {
  id: s.string().describe("UUID of the deployment."),
  deployment_name: nullableText().describe("Name for people, such as `orders 1.4.0`; null: none."),
  environment_id: environmentId(),
  git_branch: s.string().describe("The branch that is deployed; empty if unknown."),
  git_commit_sha: s.string().describe("The commit that is deployed; empty if unknown."),
  status: s
    .literal("pending", "running", "succeeded", "failed", "cancelled")
    .describe("`pending` until it is started; the last three are final."),
  job_run_id: nullableText().describe("Id of the run that deploys it, in your own system; null: none."),
  created_at: createdAt(),
  started_at: dateTime().nullable().describe("When it was marked as running; null: not yet."),
  completed_at: dateTime().nullable().describe("When it was finished; null: not yet."),
  initiated_by: nullableText().describe("The caller who created it."),
  error_message: nullableText().describe(
    "Why it failed, as sent when it was finished; null: nothing was sent.",
  ),
});
export type DeploymentResponse = s.Infer<typeof DeploymentResponse>;

export const DeploymentCreateRequest = s.model("DeploymentCreateRequest", {
  deployment_name: nullableText().optional().describe("Name for people, such as `orders 1.4.0`."),
  git_branch: s
    .string()
    .optional()
    .describe("The branch that is deployed. Default: the environment's `targetGitBranch`."),
  git_commit_sha: s.string().default("").describe("The commit that is deployed."),
  job_run_id: nullableText().optional().describe("Id of the run that deploys it, in your own system."),
});
export type DeploymentCreateRequest = s.Infer<typeof DeploymentCreateRequest>;

export const DeploymentFinishRequest = s.model("DeploymentFinishRequest", {
  status: s
    .literal("succeeded", "failed", "cancelled")
    .describe("The final status. Repeating it changes nothing; another one is 409."),
  error_message: nullableText().optional().describe("Why it failed, in a sentence or a stack trace."),
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
  changes: "operation",
  path: "/api/v1/deployments/",
  scope: "header",
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
  scope: "list",
  summary: "List the deployments",
  access: "viewer",
  headers: environmentFilter,
  query: listQuery(listFields.deployments),
  response: s.model("DeploymentList", {
    deployments: s.list(DeploymentResponse).describe("The deployments on this page."),
    total: total(),
    next_cursor: nextCursor(),
  }),
  errors: [404, 409],
  example: { response: { deployments: [deployment], total: 1 } },
});

export const getDeployment = endpoint({
  ...shared,
  method: "GET",
  path: one,
  scope: "deployment",
  summary: "Read a deployment",
  access: "viewer",
  response: DeploymentResponse,
  errors: [404],
  versioned: true,
  example: { response: deployment },
});

export const updateDeployment = endpoint({
  ...shared,
  method: "PATCH",
  changes: "operation",
  path: one,
  scope: "deployment",
  summary: "Change a deployment's metadata",
  description:
    "Fields that you leave out stay as they are. Once the deployment has ended, only its name can change (409): the rest is history.",
  access: "operator",
  body: s.model("DeploymentUpdateRequest", {
    deployment_name: nullableText().optional().describe("Its name. Null: none."),
    git_branch: s.string().optional().describe("The branch that is deployed."),
    git_commit_sha: s.string().optional().describe("The commit that is deployed."),
    job_run_id: nullableText().optional().describe("The run that deploys it. Null: none."),
  }),
  response: DeploymentResponse,
  errors: [404, 409, 412],
  versioned: true,
  example: { body: { deployment_name: "orders 1.4.0" }, response: deployment },
});

export const deleteDeployment = endpoint({
  ...shared,
  method: "DELETE",
  changes: "operation",
  path: one,
  scope: "deployment",
  summary: "Delete a deployment that has ended, and its log",
  description:
    "Its events stay, and the environment's summary no longer counts it. Returns 409 while it is pending or running, and while it is the deployment of a current release.",
  access: "admin",
  response: Done,
  errors: [404, 409, 412],
  versioned: true,
  example: { response: { success: true, message: `Deployment ${exampleIds.deployment} deleted.` } },
});

export const startDeployment = endpoint({
  isBounded: true,
  ...shared,
  method: "POST",
  changes: "operation",
  path: `${one}/start`,
  scope: "deployment",
  summary: "Mark a pending deployment as running",
  access: "operator",
  response: DeploymentResponse,
  errors: [404, 409],
  versioned: true,
  example: { response: { ...deployment, status: "running", started_at: exampleTime } },
});

export const finishDeployment = endpoint({
  isBounded: true,
  ...shared,
  number: 16,
  method: "POST",
  changes: "operation",
  path: `${one}/finish`,
  scope: "deployment",
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
  changes: "operation",
  path: `${one}/log`,
  scope: "deployment",
  summary: "Append to a deployment's log",
  access: "operator",
  body: s.model("DeploymentLogRequest", {
    log_chunk: s.string().describe("Text to append. Add the line break yourself."),
  }),
  response: DeploymentResponse,
  errors: [404, 409],
  versioned: true,
  example: { body: { log_chunk: "uploading…\n" }, response: { ...deployment, status: "running" } },
});

export const getDeploymentLog = endpoint({
  ...shared,
  method: "GET",
  path: `${one}/log`,
  scope: "deployment",
  summary: "Read a deployment's log",
  access: "viewer",
  response: s.model("DeploymentLog", {
    deployment_id: s.string().describe("Id of the deployment."),
    log: s.string().describe("The whole log: all chunks in order."),
  }),
  errors: [404],
  example: { response: { deployment_id: exampleIds.deployment, log: "uploading…\ndone\n" } },
});
