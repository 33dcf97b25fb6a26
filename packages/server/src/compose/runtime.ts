import { join } from "node:path";
import { createEngine, type FolderAccess } from "@lakehelm/engine";
import type { Logger } from "pino";
import type { DataFolderHolder } from "../core/data-folder-holder.ts";
import { createOutbox } from "../core/outbox/outbox.ts";
import { parseProcessId } from "../core/processes.ts";
import { version } from "../core/version.ts";
import { createDriftRecord } from "../resources/drift/drift-record.ts";
import { mergeModules } from "../resources/module.ts";
import { executeByKind } from "../runtime/jobs/executors.ts";
import { createJobs } from "../runtime/jobs/jobs.ts";
import { watchProblem } from "../runtime/jobs/watched-path.ts";
import { createOwnPorts } from "../runtime/outbound/own-ports.ts";
import { connectorRules } from "../runtime/outbound/rules.ts";
import { createEngineAccess } from "../runtime/platforms/embedded/engine-access.ts";
import {
  engineLimits,
  warehouseMemoryMb,
  warehouseThreads,
} from "../runtime/platforms/embedded/engine-limits.ts";
import { recordEngine } from "../runtime/platforms/embedded/engine-record.ts";
import { createWarehouses } from "../runtime/platforms/embedded/warehouses.ts";
import { engineByPlatform } from "../runtime/platforms/engine-by-platform.ts";
import type { Platform } from "../runtime/platforms/platform.ts";
import { createPlatformRequests } from "../runtime/platforms/platform-requests.ts";
import { createQueryQueue } from "../runtime/platforms/query-queue.ts";
import { createConfinement } from "../runtime/processes/confinement/confinement.ts";
import { createOutputArchive } from "../runtime/processes/log-archive.ts";
import { createProcesses } from "../runtime/processes/supervisor.ts";
import { createTaskProcesses } from "../runtime/processes/tasks/task-processes.ts";
import type { Tracing } from "../tracing.ts";
import { createAddresses } from "../web/gateway/addresses.ts";
import { createTickets } from "../web/gateway/tickets.ts";
import type { Identity } from "../web/identity/identity.ts";
import type { Core } from "./core.ts";
import { composePlatforms } from "./platforms.ts";
import type { Resources, Runtime } from "./resources.ts";

interface RuntimeParts {
  readonly folders: FolderAccess;
  readonly identity: Identity;
  readonly tracing: Tracing | undefined;
  /** Platforms besides the embedded one, Databricks and Spark. */
  readonly otherPlatforms: readonly Platform[];
  /** For tests: the crash points at which the engine processes kill themselves, one per process. */
  readonly faults: readonly string[] | undefined;
  /** What is built later, and called when the server has started. */
  readonly resources: () => Resources;
  readonly holder: () => DataFolderHolder;
  /** The URL of the API for processes of this machine, and the URL for browsers that use apps. */
  readonly ownUrl: () => string;
  readonly appsUrl: () => string;
  readonly log: Logger;
}

