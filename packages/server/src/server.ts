import { setTimeout as pause } from "node:timers/promises";
import { type CoreOptions, openCore } from "./compose/core.ts";
import { composeResources } from "./compose/resources.ts";
import { composeRuntime } from "./compose/runtime.ts";
import { composeWeb } from "./compose/web.ts";
import { Problem } from "./core/errors.ts";
import type { EventLog } from "./core/events/log.ts";
import { installMissing } from "./core/missing-installations.ts";
import { createRetention } from "./core/retention/retention.ts";
import { maskStoredSecrets } from "./core/secrets/stored-secrets.ts";
import type { Store } from "./core/store/store.ts";
import { serverContext } from "./core/system.ts";
import { version } from "./core/version.ts";
import type { Module } from "./resources/module.ts";
import { connectorFolders } from "./runtime/platforms/embedded/connector-folders.ts";
import { leaseDataFolder, ownDataFolder } from "./runtime/platforms/embedded/data-folder-lease.ts";
import { endLeftEngine } from "./runtime/platforms/embedded/engine-record.ts";
import type { Platform } from "./runtime/platforms/platform.ts";
import type { Confinement } from "./runtime/processes/confinement/confinement.ts";
import type { Settings } from "./settings.ts";
import { checkStart, mayMovePorts } from "./start-checks.ts";
import { requestLimits } from "./web/http/call.ts";
import { createClientAddresses } from "./web/http/client-address.ts";
import { createPort, drain } from "./web/http/listen.ts";
import { createRelay } from "./web/http/relay.ts";
import { openIdentity } from "./web/identity/identity.ts";

/** How long a stop waits for requests before it ends the processes that may serve them. */
const requestsMs = 3_000;
/** How long a stop waits before it ends requests that nothing else ends, such as queries. */
const endingMs = 5_000;
/** Grace period of processes when the server stops, and when it loses the lease of the data folder. */
const stopGraceMs = 3_000;
const lostGraceMs = 1_000;

export interface Server {
  readonly url: string;
  /** The URL for browsers that use apps. */
  readonly appsUrl: string;
  readonly store: Store;
  readonly events: EventLog;
  readonly connectorFolders: readonly string[];
  /** The generated service token, if the settings contain no credential. */
  readonly madeToken: { readonly token: string; readonly path: string } | undefined;
  /** A link that signs an admin in to the console, once. Undefined if the settings do not allow it. */
  readonly consoleLink: string | undefined;
  /** How programs of callers are confined. */
  readonly programs: Pick<Confinement, "mode" | "limitsProblem">;
  /** Periodic work, such as ending expired pauses. */
  tick(): Promise<void>;
  /** Archives and removes what has reached its maximum age. The server also does this every hour. */
  retain(): Promise<void>;
  /** Lets requests finish, ends streams, and releases all resources. */
  stop(): Promise<void>;
}

export interface ServerOptions extends CoreOptions {
  readonly checkAnswers?: boolean;
  /** For metrics. */
  readonly droppedLogLines?: () => number;
  /** Platforms besides the embedded one, Databricks and Spark. */
  readonly platforms?: readonly Platform[];
  /** For tests: the crash points at which the engine processes kill themselves, one per process. */
  readonly faults?: readonly string[];
}

