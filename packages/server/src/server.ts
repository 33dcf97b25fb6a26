import { mkdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createEngine } from "@lakehelm/engine";
import type { Logger } from "pino";
import { composeResources } from "./compose.ts";
import { lockFolder } from "./core/concurrency/file-lock.ts";
import type { Dependencies } from "./core/dependencies.ts";
import { type EventLog, openEventLog } from "./core/events/log.ts";
import { outboxMetrics } from "./core/outbox/metrics.ts";
import { createOutbox } from "./core/outbox/outbox.ts";
import type { OutboxHandlers } from "./core/outbox/topic.ts";
import { parseProcessId } from "./core/processes.ts";
import { checkFingerprint } from "./core/secrets/keyring.ts";
import { openVault } from "./core/secrets/vault.ts";
import { openDatabase } from "./core/store/open.ts";
import { createStore, type Store } from "./core/store/store.ts";
import type { System } from "./core/system.ts";
import { serverContext } from "./core/system.ts";
import { version } from "./core/version.ts";
import type { Module } from "./resources/module.ts";
import type { Executors } from "./runtime/jobs/executors.ts";
import { executeByKind } from "./runtime/jobs/executors.ts";
import { createJobs } from "./runtime/jobs/jobs.ts";
import { watchedPathProblem } from "./runtime/jobs/watched-path.ts";
import { dataFolderId } from "./runtime/platforms/embedded/data-folder.ts";
import { leaseDataFolder, ownDataFolder } from "./runtime/platforms/embedded/data-folder-lease.ts";
import { createEngineAccess } from "./runtime/platforms/embedded/engine-access.ts";
import { createEmbeddedPlatform } from "./runtime/platforms/embedded/index.ts";
import { createWarehouses } from "./runtime/platforms/embedded/warehouses.ts";
import type { Platform } from "./runtime/platforms/platform.ts";
import { createPlatformRequests } from "./runtime/platforms/platform-requests.ts";
import { createProcesses } from "./runtime/processes/supervisor.ts";
import type { Settings } from "./settings.ts";
import { createAddresses } from "./web/gateway/addresses.ts";
import { createGateway } from "./web/gateway/gateway.ts";
import { createAppSessions } from "./web/gateway/session.ts";
import { createTickets } from "./web/gateway/tickets.ts";
import { createApp } from "./web/http/app.ts";
import { createGuard } from "./web/http/caller.ts";
import { createDocs } from "./web/http/docs.ts";
import { createIdempotency } from "./web/http/idempotency.ts";
import { drain, listen } from "./web/http/listen.ts";
import { createMetrics } from "./web/http/metrics.ts";
import { createRateLimit } from "./web/http/rate-limit.ts";
import { systemHandlers } from "./web/http/system.ts";
import { firstServiceToken, secretKey } from "./web/identity/first-credential.ts";
import { openIdentity } from "./web/identity/identity.ts";
import { identityHandlers } from "./web/identity/routes.ts";

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
  /** The generated service token, if the settings contain no credential. */
  readonly madeToken: { readonly token: string; readonly path: string } | undefined;
  /** Periodic work, such as ending expired pauses. */
  tick(): Promise<void>;
  /** Lets requests finish, ends streams, and releases everything. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly system: System;
  readonly log: Logger;
  readonly checkAnswers?: boolean;
  /** Platforms besides the embedded one. */
  readonly platforms?: readonly Platform[];
  /** For tests: the crash points at which the engine processes kill themselves, one per process. */
  readonly faults?: readonly string[];
}

