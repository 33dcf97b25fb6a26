import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createEngine, type Engine } from "@lakehelm/engine";
import { readAllowed } from "@lakehelm/engine/egress";
import type { Logger } from "pino";
import { composeResources, type Runtime } from "./compose.ts";
import { createFairQueue } from "./core/concurrency/fair-queue.ts";
import { lockFolder } from "./core/concurrency/file-lock.ts";
import type { Dependencies } from "./core/dependencies.ts";
import { Problem } from "./core/errors.ts";
import { createAnchorFile } from "./core/events/anchor.ts";
import { eventKey, pendingSigner } from "./core/events/chain.ts";
import { type EventLog, openEventLog } from "./core/events/log.ts";
import { eventLogMetrics } from "./core/events/metrics.ts";
import { createRemoteAnchor, type RemoteAnchor } from "./core/events/remote-anchor.ts";
import { closeFolder, type FolderClosing } from "./core/files/private-folder.ts";
import { metric } from "./core/metrics/prometheus.ts";
import { installMissing } from "./core/missing-installations.ts";
import { outboxMetrics } from "./core/outbox/metrics.ts";
import { createOutbox } from "./core/outbox/outbox.ts";
import type { OutboxHandlers } from "./core/outbox/topic.ts";
import { parseProcessId } from "./core/processes.ts";
import { type CrashPoint, createArchive } from "./core/retention/archive.ts";
import { retentionMetrics } from "./core/retention/metrics.ts";
import { createRetention, type RetentionSource } from "./core/retention/retention.ts";
import { checkFingerprint, secretKeyWeakness } from "./core/secrets/keyring.ts";
import { maskStoredSecrets } from "./core/secrets/stored-secrets.ts";
import { openVault } from "./core/secrets/vault.ts";
import { openServerPause } from "./core/server-pause.ts";
import { openDatabase } from "./core/store/open.ts";
import { createStore, idOf, isSubject, type Store } from "./core/store/store.ts";
import type { System } from "./core/system.ts";
import { serverContext } from "./core/system.ts";
import { version } from "./core/version.ts";
import { generateCode } from "./resources/codegen/generate-code.ts";
import { readText } from "./resources/files/read-text.ts";
import type { Module } from "./resources/module.ts";
import type { Executors } from "./runtime/jobs/executors.ts";
import { executeByKind } from "./runtime/jobs/executors.ts";
import { createJobs } from "./runtime/jobs/jobs.ts";
import { watchedPathProblem, watchProblem } from "./runtime/jobs/watched-path.ts";
import { keepConnections } from "./runtime/outbound/http-exchange.ts";
import { createOutbound } from "./runtime/outbound/outbound.ts";
import { createOwnPorts } from "./runtime/outbound/own-ports.ts";
import { connectorRules } from "./runtime/outbound/rules.ts";
import { createWorkspaceComponents } from "./runtime/platforms/databricks/components/index.ts";
import { createDatabricksPlatform } from "./runtime/platforms/databricks/index.ts";
import { createWorkspaceResources } from "./runtime/platforms/databricks/jobs/index.ts";
import { libraryLimit } from "./runtime/platforms/databricks/pipelines/libraries.ts";
import { createWorkspaces } from "./runtime/platforms/databricks/workspaces.ts";
import { connectorFolders } from "./runtime/platforms/embedded/connector-folders.ts";
import { dataFolderId } from "./runtime/platforms/embedded/data-folder.ts";
import { leaseDataFolder, ownDataFolder } from "./runtime/platforms/embedded/data-folder-lease.ts";
import { createEngineAccess } from "./runtime/platforms/embedded/engine-access.ts";
import {
  engineLimits,
  warehouseMemoryMb,
  warehouseThreads,
} from "./runtime/platforms/embedded/engine-limits.ts";
import { endLeftEngine, recordEngine } from "./runtime/platforms/embedded/engine-record.ts";
import { createEmbeddedPlatform } from "./runtime/platforms/embedded/index.ts";
import { createWarehouses } from "./runtime/platforms/embedded/warehouses.ts";
import { engineByPlatform } from "./runtime/platforms/engine-by-platform.ts";
import { createInstalledSettings } from "./runtime/platforms/installed-settings.ts";
import type { Platform } from "./runtime/platforms/platform.ts";
import { createPlatformRequests } from "./runtime/platforms/platform-requests.ts";
import { createQueryQueue } from "./runtime/platforms/query-queue.ts";
import { createServerComponents } from "./runtime/platforms/server-components.ts";
import { createSparkPlatform } from "./runtime/platforms/spark/index.ts";
import { createOutputArchive, unarchivedOutputMetrics } from "./runtime/processes/log-archive.ts";
import { createProcesses } from "./runtime/processes/supervisor.ts";
import { createTaskProcesses } from "./runtime/processes/tasks/task-processes.ts";
import type { Settings } from "./settings.ts";
import { createConsole } from "./web/console/console.ts";
import { createAddresses } from "./web/gateway/addresses.ts";
import { createGateway } from "./web/gateway/gateway.ts";
import { createAppSessions } from "./web/gateway/session.ts";
import { createTickets } from "./web/gateway/tickets.ts";
import { createApp } from "./web/http/app.ts";
import { createAuthorization } from "./web/http/authorization.ts";
import { createGuard, requestLimits, requestQuotas, roleIn } from "./web/http/call.ts";
import { createClientAddresses } from "./web/http/client-address.ts";
import { limitConnections } from "./web/http/connection-limits.ts";
import { createDocs } from "./web/http/docs.ts";
import { createIdempotency } from "./web/http/idempotency.ts";
import { drain, listen } from "./web/http/listen.ts";
import { createMetrics } from "./web/http/metrics.ts";
import { type Quota, quotaMetrics } from "./web/http/quota.ts";
import { createRelay } from "./web/http/relay.ts";
import type { TransactionalService } from "./web/http/service.ts";
import { createStreamLimits } from "./web/http/stream-limits.ts";
import { systemHandlers } from "./web/http/system.ts";
import { firstServiceToken, secretKey } from "./web/identity/first-credential.ts";
import { openIdentity } from "./web/identity/identity.ts";
import { identityHandlers } from "./web/identity/routes.ts";