/** Builds core, runtime, resources and web in this order, and starts them. */
export async function startServer(settings: Settings, options: ServerOptions): Promise<Server> {
  const { log } = options;
  await checkStart(settings);
  const core = await openCore(settings, options);
  const { deps, dataDir, events } = core;
  const { store, vault, system } = deps;
  const context = () => serverContext(system);

  const clientAddresses = createClientAddresses(settings.PLATFORM_TRUSTED_PROXIES);
  const relay = createRelay(vault.deriveKey("relay"), {
    now: system.now,
    addressOf: clientAddresses.ofRequest,
  });
  const limits = requestLimits(settings, system, relay.addressOf);
  const identity = await openIdentity(deps, {
    madeServiceToken: core.madeToken?.token,
    perAddress: limits.perAddress,
  });
  const folders = await connectorFolders(settings, dataDir, log);
  const tracing = settings.OTEL_EXPORTER_OTLP_ENDPOINT
    ? (await import("./tracing.ts")).startTracing(settings, {
        endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
        server: core.folderId,
        version,
        randomBytes: system.randomBytes,
        log,
      })
    : undefined;

  const apiPort = createPort(settings.HOST, settings.PORT, "PORT", mayMovePorts(settings));
  const appsPort = createPort(settings.HOST, settings.APPS_PORT, "APPS_PORT", mayMovePorts(settings));
  // Local processes use loopback, also if the server listens on all addresses.
  const ownUrl = () => apiPort.url().replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//127.0.0.1:");
  const { runtime, confinement, embeddedEngine, platforms, processes, outbox, olderOutput, mayRun } =
    await composeRuntime(core, {
      folders,
      identity,
      tracing,
      otherPlatforms: options.platforms ?? [],
      faults: options.faults,
      resources: () => resources,
      holder: () => holding.holder(),
      ownUrl,
      appsUrl: appsPort.url,
      log,
    });
  const { jobs, ownPorts } = runtime;
  const resources = await composeResources(deps, runtime);
  const modules: readonly Module[] = resources.modules;
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
  await runtime.platformRequests.resume();

  const holding = (core.lock ? ownDataFolder : leaseDataFolder)(deps, {
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
      embeddedEngine.allow();
    },
    onLost: async () =>
      void (await Promise.all([embeddedEngine.forbid(), processes.leave(lostGraceMs), retention.halt()])),
  });
  const retention = createRetention(deps, {
    sources: [
      events.retention({
        keptDays: settings.PLATFORM_EVENTS_KEPT_DAYS,
        isArchived: core.archive !== undefined,
        log,
        readThrough: resources.eventsReadThrough,
      }),
      ...jobs.retention,
      ...modules.flatMap((module) => module.retention ?? []),
    ],
    archive: core.archive,
    now: core.clock.provenTime,
    mayRun,
    log,
    crashPoint: options.retentionCrashPoint,
  });

  const [stopping, ending] = [new AbortController(), new AbortController()];
  const { api, gateway, idempotency } = composeWeb({
    core,
    runtime,
    embeddedEngine,
    platforms,
    resources,
    folders,
    identity,
    clientAddresses,
    limits,
    relay,
    retention,
    olderOutput,
    tracing,
    holder: holding.holder,
    stopping: stopping.signal,
    ending: ending.signal,
    checkAnswers: options.checkAnswers ?? false,
    droppedLogLines: options.droppedLogLines ?? (() => 0),
    log,
  });
  const every = (ms: number, chore: () => Promise<unknown>) =>
    setInterval(() => void chore().catch((error) => log.error({ err: error }, "a chore failed")), ms).unref();
  const timers = [
    every(3_600_000, () => idempotency.clean(context())),
    every(10_000, tick),
    every(1_000, followDisk),
  ];

  const url = await apiPort.listen(api);
  const appsUrl = await appsPort.listen(gateway.server);
  for (const own of [url, appsUrl]) ownPorts.add(Number(new URL(own).port));
  core.pause.onEnded(() => {
    log.info("the server is no longer paused");
    void processes.startPaused().catch((error) => log.error({ err: error }, "processes were not started"));
    outbox.wake();
  });
  await holding.start(url);
  jobs.start();
  platforms.start();
  outbox.start();
  for (const module of modules) module.start?.();
  retention.start();

  return {
    url,
    appsUrl,
    store,
    events,
    connectorFolders: folders.granted,
    madeToken: core.madeToken,
    consoleLink: printsLink(settings) ? `${ownUrl()}/console/#code=${identity.codes.create()}` : undefined,
    programs: confinement,
    tick,
    retain: retention.run,
    stop,
  };

  async function tick(): Promise<void> {
    for (const module of modules) await module.tick?.(context());
    await processes.tick();
    // Another server may have left entries without a notification.
    outbox.wake();
  }

  /** Follows the disk, so that `/health` reports when the database cannot be written. */
  async function followDisk(): Promise<void> {
    if (holding.holder() === "here") await core.disk.follow().catch(() => {});
    else await core.disk.look();
  }

  async function stop(): Promise<void> {
    for (const timer of timers) clearInterval(timer);
    core.pause.close();
    stopping.abort();
    const patience = setTimeout(() => ending.abort(isStopping()), endingMs).unref();
    const finished = Promise.all([
      drain(api),
      gateway.stop(),
      jobs.stop(),
      platforms.stop(),
      outbox.stop(),
      retention.stop(),
      ...modules.map((module) => module.stop?.()),
    ]);
    await Promise.race([finished, pause(requestsMs, undefined, { ref: false })]);
    await processes.close(stopGraceMs);
    await finished;
    clearTimeout(patience);
    await embeddedEngine.stop();
    await outbox.close();
    await platforms.close();
    for (const module of modules) await module.close?.();
    await holding.stop();
    await events.close();
    await store.close();
    await tracing?.stop();
    core.lock?.release();
  }
}

const isStopping = () =>
  new Problem("unavailable", "The server is stopping. Send the request again.", { retryAfterSeconds: 5 });

const printsLink = ({ PLATFORM_CONSOLE, PLATFORM_CONSOLE_LINK: link, PLATFORM_ENV }: Settings) =>
  PLATFORM_CONSOLE === "on" && (link === "on" || (link === "auto" && PLATFORM_ENV === "development"));
