import { setTimeout as pause } from "node:timers/promises";
import type { Engine, FolderAccess } from "@lakehelm/engine";
import type { Logger } from "pino";
import { createFairQueue } from "../core/concurrency/fair-queue.ts";
import type { DataFolderHolder } from "../core/data-folder-holder.ts";
import { eventLogMetrics } from "../core/events/metrics.ts";
import { lastKnown } from "../core/metrics/last-known.ts";
import { metric } from "../core/metrics/prometheus.ts";
import { outboxMetrics } from "../core/outbox/metrics.ts";
import { retentionMetrics } from "../core/retention/metrics.ts";
import type { Retention } from "../core/retention/retention.ts";
import { fileSpace } from "../core/store/reclaim.ts";
import { version } from "../core/version.ts";
import { effectiveSettings } from "../effective-settings.ts";
import { refusedWrites, storedQuotas } from "../resources/quotas/metrics.ts";
import type { OutputArchive } from "../runtime/processes/log-archive.ts";
import { unarchivedOutputMetrics } from "../runtime/processes/log-archive.ts";
import type { Settings } from "../settings.ts";
import type { Tracing } from "../tracing.ts";
import { createConsole } from "../web/console/console.ts";
import { createGateway } from "../web/gateway/gateway.ts";
import { createAppSessions } from "../web/gateway/session.ts";
import { createApp } from "../web/http/app.ts";
import { createAuthorization } from "../web/http/authorization.ts";
import { createGuard, type GuardLimits, requestQuotas, roleIn } from "../web/http/call.ts";
import type { ClientAddresses } from "../web/http/client-address.ts";
import { limitConnections } from "../web/http/connection-limits.ts";
import { createDocs } from "../web/http/docs.ts";
import { createIdempotency } from "../web/http/idempotency.ts";
import { createMetrics } from "../web/http/metrics.ts";
import { type Quota, quotaMetrics } from "../web/http/quota.ts";
import type { Relay } from "../web/http/relay.ts";
import type { TransactionalService } from "../web/http/service.ts";
import { createStreamLimits } from "../web/http/stream-limits.ts";
import { systemHandlers } from "../web/http/system.ts";
import type { Identity } from "../web/identity/identity.ts";
import { identityHandlers } from "../web/identity/routes.ts";
import type { Core } from "./core.ts";
import type { Platforms } from "./platforms.ts";
import type { Resources, Runtime } from "./resources.ts";

/** One at a time: with SQLite, no other change is written while a transaction is open. */
const transactionLimits = { atOnce: 1, perOwner: 1, waiting: 256, waitingPerOwner: 64, waitMs: 60_000 };

interface WebParts {
  readonly core: Core;
  readonly runtime: Runtime;
  /** The engine of the embedded platform, for metrics. */
  readonly embeddedEngine: Pick<Engine, "memory">;
  readonly platforms: Platforms;
  readonly resources: Resources;
  readonly folders: FolderAccess;
  readonly identity: Identity;
  readonly clientAddresses: ClientAddresses;
  readonly limits: GuardLimits;
  readonly relay: Relay;
  readonly retention: Pick<Retention, "stats">;
  readonly olderOutput: Pick<OutputArchive, "stats" | "unarchivedBytes">;
  readonly tracing: Tracing | undefined;
  readonly holder: () => DataFolderHolder;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
  readonly ending: AbortSignal;
  readonly checkAnswers: boolean;
  readonly droppedLogLines: () => number;
  readonly log: Logger;
}