/** One at a time: with SQLite, no other change is written while a transaction is open. */
const transactionLimits = { atOnce: 1, perOwner: 1, waiting: 256, waitingPerOwner: 64, waitMs: 60_000 };

/** How long a stop waits for requests before it ends the processes that may serve them. */
const requestsMs = 3_000;
/** Grace period of processes when the server stops, and when it loses the lease of the data folder. */
const stopGraceMs = 3_000;
const lostGraceMs = 1_000;

export interface Server {
  readonly url: string;
  /** The URL for browsers that use apps. */
  readonly appsUrl: string;
  readonly store: Store;
  readonly events: EventLog;
  /** The folders that connectors may use. */
  readonly connectorFolders: readonly string[];
  /** The generated service token, if the settings contain no credential. */
  readonly madeToken: { readonly token: string; readonly path: string } | undefined;
  /** A link that signs an admin in to the console, once. Undefined if the settings do not allow it. */
  readonly consoleLink: string | undefined;
  /** Periodic work, such as ending expired pauses. */
  tick(): Promise<void>;
  /** Archives and removes what has reached its maximum age. The server also does it every hour. */
  retain(): Promise<void>;
  /** Lets requests finish, ends streams, and releases everything. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly system: System;
  readonly log: Logger;
  readonly checkAnswers?: boolean;
  /** For metrics. */
  readonly droppedLogLines?: () => number;
  /** Platforms besides the embedded one, Databricks and Spark. */
  readonly platforms?: readonly Platform[];
  /** For tests: the crash points at which the engine processes kill themselves, one per process. */
  readonly faults?: readonly string[];
  /** For tests: called at the steps of retention. */
  readonly retentionCrashPoint?: (point: CrashPoint) => Promise<void>;
}

