import type { Logger } from "pino";
import type { Dependencies } from "../../../../core/dependencies.ts";
import type { Jobs } from "../../../jobs/jobs.ts";
import { createQueue } from "../../../jobs/queue.ts";
import { createRunRows } from "../../../jobs/run-rows.ts";
import type { Platform } from "../../platform.ts";
import type { SecretLookup } from "../credentials.ts";
import type { FollowerPace } from "../runs/environment-looks.ts";
import { createRunExecutor } from "../runs/run-executor.ts";
import { createRunFollower } from "../runs/run-follower.ts";
import type { Workspaces } from "../workspaces.ts";
import type { Generate } from "./deployment.ts";
import { createResourceRequests, type ResourceDocuments } from "./requests.ts";

export interface WorkspaceResourcesOptions {
  readonly workspaces: Workspaces;
  readonly documents: ResourceDocuments;
  readonly secretOf: SecretLookup;
  readonly generate: Generate;
  readonly jobs: Pick<Jobs, "rows" | "steps">;
  /** Whether this server executes runs. */
  readonly mayRun: () => boolean;
  /** A run of a resource has ended: with an error, or null. */
  readonly onRunEnded: (subject: string, error: string | null) => Promise<void>;
  readonly log: Logger;
  readonly pace?: FollowerPace | undefined;
}

/** The resources of environments in workspaces, and their runs. */
export function createWorkspaceResources(
  deps: Dependencies,
  options: WorkspaceResourcesOptions,
): Required<Pick<Platform, "perform" | "recorded" | "remoteJobs">> {
  const { workspaces, documents, secretOf, generate, jobs, mayRun, log, pace } = options;
  const runs = createRunRows(deps.store);
  const queue = createQueue(deps, runs);
  const follower = createRunFollower(deps, {
    workspaces,
    jobs: jobs.rows,
    runs,
    queue,
    mayRun,
    log,
    ...(pace && { pace }),
  });
  const requests = createResourceRequests({
    workspaces,
    documents,
    secretOf,
    generate,
    jobs,
    vault: deps.vault,
    settings: deps.settings,
    now: deps.system.now,
    onError: (error) => log.warn({ err: error }, "a workspace could not be searched for jobs made late"),
  });
  return {
    async perform(request) {
      const outcome = await requests.perform(request);
      follower.notice(request.environmentId);
      return outcome;
    },
    recorded: requests.recorded,
    remoteJobs: {
      executor: createRunExecutor(deps, { workspaces, runs, follower, onEnded: options.onRunEnded }),
      start: follower.start,
      stop: follower.stop,
    },
  };
}