/** Builds the HTTP servers of the API and of apps, with their limits and metrics. */
export function composeWeb(parts: WebParts) {
  const { core, runtime, platforms, resources, identity, limits, holder, tracing, log } = parts;
  const { deps } = core;
  const { settings, store, vault, system } = deps;
  const { jobs, processes } = runtime;

  const metrics = createMetrics(process.memoryUsage, process.uptime);
  const idempotencyKey = vault.deriveKey("idempotency");
  const idempotency = createIdempotency(store, idempotencyKey, core.clock.provenTime);
  const streams = createStreamLimits(settings.PLATFORM_STREAMS, settings.PLATFORM_STREAMS_PER_CALLER);
  const transactions = createFairQueue("dry runs and batches", transactionLimits);
  const ofSystem = systemHandlers(
    store,
    metrics,
    metricsOfParts,
    {
      name: "Lakehelm",
      version,
      schema_version: core.schemaVersion,
      platform: settings.PLATFORM_DEFAULT_PLATFORM,
      platforms: platforms.platforms.map(({ name }) => name),
      store: store.engine.name,
    },
    effectiveSettings(settings),
    {
      pause: core.pause,
      recordResumed: (context) =>
        store.apply({
          context,
          steps: [],
          events: [
            { kind: "server.resumed", subject: "server", data: { reason: core.pause.reason() ?? null } },
          ],
        }),
    },
    holder,
    core.disk.space,
    () => performance.now(),
  );
  const outboxTopics = lastKnown(() => runtime.outbox.stats());
  const queuedRuns = lastKnown(() => jobs.rules.queuedUsage());
  const storedAnswers = lastKnown(() => idempotency.quotas());
  const databaseSpace = lastKnown(() => fileSpace(store.engine));
  const storedUsage = lastKnown(() =>
    storedQuotas(resources.quotas, async (id) => (await resources.environments.find(id))?.doc.name),
  );
  /** Composed with the first request that needs it. */
  let transactional: Promise<TransactionalService> | undefined;
  const composeTransactional = async () =>
    (await import("./transactional-service.ts")).composeTransactionalService({
      deps,
      runtime,
      folders: parts.folders,
      platforms: platforms.besidesEmbedded,
      resources,
      identity,
      systemHandlers: ofSystem,
      sign: core.signEvent,
      quotas: core.quotas,
      idempotencyKey,
      queue: transactions,
      log,
    });
  const api = createApp({
    settings,
    system,
    log,
    metrics,
    traces: tracing?.requests,
    service: {
      handlers: {
        ...ofSystem,
        ...identityHandlers(
          deps,
          identity,
          async (reference) => (await resources.environments.read(reference)).doc,
        ),
        ...resources.handlers,
      },
      idempotency,
      authorize: createAuthorization({
        defaultEnvironment: settings.PLATFORM_DEFAULT_ENVIRONMENT,
        protectedChanges: settings.PLATFORM_PROTECTED_CHANGES,
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
    writes: resources.writes,
    authenticate: identity.authenticate,
    guard: createGuard(identity.authenticate, limits),
    perCaller: limits.perCaller,
    perAddress: limits.perAddress,
    streams,
    relay: parts.relay,
    holder,
    docs: createDocs({
      openApi: async () => (await import("@lakehelm/contract/openapi")).openApiDocument({ version }),
      automationSchema: async () => (await import("@lakehelm/contract/automation-schema")).automationSchema(),
    }),
    console: settings.PLATFORM_CONSOLE === "on" ? consoleOf(settings, log) : undefined,
    stopping: parts.stopping,
    ending: parts.ending,
    checkAnswers: parts.checkAnswers,
  });
  const gateway = createGateway({
    settings,
    system,
    log,
    addresses: runtime.addresses,
    tickets: runtime.tickets,
    sessions: createAppSessions(vault.deriveKey("app passes"), system.now),
    async roleNow({ user: name, role, account, environmentId }) {
      if (!account) return role;
      const caller = await identity.callerOf({ ...account, name });
      const now = caller && roleIn(caller, environmentId);
      return now === "none" ? undefined : now;
    },
    find: resources.findApp,
    processes,
    holdsData: () => holder() === "here",
  });
  const connectionLimits = {
    total: settings.PLATFORM_CONNECTIONS,
    perAddress: settings.PLATFORM_CONNECTIONS_PER_ADDRESS,
    addressOf: parts.clientAddresses.ofConnection,
  };
  const connectionQuotas = limitConnections(api, connectionLimits);
  limitConnections(gateway.server, connectionLimits);
  return { api, gateway, idempotency };

  async function quotas(): Promise<Quota[]> {
    const [queued, answers, stored] = await Promise.all([queuedRuns(), storedAnswers(), storedUsage()]);
    return [
      ...requestQuotas(limits),
      ...connectionQuotas(),
      ...streams.quotas(),
      ...identity.quotas(),
      { name: "runs", ...jobs.usage() },
      ...(queued ? [{ name: "queued_runs_per_caller", ...queued }] : []),
      ...(answers ?? []),
      { name: "process_log_bytes", ...processes.logUsage() },
      { name: "event_length", ...store.eventUsage() },
      ...resources.files.quotas(),
      ...(stored ?? []),
      ...refusedWrites(core.quotas),
      ...Object.entries({ ...resources.queues, transactions }).map(([name, queue]) => ({
        name,
        ...queue.usage(),
      })),
    ];
  }

  /** What the parts of the server tell about themselves, besides the requests that were served. */
  async function metricsOfParts(): Promise<string> {
    const [topics, space, allQuotas, ofJobs, ofEngine] = await Promise.all([
      outboxTopics(),
      databaseSpace(),
      quotas(),
      jobs.metrics(async (id) => (await resources.environments.find(id))?.doc.name),
      engineMetrics(parts.embeddedEngine),
    ]);
    return (
      outboxMetrics(topics ?? [], system.now()) +
      quotaMetrics(allQuotas) +
      eventLogMetrics(core.events.stats()) +
      (space === undefined
        ? ""
        : metric("lakehelm_database_bytes", "gauge", "Size of the SQLite database.", space.bytes) +
          metric(
            "lakehelm_database_free_bytes",
            "gauge",
            "What of it nothing uses: new rows use it first.",
            space.freeBytes,
          )) +
      retentionMetrics([...parts.retention.stats(), parts.olderOutput.stats()]) +
      unarchivedOutputMetrics(parts.olderOutput.unarchivedBytes()) +
      metric(
        "lakehelm_log_dropped_lines_total",
        "counter",
        "Log lines that could not be written.",
        parts.droppedLogLines(),
      ) +
      metric(
        "lakehelm_data_folder_held",
        "gauge",
        "1 if this server holds the data folder and executes its runs.",
        Number(holder() === "here"),
      ) +
      ofJobs +
      platforms.metrics() +
      ofEngine +
      (tracing?.metrics() ?? "")
    );
  }
}

/** An engine that is too busy to answer within a second has no sample. */
async function engineMetrics(engine: Pick<Engine, "memory">): Promise<string> {
  const late = pause(1000, undefined, { ref: false });
  const bytes = await Promise.race([engine.memory().catch(() => undefined), late]);
  const help = "Resident memory of the engine; 0 while it is not running.";
  return metric("lakehelm_engine_memory_bytes", "gauge", help, bytes === undefined ? [] : [[{}, bytes]]);
}

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