/** Builds core, runtime, resources and web in this order, and starts them. */
export async function startServer(settings: Settings, options: ServerOptions): Promise<Server> {
  const { system, log } = options;
  const dataDir = resolve(settings.PLATFORM_DATA_DIR);
  logClosing(await closeFolder(dataDir), dataDir, log);
  const madeToken = await firstServiceToken(settings, dataDir, system.randomBytes);
  const vault = openVault(await secretKey(settings, dataDir, system.randomBytes), system.randomBytes);
  // With SQLite, the control state is in the data folder, which belongs to one server: lock it first.
  const alone = settings.DATABASE_URL === undefined ? lockFolder(dataDir) : undefined;
  const { engine: database, version: schemaVersion } = await openDatabase(settings.DATABASE_URL, dataDir);
  const eventLogKey = vault.deriveKey("event log");
  const sign = pendingSigner(eventLogKey);
  const store = createStore(database, system.newId, sign);
  const weakness = await secretKeyWeakness(store, settings.PLATFORM_SECRET_KEY);
  if (weakness !== undefined) log.warn(`${weakness} This database was written with it, so it stays in use.`);
  await checkFingerprint(store, vault);
  const folderId = await dataFolderId({ system }, dataDir);
  const serverPause = await openServerPause(dataDir);
  if (serverPause.isPaused())
    log.warn(
      { reason: serverPause.reason() },
      "the server is paused: it starts no runs, processes or messages until an admin calls POST /api/v1/server/resume",
    );
  const events = openEventLog(store, {
    key: eventLogKey,
    system,
    anchors: {
      file: createAnchorFile(join(dataDir, "event-anchor"), eventKey(eventLogKey)),
      remote: remoteAnchor(settings, log, serverPause.isPaused),
      server: folderId,
    },
    gatherMs: 20,
    pollMs: database.name === "postgres" ? 500 : undefined,
    onError: (error) => log.error({ err: error }, "events could not be sealed"),
    onProblem: ({ reason, problem }) => log.error({ reason, problem }, "the event log was tampered with"),
  });

  const deps: Dependencies = { settings, store, vault, system };
  const context = () => serverContext(system);
  const warehouseFolder = join(dataDir, "warehouse");
  const folders = await connectorFolders(settings, dataDir, log);
  const { OTEL_EXPORTER_OTLP_ENDPOINT: collector } = settings;
  const tracing = collector
    ? (await import("./tracing.ts")).startTracing(settings, {
        endpoint: collector,
        server: folderId,
        version,
        randomBytes: system.randomBytes,
        log,
      })
    : undefined;
  const engine = createEngineAccess(
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
        ...(options.faults && { faults: options.faults }),
      }),
    tracing?.engine,
  );
  const ownPorts = createOwnPorts(engine.ownPortsChanged);
  const jobsEngine = engineByPlatform(engine, async (environmentId) => {
    const environment = await resources.environments.find(environmentId);
    return platforms.find(({ name }) => name === environment?.doc.platform)?.engine;
  });
  // Entries that are neither addresses nor names are refused at the start.
  readAllowed(settings.PLATFORM_PRIVATE_ADDRESSES);
  const executor = executeByKind(
    () => executors,
    async (environmentId) => {
      const environment = await resources.environments.find(environmentId);
      return platforms.find(({ name }) => name === environment?.doc.platform)?.remoteJobs?.executor;
    },
  );
  const execute = tracing?.attempts(executor.execute) ?? executor.execute;
  const openLineage = settings.OPENLINEAGE_URL
    ? (await import("./runtime/lineage/openlineage.ts")).createOpenLineage({
        url: settings.OPENLINEAGE_URL,
        apiKey: settings.OPENLINEAGE_API_KEY,
        namespace: settings.OPENLINEAGE_NAMESPACE,
        version,
        system,
        log,
        outbox: () => outbox,
        environmentName: async (id) => (await resources.environments.find(id))?.doc.name,
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
    pauseEnded: async (job) => (await pauseEnded[job.kind]?.(job)) ?? { steps: [], events: [] },
    tableVersions: (environment, tables) =>
      jobsEngine.request("versions", { scope: { environment, catalog: "", schema: "" }, tables }),
    mayRun: () => holding.holder() === "here" && !serverPause.isPaused(),
    isPaused: serverPause.isPaused,
    isActive: (environment) => resources.environments.isActive(environment),
    onRunEnded(run, job, ending) {
      tracing?.runEnded(run, job, ending);
      if (openLineage) outbox.wake();
    },
    lineage: openLineage?.report,
    remoteFiles: (subject, path) => resources.arrivals(subject, path),
    async resolvePath(_, path) {
      const problem = await watchProblem(path, folders);
      if (problem !== undefined) throw new Error(problem);
      return path;
    },
    log,
  });
  const clientAddresses = createClientAddresses(settings.PLATFORM_TRUSTED_PROXIES);
  const relay = createRelay(vault.deriveKey("relay"), {
    now: system.now,
    addressOf: clientAddresses.ofRequest,
  });
  const limits = requestLimits(settings, relay.addressOf);
  const identity = await openIdentity(deps, {
    madeServiceToken: madeToken?.token,
    perAddress: limits.perAddress,
  });
  let ownUrl = "";
  const archive =
    settings.PLATFORM_ARCHIVE === "none"
      ? undefined
      : createArchive({
          folder: archiveFolder(settings, dataDir),
          key: eventKey(eventLogKey),
          now: system.now,
          reserveBytes: settings.PLATFORM_DISK_RESERVE_MB * 1024 * 1024,
          crashPoint: options.retentionCrashPoint,
        });
  const olderOutput = createOutputArchive(deps, archive, log);
  const processes = createProcesses(deps, {
    dataDir,
    dataFolderId: folderId,
    url: () => ownUrl,
    issueToken: async (name, environmentId) => {
      const environment = { id: environmentId, role: "viewer" } as const;
      return (await identity.issue({ name, role: "none", environment })).token;
    },
    copyCode: (...request) => resources.files.copyFolder(...request),
    secretOf: (...request) => resources.secrets.resolve(...request),
    async onObservation(processId, observed) {
      const process = parseProcessId(processId);
      await ("appId" in process
        ? resources.apps.observe(process.appId, observed)
        : resources.agents.observeEndpoint(process.agentId, process.environmentId, observed));
    },
    ownPorts,
    isPaused: serverPause.isPaused,
    olderOutput,
    log,
  });
  const taskProcesses = createTaskProcesses(deps, { dataDir, dataFolderId: folderId });
  const workspaces = createWorkspaces({
    outbound: createOutbound(
      { ...connectorRules(settings), ownPorts: ownPorts.set },
      undefined,
      keepConnections(),
    ),
    allowsHttp: settings.PLATFORM_ENV !== "production",
    environment: async (id) => (await resources.environments.read(id)).doc,
    configurationOf: (id) => resources.environments.configurationOf(id),
    secretOf: (...request) => resources.secrets.resolve(...request),
  });
  const installed = createInstalledSettings(deps.store);
  const workspaceComponents = createWorkspaceComponents(deps, {
    workspaces,
    installed,
    documents: {
      app: async (id) => (await resources.apps.read(id).catch(orMissing))?.doc,
      endpoint: (agentId, environmentId) =>
        resources.agents.component(agentId, environmentId, "agent_endpoint"),
      versionMetadata: (agentId, version) => resources.agents.versions.settings(agentId, version),
    },
    secretOf: (...request) => resources.secrets.resolve(...request),
    readSource: (...request) => resources.files.readFolder(...request),
    running: () => resources.runningComponents("databricks"),
    observe: ({ subject, environmentId }, observation) =>
      isSubject("app", subject)
        ? resources.apps.observe(idOf(subject), observation)
        : resources.agents.observeEndpoint(idOf(subject), environmentId, observation),
    mayRun: () => holding.holder() === "here" && !serverPause.isPaused(),
    log,
  });
  const workspaceResources = createWorkspaceResources(deps, {
    workspaces,
    documents: {
      connector: async (id) => (await resources.connectors.withSecrets(id).catch(orMissing))?.doc,
      flow: async (id) => (await resources.flows.read(id).catch(orMissing))?.doc,
      automation: (id, environmentId) => resources.releasedDefinition(id, environmentId),
      referenceOf: (...request) => resources.workspaceReference(...request),
      agent: (reference) => resources.agents.named(reference),
      pipeline: async (id) => resources.pipelines.declaredOf(id).catch(orMissing),
      file: async (id, path) => {
        const environment = (await resources.environments.read(id)).doc;
        return readText(resources.files, environment, path, libraryLimit).catch(orMissing);
      },
    },
    secretOf: (...request) => resources.secrets.resolve(...request),
    generate: (generator, request, context, environmentId) =>
      generateCode(resources.generator, generator, request, context, async (table) =>
        databricks.describeTable?.(environmentId, table),
      ),
    jobs,
    mayRun: () => holding.holder() === "here" && !serverPause.isPaused(),
    onRunEnded: (subject, error) => resources.runEndedElsewhere(subject, error),
    components: workspaceComponents,
    installed,
    outbox: () => outbox,
    log,
  });
  const databricks = createDatabricksPlatform(workspaces, settings, workspaceResources, workspaceComponents);
  const spark = createSparkPlatform(
    {
      rules: { ...connectorRules(settings), ownPorts: ownPorts.set },
      allowsPlain: settings.PLATFORM_ENV !== "production",
      environment: async (id) => (await resources.environments.read(id)).doc,
      configurationOf: (id) => resources.environments.configurationOf(id),
      secretOf: (...request) => resources.secrets.resolve(...request),
    },
    deps,
    {
      jobs: jobs.steps,
      engine,
      folders,
      components: createServerComponents("spark", processes),
      pipelineExists: async (id) => (await resources.pipelines.declaredOf(id).catch(orMissing)) !== undefined,
      pathProblem: (path) => watchedPathProblem(path, folders),
    },
  );
  const otherPlatforms = [databricks, spark, ...(options.platforms ?? [])];
  const platforms: Platform[] = [
    createEmbeddedPlatform(deps, jobs.steps, engine, processes, folders),
    ...otherPlatforms,
  ];
  const outbox = createOutbox(deps, {
    owner: jobs.serverId,
    handlers: () => outboxHandlers,
    isPaused: serverPause.isPaused,
    log,
  });
  const platformRequests = createPlatformRequests(system, {
    platforms,
    outbox,
    platformOf: async (id) => (await resources.environments.find(id))?.doc.platform,
    holdsDataFolder: () => processes.areActive,
  });
  const tickets = createTickets(system);
  let appsUrl = "";
  const addresses = createAddresses(settings, () => appsUrl);
  const runtime: Runtime = {
    platformRequests,
    outbox,
    jobs,
    engine: jobsEngine,
    queries: createQueryQueue(settings),
    warehouses: createWarehouses(warehouseFolder, jobsEngine),
    processes,
    taskProcesses,
    events,
    tickets,
    addresses,
    ownPorts,
    schemaVersion,
    log,
  };
  const resources = await composeResources(deps, runtime);
  const modules: readonly Module[] = resources.modules;
  const executors: Executors = Object.assign({}, ...modules.map((module) => module.executors));
  const pauseEnded: NonNullable<Module["pauseEnded"]> = Object.assign(
    {},
    ...modules.map((module) => module.pauseEnded),
  );
  const outboxHandlers: OutboxHandlers = Object.assign(
    {},
    openLineage?.handlers,
    workspaceResources.outbox,
    ...modules.map((module) => module.outbox),
  );
  await maskStoredSecrets(
    store,
    modules.map(({ maskStored }) => maskStored),
    context(),
    log,
  );
  for (const module of modules) await module.prepare?.(context());
  await installMissing(
    store,
    modules.map((module) => module.installMissing),
    context(),
    log,
  );
  await platformRequests.resume();
  const holding = (alone ? ownDataFolder : leaseDataFolder)(deps, {
    dataDir,
    owner: jobs.serverId,
    log,
    async onGained() {
      const pid = await endLeftEngine(dataDir);
      if (pid !== undefined) log.warn({ pid }, "ended the engine that an earlier server left running");
      try {
        for (const module of modules) await module.takeOver?.(context());
        await processes.takeOver();
        // Starting a process may take a minute: nothing waits for it.
        outbox.wake();
        await jobs.takeOver();
      } catch (error) {
        await processes.leave(lostGraceMs);
        throw error;
      }
      engine.allow();
    },
    onLost: async () =>
      void (await Promise.all([engine.forbid(), processes.leave(lostGraceMs), retention.halt()])),
  });
  const retention = createRetention(deps, {
    sources: [
      events.retention({
        keptDays: settings.PLATFORM_EVENTS_KEPT_DAYS,
        readThrough: resources.eventsReadThrough,
      }),
      ...jobs.retention,
      ...modules.flatMap((module) => module.retention ?? []),
    ] satisfies RetentionSource[],
    archive,
    mayRun: () => holding.holder() === "here" && !serverPause.isPaused(),
    log,
    crashPoint: options.retentionCrashPoint,
  });

  const metrics = createMetrics(process.memoryUsage, process.uptime);
  const idempotencyKey = vault.deriveKey("idempotency");
  const idempotency = createIdempotency(store, idempotencyKey, system.now);
  const stopping = new AbortController();
  const every = (ms: number, chore: () => Promise<unknown>) =>
    setInterval(() => void chore().catch((error) => log.error({ err: error }, "a chore failed")), ms).unref();
  const streams = createStreamLimits(settings.PLATFORM_STREAMS, settings.PLATFORM_STREAMS_PER_CALLER);
  const ofSystem = systemHandlers(
    store,
    metrics,
    async () => {
      // A database that is away must not hide the other metrics.
      const topics = await outbox.stats().catch(() => []);
      return (
        outboxMetrics(topics, system.now()) +
        quotaMetrics(await quotas()) +
        eventLogMetrics(events.stats()) +
        retentionMetrics([...retention.stats(), olderOutput.stats()]) +
        unarchivedOutputMetrics(olderOutput.unarchivedBytes()) +
        metric(
          "lakehelm_log_dropped_lines_total",
          "counter",
          "Log lines that could not be written.",
          options.droppedLogLines?.() ?? 0,
        ) +
        metric(
          "lakehelm_data_folder_held",
          "gauge",
          "1 if this server holds the data folder and executes its runs.",
          Number(holding.holder() === "here"),
        ) +
        (await jobs.metrics(async (id) => (await resources.environments.find(id))?.doc.name)) +
        workspaces.metrics() +
        (await engineMetrics(engine)) +
        (tracing?.metrics() ?? "")
      );
    },
    {
      name: "Lakehelm",
      version,
      schema_version: schemaVersion,
      platform: settings.PLATFORM_DEFAULT_PLATFORM,
      platforms: platforms.map(({ name }) => name),
      store: database.name,
    },
    {
      pause: serverPause,
      recordResumed: (context) =>
        store.apply({
          context,
          steps: [],
          events: [
            { kind: "server.resumed", subject: "server", data: { reason: serverPause.reason() ?? null } },
          ],
        }),
    },
    holding.holder,
    () => performance.now(),
  );
  const handlers = {
    ...ofSystem,
    ...identityHandlers(
      deps,
      identity,
      async (reference) => (await resources.environments.read(reference)).doc,
    ),
    ...resources.handlers,
  };

  const transactions = createFairQueue("dry runs and batches", transactionLimits);
  /** Composed with the first request that needs it. */
  let transactional: Promise<TransactionalService> | undefined;
  const composeTransactional = async () =>
    (await import("./transactional-service.ts")).composeTransactionalService({
      deps,
      runtime,
      folders,
      platforms: otherPlatforms,
      resources,
      identity,
      systemHandlers: ofSystem,
      sign,
      idempotencyKey,
      queue: transactions,
      log,
    });
  const app = createApp({
    settings,
    system,
    log,
    metrics,
    traces: tracing?.requests,
    service: {
      handlers,
      idempotency,
      authorize: createAuthorization({
        defaultEnvironment: settings.PLATFORM_DEFAULT_ENVIRONMENT,
        find: async (reference) => (await resources.environments.find(reference))?.doc,
        environmentsOf: resources.environmentsOf,
      }),
    },
    transactional: () => {
      transactional ??= composeTransactional().catch((error) => {
        transactional = undefined;
        throw error;
      });
      return transactional;
    },
    authenticate: identity.authenticate,
    guard: createGuard(identity.authenticate, limits),
    perCaller: limits.perCaller,
    perAddress: limits.perAddress,
    streams,
    relay,
    holder: holding.holder,
    docs: createDocs({
      openApi: async () => (await import("@lakehelm/contract/openapi")).openApiDocument({ version }),
      automationSchema: async () => (await import("@lakehelm/contract/automation-schema")).automationSchema(),
    }),
    console: settings.PLATFORM_CONSOLE === "on" ? consoleOf(settings, log) : undefined,
    stopping: stopping.signal,
    checkAnswers: options.checkAnswers ?? false,
  });
  async function tick(): Promise<void> {
    for (const module of modules) await module.tick?.(context());
    await processes.tick();
    // Another server may have left entries without a word.
    outbox.wake();
  }
  const timers = [every(3_600_000, () => idempotency.clean(context())), every(10_000, tick)];
  const gateway = createGateway({
    settings,
    system,
    log,
    addresses,
    tickets,
    sessions: createAppSessions(vault.deriveKey("app passes"), system.now),
    async roleNow({ user: name, role, account, environmentId }) {
      if (!account) return role;
      const caller = await identity.callerOf({ ...account, name });
      const now = caller && roleIn(caller, environmentId);
      return now === "none" ? undefined : now;
    },
    find: resources.findApp,
    processes,
    holdsData: () => holding.holder() === "here",
  });
  const connectionLimits = {
    total: settings.PLATFORM_CONNECTIONS,
    perAddress: settings.PLATFORM_CONNECTIONS_PER_ADDRESS,
    addressOf: clientAddresses.ofConnection,
  };
  const connectionQuotas = limitConnections(app, connectionLimits);
  limitConnections(gateway.server, connectionLimits);
  const quotas = async (): Promise<Quota[]> => [
    ...requestQuotas(limits),
    ...connectionQuotas(),
    ...streams.quotas(),
    ...identity.quotas(),
    { name: "runs", ...jobs.usage() },
    ...(await jobs.rules.queuedUsage().then(
      (usage) => [{ name: "queued_runs_per_caller", ...usage }],
      () => [],
    )),
    ...(await idempotency.quotas().catch(() => [])),
    { name: "process_log_bytes", ...processes.logUsage() },
    { name: "event_length", ...store.eventUsage() },
    ...resources.files.quotas(),
    ...Object.entries({ ...resources.queues, transactions }).map(([name, queue]) => ({
      name,
      ...queue.usage(),
    })),
  ];
  const url = await listen(app, settings.HOST, settings.PORT, "PORT");
  appsUrl = await listen(gateway.server, settings.HOST, settings.APPS_PORT, "APPS_PORT");
  for (const own of [url, appsUrl]) ownPorts.add(Number(new URL(own).port));
  // Local processes use loopback, also if the server listens on all addresses.
  ownUrl = url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//127.0.0.1:");
  serverPause.onEnded(() => {
    log.info("the server is no longer paused");
    void processes.startPaused().catch((error) => log.error({ err: error }, "processes were not started"));
    outbox.wake();
  });
  await holding.start(url);
  jobs.start();
  for (const { remoteJobs, remoteComponents } of platforms) {
    remoteJobs?.start();
    remoteComponents?.start();
  }
  outbox.start();
  for (const module of modules) module.start?.();
  retention.start();

  return {
    url,
    appsUrl,
    store,
    events,
    connectorFolders: folders.granted,
    madeToken,
    consoleLink: printsLink(settings) ? `${ownUrl}/console/#code=${identity.codes.create()}` : undefined,
    tick,
    retain: retention.run,
    async stop() {
      for (const timer of timers) clearInterval(timer);
      serverPause.close();
      stopping.abort();
      const finished = Promise.all([
        drain(app),
        gateway.stop(),
        jobs.stop(),
        ...platforms.flatMap(({ remoteJobs, remoteComponents }) => [
          remoteJobs?.stop(),
          remoteComponents?.stop(),
        ]),
        outbox.stop(),
        retention.stop(),
        ...modules.map((module) => module.stop?.()),
      ]);
      await Promise.race([finished, pause(requestsMs, undefined, { ref: false })]);
      await processes.close(stopGraceMs);
      await finished;
      await engine.stop();
      await outbox.close();
      await spark.close();
      for (const module of modules) await module.close?.();
      await holding.stop();
      await events.close();
      await store.close();
      await tracing?.stop();
      alone?.release();
    },
  };
}