/** Builds what executes: the engine, jobs, processes, platforms and the outbox. */
export async function composeRuntime(core: Core, parts: RuntimeParts) {
  const { deps, dataDir, folderId, pause } = core;
  const { settings, system } = deps;
  const { folders, identity, tracing, resources, log } = parts;
  const mayRun = () => parts.holder() === "here" && !pause.isPaused();
  const platformOf = async (environmentId: string) =>
    (await resources().environments.find(environmentId))?.doc.platform;
  const findPlatform = async (environmentId: string) => {
    const wanted = await platformOf(environmentId);
    return platforms.platforms.find(({ name }) => name === wanted);
  };
  /** Merged once: the outbox looks a handler up for each entry. */
  let merged: ReturnType<typeof mergeModules> | undefined;
  const handlers = () => {
    merged ??= mergeModules([
      { outbox: { ...openLineage?.handlers, ...platforms.outbox } },
      ...resources().modules,
    ]);
    return merged;
  };

  const warehouseFolder = join(dataDir, "warehouse");
  const embeddedEngine = createEngineAccess(
    () =>
      createEngine({
        folder: warehouseFolder,
        memoryMb: warehouseMemoryMb(settings),
        threads: warehouseThreads(settings),
        folders,
        egress: { ...connectorRules(settings), ownPorts: () => ownPorts.list },
        limits: engineLimits(settings),
        onLog: (line) => log.warn({ line }, "engine log"),
        onStart: (pid) => recordEngine(dataDir, pid),
        ...(parts.faults && { faults: parts.faults }),
      }),
    tracing?.engine,
    (request) => log.warn({ request }, "a request needs the data folder, which this server does not hold"),
  );
  const ownPorts = createOwnPorts(embeddedEngine.ownPortsChanged);
  const engine = engineByPlatform(embeddedEngine, async (id) => (await findPlatform(id))?.engine);

  const executor = executeByKind(
    () => handlers().executors,
    async (environmentId) => (await findPlatform(environmentId))?.remoteJobs?.executor,
  );
  const execute = tracing?.attempts(executor.execute) ?? executor.execute;
  const openLineage = settings.OPENLINEAGE_URL
    ? (await import("../runtime/lineage/openlineage.ts")).createOpenLineage({
        url: settings.OPENLINEAGE_URL,
        apiKey: settings.OPENLINEAGE_API_KEY,
        namespace: settings.OPENLINEAGE_NAMESPACE,
        version,
        system,
        log,
        outbox: () => outbox,
        environmentName: async (id) => (await resources().environments.find(id))?.doc.name,
        async jobOfRun(id) {
          const run = await jobs.rules.find(id);
          return run && jobs.rows.get(run.job_id);
        },
      })
    : undefined;
  const jobs = createJobs(deps, {
    executor: {
      execute: (run, job, working) =>
        execute(run, job, working).catch((error: Error) => {
          const attempt = { job: job.name, run: run.id, attempt: run.attempt, error: error.message };
          if (!working.signal.aborted) log.warn(attempt, "an attempt at a run failed");
          throw error;
        }),
      checkParameters: executor.checkParameters,
      abandon: executor.abandon,
    },
    pauseEnded: async (job) => (await handlers().pauseEnded[job.kind]?.(job)) ?? { steps: [], events: [] },
    tableVersions: (environment, tables) =>
      engine.request("versions", { scope: { environment, catalog: "", schema: "" }, tables }),
    mayRun,
    mayStart: async () => !(await core.disk.look()).isLow,
    isPaused: pause.isPaused,
    isActive: (environment) => resources().environments.isActive(environment),
    onClockChecked: () => outbox.limitWaits(),
    onRunEnded(run, job, ending) {
      tracing?.runEnded(run, job, ending);
      if (openLineage) outbox.wake();
    },
    lineage: openLineage?.report,
    remoteFiles: (subject, path) => resources().arrivals(subject, path),
    async resolvePath(_, path) {
      const problem = await watchProblem(path, folders);
      if (problem !== undefined) throw new Error(problem);
      return path;
    },
    log,
  });

  const olderOutput = createOutputArchive(deps, core.archive, log);
  const confinement = createConfinement(settings, { dataDir });
  const processes = createProcesses(deps, {
    dataDir,
    dataFolderId: folderId,
    url: parts.ownUrl,
    issueToken: async (name, environmentId) => {
      const environment = { id: environmentId, role: "viewer" } as const;
      return (await identity.issue({ name, role: "none", environment })).token;
    },
    copyCode: (...request) => resources().files.copyFolder(...request),
    secretOf: (...request) => resources().secrets.resolve(...request, "an app"),
    missingSecret: (...request) => resources().secrets.missing(...request),
    async onObservation(processId, observed) {
      const process = parseProcessId(processId);
      await ("appId" in process
        ? resources().apps.observe(process.appId, observed)
        : resources().agents.observeEndpoint(process.agentId, process.environmentId, observed));
    },
    ownPorts,
    isPaused: pause.isPaused,
    olderOutput,
    confinement,
    log,
  });
  const taskProcesses = createTaskProcesses(deps, {
    dataDir,
    dataFolderId: folderId,
    confinement,
    disk: core.disk,
  });
  const drift = createDriftRecord(deps);
  const platforms = composePlatforms(deps, {
    engine: embeddedEngine,
    jobs,
    processes,
    taskProcesses,
    folders,
    ownPorts,
    others: parts.otherPlatforms,
    mayRun,
    settleDrift: (...settled) => drift.settle("platform", ...settled),
    resources,
    outbox: () => outbox,
    log,
  });
  const outbox = createOutbox(deps, {
    owner: jobs.serverId,
    handlers: () => handlers().outbox,
    isPaused: pause.isPaused,
    log,
  });
  const runtime: Runtime = {
    platformRequests: createPlatformRequests(system, {
      platforms: platforms.platforms,
      outbox,
      platformOf,
      holdsDataFolder: () => processes.areActive,
    }),
    outbox,
    jobs,
    engine,
    queries: createQueryQueue(settings),
    drift,
    warehouses: createWarehouses(warehouseFolder, engine),
    processes,
    taskProcesses,
    events: core.events,
    callerNow: identity.callerNow,
    tickets: createTickets(system),
    addresses: createAddresses(settings, parts.appsUrl),
    ownPorts,
    schemaVersion: core.schemaVersion,
    disk: core.disk,
    quotas: core.quotas,
    log,
  };
  return { runtime, confinement, embeddedEngine, platforms, processes, outbox, olderOutput, mayRun };
}