/** Builds core, runtime, resources and web in this order, and starts them. */
export async function startServer(settings: Settings, options: ServerOptions): Promise<Server> {
  const { system, log } = options;
  const dataDir = resolve(settings.PLATFORM_DATA_DIR);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const madeToken = await firstServiceToken(settings, dataDir, system.randomBytes);
  const vault = openVault(await secretKey(settings, dataDir, system.randomBytes), system.randomBytes);
  // With SQLite, the control state is in the data folder, which belongs to one server: lock it first.
  const alone = settings.DATABASE_URL === undefined ? lockFolder(dataDir) : undefined;
  const { engine: database, version: schemaVersion } = await openDatabase(settings.DATABASE_URL, dataDir);
  const store = createStore(database, system.newId);
  await checkFingerprint(store, vault);
  const events = openEventLog(store, {
    key: vault.deriveKey("event log"),
    gatherMs: 20,
    pollMs: database.name === "postgres" ? 500 : undefined,
    onError: (error) => log.error({ err: error }, "events could not be sealed"),
  });

  const deps: Dependencies = { settings, store, vault, system };
  const context = () => serverContext(system);
  const warehouseFolder = join(dataDir, "warehouse");
  const engine = createEngineAccess(() =>
    createEngine({
      folder: warehouseFolder,
      memoryMb: settings.PLATFORM_WAREHOUSE_MEMORY_MB,
      threads: settings.PLATFORM_WAREHOUSE_THREADS || availableParallelism(),
      folders: { own: dataDir, allowed: settings.PLATFORM_CONNECTOR_FOLDERS },
      onLog: (line) => log.warn({ line }, "engine log"),
      ...(options.faults && { faults: options.faults }),
    }),
  );
  const executor = executeByKind(() => executors);
  const jobs = createJobs(deps, {
    executor: {
      execute: (run, job, working) =>
        executor.execute(run, job, working).catch((error: Error) => {
          const attempt = { job: job.name, run: run.id, attempt: run.attempt, error: error.message };
          if (!working.signal.aborted) log.warn(attempt, "an attempt at a run failed");
          throw error;
        }),
      abandon: executor.abandon,
    },
    pauseEnded: async (job) => (await pauseEnded[job.kind]?.(job)) ?? { steps: [], events: [] },
    tableVersions: (environment) =>
      engine.request("versions", { scope: { environment, catalog: "", schema: "" } }),
    mayRun: () => holding.holder() === "here",
    resolvePath(_, path) {
      const problem = watchedPathProblem(path, dataDir);
      if (problem !== undefined) throw new Error(problem);
      return path;
    },
    log,
  });
  const identity = await openIdentity(deps, { madeServiceToken: madeToken?.token });
  let ownUrl = "";
  const processes = createProcesses(deps, {
    dataDir,
    dataFolderId: await dataFolderId(deps, dataDir),
    url: () => ownUrl,
    issueToken: async (name) => (await identity.issue({ name, role: "viewer" })).token,
    copyCode: (...request) => resources.files.copyFolder(...request),
    secretOf: (...request) => resources.secrets.resolve(...request),
    async onObservation(processId, observed) {
      const process = parseProcessId(processId);
      await ("appId" in process
        ? resources.apps.observe(process.appId, observed)
        : resources.agents.observeEndpoint(process.agentId, process.environmentId, observed));
    },
    log,
  });
  const platforms: Platform[] = [
    createEmbeddedPlatform(deps, jobs.steps, engine, processes),
    ...(options.platforms ?? []),
  ];
  const outbox = createOutbox(deps, { owner: jobs.serverId, handlers: () => outboxHandlers, log });
  const work = createPlatformRequests(system, {
    platforms,
    outbox,
    platformOf: async (id) => (await resources.environments.find(id))?.doc.platform,
    holdsDataFolder: () => processes.areActive,
  });
  const tickets = createTickets(system);
  let appsUrl = "";
  const addresses = createAddresses(settings, () => appsUrl);
  const resources = await composeResources(deps, {
    work,
    outbox,
    jobs,
    engine,
    warehouses: createWarehouses(warehouseFolder, engine),
    processes,
    events,
    tickets,
    addresses,
    log,
  });
  const modules: readonly Module[] = resources.modules;
  const executors: Executors = Object.assign({}, ...modules.map((module) => module.executors));
  const pauseEnded: NonNullable<Module["pauseEnded"]> = Object.assign(
    {},
    ...modules.map((module) => module.pauseEnded),
  );
  const outboxHandlers: OutboxHandlers = Object.assign({}, ...modules.map((module) => module.outbox));
  for (const module of modules) await module.prepare?.(context());
  await work.resume();
  const holding = (alone ? ownDataFolder : leaseDataFolder)(deps, {
    dataDir,
    owner: jobs.serverId,
    log,
    async onGained() {
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
    onLost: async () => void (await Promise.all([engine.forbid(), processes.leave(lostGraceMs)])),
  });

  const metrics = createMetrics(process.memoryUsage, process.uptime);
  const idempotency = createIdempotency(store, vault.deriveKey("idempotency"), system.now);
  const stopping = new AbortController();
  const every = (ms: number, chore: () => Promise<unknown>) =>
    setInterval(() => void chore().catch((error) => log.error({ err: error }, "a chore failed")), ms).unref();
  const handlers = {
    ...systemHandlers(
      store,
      metrics,
      async () => {
        // A database that is away must not hide the other metrics.
        const topics = await outbox.stats().catch(() => []);
        return outboxMetrics(topics, system.now());
      },
      {
        name: "Lakehelm",
        version,
        schema_version: schemaVersion,
        platform: settings.PLATFORM_DEFAULT_PLATFORM,
        platforms: platforms.map(({ name }) => name),
        store: database.name,
      },
      () => performance.now(),
    ),
    ...identityHandlers(deps, identity),
    ...resources.handlers,
  };

  const app = createApp({
    settings,
    system,
    log,
    metrics,
    idempotency,
    guard: createGuard(
      identity.authenticate,
      createRateLimit(settings.PLATFORM_RATE_LIMIT_PER_MINUTE, () => performance.now()),
    ),
    handlers,
    holder: holding.holder,
    docs: createDocs({
      openApi: async () => (await import("@lakehelm/contract/openapi")).openApiDocument({ version }),
      automationSchema: async () => (await import("@lakehelm/contract/automation-schema")).automationSchema(),
    }),
    stopping: stopping.signal,
    checkAnswers: options.checkAnswers ?? false,
  });
  async function tick(): Promise<void> {
    for (const module of modules) await module.tick?.(context());
    await processes.tick();
    // Another server may have left entries without a word.
    outbox.wake();
  }
  const timers = [
    every(3_600_000, () => idempotency.clean(context())),
    every(10_000, tick),
    every(3_600_000, async () => {
      for (const module of modules) await module.prune?.();
    }),
  ];
  const gateway = createGateway({
    settings,
    system,
    log,
    addresses,
    tickets,
    sessions: createAppSessions(vault.deriveKey("app passes"), system.now),
    find: resources.findApp,
    processes,
    holdsData: () => holding.holder() === "here",
  });
  const url = await listen(app, settings.HOST, settings.PORT, "PORT");
  appsUrl = await listen(gateway.server, settings.HOST, settings.APPS_PORT, "APPS_PORT");
  // Local processes use loopback, also if the server listens on all addresses.
  ownUrl = url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//127.0.0.1:");
  await holding.start(url);
  jobs.start();
  outbox.start();
  for (const module of modules) module.start?.();

  return {
    url,
    appsUrl,
    store,
    events,
    madeToken,
    tick,
    async stop() {
      for (const timer of timers) clearInterval(timer);
      stopping.abort();
      const finished = Promise.all([
        drain(app),
        gateway.stop(),
        jobs.stop(),
        outbox.stop(),
        ...modules.map((module) => module.stop?.()),
      ]);
      await Promise.race([finished, pause(requestsMs, undefined, { ref: false })]);
      await processes.close(stopGraceMs);
      await finished;
      await engine.stop();
      await outbox.close();
      for (const module of modules) await module.close?.();
      await holding.stop();
      await events.close();
      await store.close();
      alone?.release();
    },
  };
}