const printsLink = ({ PLATFORM_CONSOLE, PLATFORM_CONSOLE_LINK: link, PLATFORM_ENV }: Settings) =>
  PLATFORM_CONSOLE === "on" && (link === "on" || (link === "auto" && PLATFORM_ENV === "development"));

/** Loaded with the first request of a browser. In development, a change of its sources shows with the next one. */
function consoleOf(settings: Settings, log: Logger) {
  const load = () => import("@lakehelm/console/bundle");
  return createConsole({
    bundle: async () => (await load()).bundleConsole(),
    ...(settings.PLATFORM_ENV === "development" && { sourceHash: async () => (await load()).sourceHash() }),
    onError: (error) => log.error({ err: error }, "the console could not be built"),
    now: () => performance.now(),
  });
}

/** A resource that was deleted meanwhile. */
function orMissing(error: unknown): undefined {
  if (!(error instanceof Problem) || error.kind !== "notFound") throw error;
}

const archiveFolder = ({ PLATFORM_ARCHIVE_DIR: folder }: Settings, dataDir: string) =>
  folder === undefined ? join(dataDir, "archive") : resolve(folder);

/** An engine that is too busy to answer within a second has no sample. */
async function engineMetrics(engine: Pick<Engine, "memory">): Promise<string> {
  const late = pause(1000, undefined, { ref: false });
  const bytes = await Promise.race([engine.memory().catch(() => undefined), late]);
  const help = "Resident memory of the engine; 0 while it is not running.";
  return metric("lakehelm_engine_memory_bytes", "gauge", help, bytes === undefined ? [] : [[{}, bytes]]);
}

function logClosing(found: FolderClosing | undefined, folder: string, log: Logger): void {
  if (found === undefined) return;
  const { problem } = found;
  const message =
    problem === undefined
      ? "the data folder was open to other users of this machine; it is closed now"
      : "the data folder is open to other users of this machine and cannot be closed: change its owner or its mode";
  log.warn({ folder, ...found }, message);
}

/** A restored copy must not overwrite the anchor of the server that it was copied from. */
function remoteAnchor(settings: Settings, log: Logger, isPaused: () => boolean): RemoteAnchor | undefined {
  if (settings.PLATFORM_AUDIT_ANCHOR_URL === undefined) return undefined;
  const remote = createRemoteAnchor({
    url: settings.PLATFORM_AUDIT_ANCHOR_URL,
    method: settings.PLATFORM_AUDIT_ANCHOR_METHOD,
    token: settings.PLATFORM_AUDIT_ANCHOR_TOKEN,
    onError: (error) =>
      log.error(
        { err: error },
        "the anchor of the event log could not be sent to PLATFORM_AUDIT_ANCHOR_URL; the server tries again",
      ),
  });
  return { ...remote, publish: (text) => void (isPaused() || remote.publish(text)) };
}
