import type { Logger } from "pino";
import type { Dependencies } from "../../../../core/dependencies.ts";
import type { Outbox } from "../../../../core/outbox/outbox.ts";
import type { OutboxHandlers } from "../../../../core/outbox/topic.ts";
import { type ChangeContext, isSubject } from "../../../../core/store/store.ts";
import type { StoredJob } from "../../../jobs/job-rows.ts";
import type { Jobs } from "../../../jobs/jobs.ts";
import { createQueue } from "../../../jobs/queue.ts";
import { createRunRows } from "../../../jobs/run-rows.ts";
import type { InstalledSettings } from "../../installed-settings.ts";
import type { Platform, PlatformOutcome } from "../../platform.ts";
import { isComponentRequest, type PlatformRequest } from "../../platform-request.ts";
import type { WorkspaceComponents } from "../components/index.ts";
import type { SecretLookup } from "../credentials.ts";
import { createWorkspaceDrift } from "../drift/index.ts";
import { createFileCopies } from "../file-copies.ts";
import { createLateSearches } from "../late-search.ts";
import { createPipelineRequests, type PipelineDocuments } from "../pipelines/requests.ts";
import { createUpdateExecutor } from "../pipelines/update-executor.ts";
import { createUpdateFollower } from "../pipelines/update-follower.ts";
import { createRunExecutor } from "../runs/run-executor.ts";
import { createRunFollower } from "../runs/run-follower.ts";
import type { PollInterval } from "../runs/workspace-poller.ts";
import type { Workspaces } from "../workspaces.ts";
import type { Generate } from "./deployment.ts";
import { outcomeOf } from "./request-handler.ts";
import { createJobRequests, type ResourceDocuments } from "./requests.ts";

export interface WorkspaceResourcesOptions {
  readonly workspaces: Workspaces;
  readonly documents: ResourceDocuments & PipelineDocuments;
  readonly secretOf: SecretLookup;
  readonly generate: Generate;
  readonly jobs: Pick<Jobs, "rows" | "steps">;
  /** Whether this server executes runs. */
  readonly mayRun: () => boolean;
  /** A run of a resource has ended: with an error, or null. */
  readonly onRunEnded: (subject: string, error: string | null) => Promise<void>;
  /** Apps and the endpoints of agents. */
  readonly components: Pick<WorkspaceComponents, "perform" | "removeLate" | "isPending">;
  readonly installed: InstalledSettings;
  readonly outbox: () => Pick<Outbox, "add">;
  readonly log: Logger;
  readonly pace?: PollInterval | undefined;
}

/** The resources of environments in workspaces, and their runs. */
export function createWorkspaceResources(
  deps: Dependencies,
  options: WorkspaceResourcesOptions,
): Required<Pick<Platform, "perform" | "recorded" | "remoteJobs" | "drift" | "fileCopies">> & {
  readonly outbox: OutboxHandlers;
} {
  const { workspaces, documents, secretOf, generate, jobs, installed, mayRun, log, pace } = options;
  const runs = createRunRows(deps.store);
  /** Requests that are being performed, by environment and subject. */
  const busy = new Map<string, number>();
  const busyKey = (environmentId: string, subject: string) => `${environmentId} ${subject}`;
  const queue = createQueue(deps, runs, { queue: () => false });
  const following = { workspaces, jobs: jobs.rows, runs, queue, mayRun, log, ...(pace && { pace }) };
  const follower = createRunFollower(deps, following);
  const updates = createUpdateFollower(deps, following);
  const shared = {
    workspaces,
    secretOf,
    jobs,
    vault: deps.vault,
    settings: deps.settings,
    installed,
    now: deps.system.now,
  };
  const jobRequests = createJobRequests({ ...shared, documents, generate });
  const pipelineRequests = createPipelineRequests({ ...shared, documents });
  const runExecutor = createRunExecutor(deps, {
    workspaces,
    jobs: jobs.rows,
    runs,
    follower,
    installed,
    connector: documents.connector,
    onEnded: options.onRunEnded,
  });
  const { refresh } = pipelineRequests;
  const updateExecutor = createUpdateExecutor(deps, { workspaces, runs, follower: updates, refresh });
  const executorOf = (kind: StoredJob["kind"] | null) => (kind === "pipeline" ? updateExecutor : runExecutor);

  function perform(request: PlatformRequest): Promise<PlatformOutcome> {
    switch (request.kind) {
      case "pipeline.install":
      case "pipeline.remove":
        return pipelineRequests.perform(request);
      case "component.start":
      case "component.stop":
      case "component.remove":
        return options.components.perform(request);
      default:
        return jobRequests.perform(request);
    }
  }

  const searches = createLateSearches(deps, {
    outbox: options.outbox,
    log,
    async removeLate(request) {
      switch (request.kind) {
        case "pipeline.install":
        case "pipeline.remove":
          return pipelineRequests.removeLate(request);
        case "component.start":
        case "component.stop":
        case "component.remove":
          return options.components.removeLate(request);
        default:
          return jobRequests.removeLate(request);
      }
    },
  });

  function recorded(request: PlatformRequest, outcome: PlatformOutcome, context: ChangeContext) {
    switch (request.kind) {
      case "pipeline.install":
      case "pipeline.remove":
        return pipelineRequests.recorded(request, outcome, context);
      case "component.start":
      case "component.stop":
      case "component.remove":
        return [];
      default:
        return jobRequests.recorded(request, outcome, context);
    }
  }

  return {
    outbox: searches.handlers,
    fileCopies: createFileCopies(workspaces, deps.vault),
    async perform(request) {
      const key = busyKey(request.environmentId, request.subject);
      busy.set(key, (busy.get(key) ?? 0) + 1);
      try {
        const outcome = await outcomeOf(async () => perform(request));
        if (isComponentRequest(request)) return outcome;
        const { notice } = request.kind.startsWith("pipeline.") ? updates : follower;
        notice(request.environmentId);
        return outcome;
      } finally {
        const left = (busy.get(key) ?? 1) - 1;
        if (left > 0) busy.set(key, left);
        else busy.delete(key);
      }
    },
    recorded: (request, outcome, context) => [
      ...recorded(request, outcome, context),
      ...searches.steps(request, outcome, context),
    ],
    drift: createWorkspaceDrift({
      workspaces,
      installed,
      async isBusy(environmentId, subject) {
        if (busy.has(busyKey(environmentId, subject))) return true;
        const isComponent = isSubject("app", subject) || isSubject("agent", subject);
        return isComponent && options.components.isPending(environmentId, subject);
      },
      mayRun,
      now: deps.system.now,
    }),
    remoteJobs: {
      executor: {
        execute: (run, job, control) => executorOf(job.kind).execute(run, job, control),
        checkParameters: async (job, parameters) => executorOf(job.kind).checkParameters?.(job, parameters),
        abandon: async (run) => executorOf(run.kind).abandon?.(run),
      },
      start() {
        follower.start();
        updates.start();
      },
      async stop() {
        await Promise.all([follower.stop(), updates.stop()]);
      },
    },
  };
}
