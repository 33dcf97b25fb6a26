import type { Engine, FolderAccess } from "@lakehelm/engine";
import type { Logger } from "pino";
import type { Dependencies } from "../core/dependencies.ts";
import { Problem } from "../core/errors.ts";
import type { Outbox } from "../core/outbox/outbox.ts";
import { idOf, isSubject } from "../core/store/store.ts";
import { generateCode } from "../resources/codegen/generate-code.ts";
import { readText } from "../resources/files/read-text.ts";
import type { Jobs } from "../runtime/jobs/jobs.ts";
import { watchedPathProblem } from "../runtime/jobs/watched-path.ts";
import { keepConnections } from "../runtime/outbound/http-exchange.ts";
import { createOutbound } from "../runtime/outbound/outbound.ts";
import type { OwnPorts } from "../runtime/outbound/own-ports.ts";
import { connectorRules } from "../runtime/outbound/rules.ts";
import { createWorkspaceComponents } from "../runtime/platforms/databricks/components/index.ts";
import { createDatabricksPlatform } from "../runtime/platforms/databricks/index.ts";
import { createWorkspaceResources } from "../runtime/platforms/databricks/jobs/index.ts";
import { importLimit } from "../runtime/platforms/databricks/jobs/workspace-files.ts";
import { createWorkspaces } from "../runtime/platforms/databricks/workspaces.ts";
import { createEmbeddedPlatform } from "../runtime/platforms/embedded/index.ts";
import { createInstalledSettings } from "../runtime/platforms/installed-settings.ts";
import type { Platform, Settle } from "../runtime/platforms/platform.ts";
import { createServerComponents } from "../runtime/platforms/server-components.ts";
import { createSparkPlatform } from "../runtime/platforms/spark/index.ts";
import { describeTable } from "../runtime/platforms/table-metadata.ts";
import type { Processes } from "../runtime/processes/processes.ts";
import type { TaskProcesses } from "../runtime/processes/tasks/task-processes.ts";
import type { Resources } from "./resources.ts";

interface PlatformParts {
  readonly engine: Engine;
  readonly jobs: Jobs;
  readonly processes: Processes;
  readonly taskProcesses: TaskProcesses;
  readonly folders: FolderAccess;
  readonly ownPorts: OwnPorts;
  /** Platforms besides the embedded one, Databricks and Spark. */
  readonly others: readonly Platform[];
  readonly settleDrift: Settle;
  /** Whether this server executes runs: it holds the data folder and is not paused. */
  readonly mayRun: () => boolean;
  /** Platforms are built before the resources and the outbox, and call them later. */
  readonly resources: () => Resources;
  readonly outbox: () => Outbox;
  readonly log: Logger;
}

/** Builds every platform, with what each may read of the resources. */
export function composePlatforms(deps: Dependencies, parts: PlatformParts) {
  const { settings } = deps;
  const { engine, jobs, processes, taskProcesses, folders, ownPorts, mayRun, outbox, log } = parts;
  const rules = { ...connectorRules(settings), ownPorts: ownPorts.set };
  const isProduction = settings.PLATFORM_ENV === "production";
  const connections = {
    environment: async (id: string) => (await parts.resources().environments.read(id)).doc,
    configurationOf: (id: string) => parts.resources().environments.configurationOf(id),
    secretOf: (...request: Parameters<Resources["secrets"]["resolve"]>) =>
      parts.resources().secrets.resolve(...request),
  };
  const { secretOf } = connections;
  const pipeline = (id: string) => parts.resources().pipelines.declaredOf(id).catch(orMissing);

  const workspaces = createWorkspaces({
    system: deps.system,
    outbound: createOutbound(rules, undefined, keepConnections()),
    allowsHttp: !isProduction,
    ...connections,
  });
  const installed = createInstalledSettings(deps.store, parts.settleDrift);
  const workspaceComponents = createWorkspaceComponents(deps, {
    workspaces,
    installed,
    documents: {
      app: async (id) => (await parts.resources().apps.read(id).catch(orMissing))?.doc,
      endpoint: (agentId, environmentId) =>
        parts.resources().agents.component(agentId, environmentId, "agent_endpoint"),
      versionMetadata: (agentId, version) => parts.resources().agents.versions.settings(agentId, version),
    },
    secretOf,
    readSource: (...request) => parts.resources().files.readFolder(...request),
    running: () => parts.resources().runningComponents("databricks"),
    observe: ({ subject, environmentId }, observation) =>
      isSubject("app", subject)
        ? parts.resources().apps.observe(idOf(subject), observation)
        : parts.resources().agents.observeEndpoint(idOf(subject), environmentId, observation),
    mayRun,
    log,
  });
  const workspaceResources = createWorkspaceResources(deps, {
    workspaces,
    documents: {
      connector: async (id) => (await parts.resources().connectors.withSecrets(id).catch(orMissing))?.doc,
      flow: async (id) => (await parts.resources().flows.read(id).catch(orMissing))?.doc,
      automation: (id, environmentId) => parts.resources().releasedDefinition(id, environmentId),
      referenceOf: (...request) => parts.resources().workspaceReference(...request),
      agent: (reference) => parts.resources().agents.named(reference),
      pipeline,
      file: async (id, path) => {
        const { environments, files } = parts.resources();
        return readText(files, (await environments.read(id)).doc, path, importLimit).catch(orMissing);
      },
    },
    secretOf,
    generate: (generator, request, context, environmentId) =>
      generateCode(parts.resources().generator, generator, request, context, (table) =>
        describeTable(databricks, environmentId, table),
      ),
    jobs,
    mayRun,
    onRunEnded: (subject, error) => parts.resources().runEndedElsewhere(subject, error),
    components: workspaceComponents,
    installed,
    outbox,
    log,
  });
  const databricks = createDatabricksPlatform(workspaces, settings, workspaceResources, workspaceComponents);

  const spark = createSparkPlatform({ rules, allowsPlain: !isProduction, ...connections }, deps, {
    jobs: jobs.steps,
    engine,
    folders,
    components: createServerComponents("spark", processes),
    taskProcesses,
    pipelineExists: async (id) => (await pipeline(id)) !== undefined,
    pathProblem: (path) => watchedPathProblem(path, folders),
  });

  const besidesEmbedded: readonly Platform[] = [databricks, spark, ...parts.others];
  const platforms: readonly Platform[] = [
    createEmbeddedPlatform(deps, jobs.steps, engine, processes, folders),
    ...besidesEmbedded,
  ];
  return {
    platforms,
    besidesEmbedded,
    outbox: workspaceResources.outbox,
    metrics: workspaces.metrics,
    start() {
      for (const { remoteJobs, remoteComponents } of platforms) {
        remoteJobs?.start();
        remoteComponents?.start();
      }
    },
    async stop() {
      await Promise.all(
        platforms.flatMap(({ remoteJobs, remoteComponents }) => [
          remoteJobs?.stop(),
          remoteComponents?.stop(),
        ]),
      );
    },
    close: spark.close,
  };
}

export type Platforms = ReturnType<typeof composePlatforms>;

/** A resource that was deleted meanwhile. */
function orMissing(error: unknown): undefined {
  if (!(error instanceof Problem) || error.kind !== "notFound") throw error;
}
