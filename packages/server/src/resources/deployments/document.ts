import type {
  DeploymentCreateRequest,
  DeploymentFinishRequest,
  DeploymentResponse,
  EndpointBody,
  Environment,
  endpoints,
} from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import { conflict } from "../../core/errors.ts";
import { definedOnly } from "../../core/patch.ts";
import { keyOf } from "../../core/store/collection.ts";
import type { ChangeContext } from "../../core/store/store.ts";

export type Deployment = DeploymentResponse;

export function newDeployment(
  id: string,
  body: DeploymentCreateRequest,
  environment: Environment,
  context: ChangeContext,
): Deployment {
  return {
    id,
    deployment_name: body.deployment_name ?? null,
    environment_id: environment.id,
    git_branch: body.git_branch ?? environment.targetGitBranch ?? "",
    git_commit_sha: body.git_commit_sha,
    status: "pending",
    job_run_id: body.job_run_id ?? null,
    created_at: context.time,
    started_at: null,
    completed_at: null,
    initiated_by: context.actor,
    error_message: null,
  };
}

export const isFinished = ({ status }: Deployment) => status !== "pending" && status !== "running";

/** The metadata of a deployment can change; once it has ended, only its name. */
export function changedDeployment(
  before: Deployment,
  body: EndpointBody<typeof endpoints.updateDeployment>,
): Deployment {
  const doc = { ...before, ...definedOnly(body) };
  const { deployment_name, ...rest } = doc;
  const { deployment_name: formerName, ...formerRest } = before;
  if (isFinished(before) && encodeJson(rest) !== encodeJson(formerRest)) {
    throw alreadyEnded(before, "changed, except for its name");
  }
  return doc;
}

/** Undefined: it is already running, and nothing changes. */
export function startedDeployment(before: Deployment, context: ChangeContext): Deployment | undefined {
  if (before.status === "running") return undefined;
  if (before.status !== "pending") throw alreadyEnded(before, "started");
  return { ...before, status: "running", started_at: context.time };
}

/** Undefined: it already ended with this status, and nothing changes. */
export function finishedDeployment(
  before: Deployment,
  { status, error_message }: DeploymentFinishRequest,
  context: ChangeContext,
): Deployment | undefined {
  if (before.status === status) return undefined;
  if (isFinished(before)) throw alreadyEnded(before, `finished as ${status}`);
  return { ...before, status, completed_at: context.time, error_message: error_message ?? null };
}

export const alreadyEnded = ({ id, status }: Deployment, action: string) =>
  conflict(`Deployment ${id} has ${endings[status]}. It cannot be ${action}.`);

/** A deployment that may still change is not deleted. */
export function requireDeletable(doc: Deployment): void {
  if (isFinished(doc)) return;
  throw conflict(`Deployment ${doc.id} is ${doc.status}. Finish it first, then delete it.`);
}

const endings: Record<Deployment["status"], string> = {
  pending: "not started",
  running: "not ended",
  succeeded: "succeeded",
  failed: "failed",
  cancelled: "been cancelled",
};

/** The id makes the key unique; the time before the id orders finished deployments by their end. */
export const deploymentKey = ({ id, created_at, completed_at }: Deployment) =>
  keyOf(completed_at ?? created_at, id);
