import type { Engine, EngineRequests, FolderAccess, RequestKind } from "@lakehelm/engine";
import type { Logger } from "pino";
import type { FairQueue } from "../core/concurrency/fair-queue.ts";
import type { Dependencies } from "../core/dependencies.ts";
import { NotTransactional } from "../core/errors.ts";
import { createOutbox, type Outbox } from "../core/outbox/outbox.ts";
import { completed, type OutboxHandlers } from "../core/outbox/topic.ts";
import { createRetries, withoutTurns } from "../core/store/retries.ts";
import { createStore } from "../core/store/store.ts";
import type { StoredQuotas } from "../core/store/stored-quotas.ts";
import { createTransactionScopes, type TransactionScope } from "../core/store/transaction-scope.ts";
import { createDriftRecord } from "../resources/drift/drift-record.ts";
import { mergeModules } from "../resources/module.ts";
import { touchedBy } from "../resources/plans/judged-writes.ts";
import { executeByKind } from "../runtime/jobs/executors.ts";
import { createJobs } from "../runtime/jobs/jobs.ts";
import { createEmbeddedPlatform } from "../runtime/platforms/embedded/index.ts";
import type { Platform, Warehouse } from "../runtime/platforms/platform.ts";
import { assumedOutcome, createPlatformRequests } from "../runtime/platforms/platform-requests.ts";
import type { Processes } from "../runtime/processes/processes.ts";
import { createTickets } from "../web/gateway/tickets.ts";
import { createAuthorization } from "../web/http/authorization.ts";
import { createIdempotency } from "../web/http/idempotency.ts";
import type { Service, TransactionalService } from "../web/http/service.ts";
import { type Identity, openIdentity } from "../web/identity/identity.ts";
import { identityHandlers } from "../web/identity/routes.ts";
import { composeResources, type Resources, type Runtime } from "./resources.ts";

/** The server whose requests are served. */
interface ServedBy {
  readonly deps: Dependencies;
  readonly runtime: Runtime;
  readonly folders: FolderAccess;
  /** Platforms besides the embedded one. */
  readonly platforms: readonly Platform[];
  readonly resources: Resources;
  readonly identity: Identity;
  readonly systemHandlers: Pick<
    Service["handlers"],
    "getHealth" | "getInfo" | "getMetrics" | "listSettings" | "resumeServer"
  >;
  readonly sign: (body: string) => string;
  readonly quotas: StoredQuotas;
  readonly idempotencyKey: Buffer;
  readonly queue: FairQueue;
  readonly log: Logger;
}

const dryRunMs = 30_000;
const transactionMs = 60_000;

/** The requests to the engine that change nothing and reach no other system. */
const harmless: ReadonlySet<RequestKind> = new Set<RequestKind>([
  "catalog",
  "versions",
  "flowPlan",
  "pipelinePlan",
  "scriptPlan",
]);

/** Requests to the warehouse of another system that change it. */
const unchangedWarehouse = {
  metadata: () => outside("changes tables of a warehouse"),
  applyMetadata: () => outside("changes tables of a warehouse"),
} satisfies Warehouse;

/**
 * The same rules a second time, for dry runs and all-or-nothing batches. Their store writes to a transaction scope, and
 * everything else they get can only read: a rule that would act outside of the database throws `NotTransactional`.
 */
export async function composeTransactionalService(server: ServedBy): Promise<TransactionalService> {
  const { runtime, resources: real, identity: realIdentity, queue, log } = server;
  const { settings, vault, system } = server.deps;
  const scopes = createTransactionScopes(server.deps.store.engine);
  const retries = withoutTurns(createRetries(system));
  const store = createStore(scopes.database, system, server.sign, server.quotas, retries);
  store.onEvents((rows) => void scopes.current()?.events.push(...rows));
  const deps: Dependencies = { settings, vault, system, store };
  /** Those that are committed, and whose work outside of the database follows then. */
  const committed = new WeakSet<TransactionScope>();
  const isDryRun = () => {
    const scope = scopes.current();
    return scope === undefined || !committed.has(scope);
  };
  const requireDryRun = (effect: string) => {
    if (!isDryRun()) throw new NotTransactional(effect);
  };

  const engine = readOnlyEngine(runtime.engine);
  const processes = readOnlyProcesses(runtime.processes);
  const jobs = createJobs(deps, {
    executor: {
      execute: () => outside("runs a job"),
      checkParameters: executeByKind(() => executors).checkParameters,
    },
    tableVersions: async () => [],
    mayRun: () => false,
    log,
  });
  const outbox = assumingOutbox(
    createOutbox(deps, { owner: jobs.serverId, handlers: () => outboxHandlers, log }),
    isDryRun,
  );
  const platformRequests = createPlatformRequests(system, {
    platforms: [
      createEmbeddedPlatform(deps, jobs.steps, engine, processes, server.folders),
      ...server.platforms.map(
        ({ warehouse, ...platform }): Platform => ({
          ...platform,
          ...(warehouse && { warehouse: { ...warehouse, ...unchangedWarehouse } }),
          perform: () => outside("calls a platform"),
        }),
      ),
    ],
    outbox,
    platformOf: async (id) => (await resources.environments.find(id))?.doc.platform,
    holdsDataFolder: () => processes.areActive,
  });
  const tickets = createTickets(system);
  const resources = await composeResources(deps, {
    ...runtime,
    platformRequests,
    outbox,
    jobs: {
      ...jobs,
      rules: {
        ...jobs.rules,
        async cancel(id, context) {
          requireDryRun("ends work that is running");
          return jobs.rules.cancel(id, context);
        },
      },
      notice: () => {},
    },
    engine,
    warehouses: { ...runtime.warehouses, drop: async () => {}, releaseTables: async () => {} },
    processes,
    drift: createDriftRecord(deps),
    events: {
      ...runtime.events,
      acknowledge: () => outside("changes the event log"),
      seal: () => outside("changes the event log"),
    },
    tickets: {
      ...tickets,
      issue(...ticket) {
        requireDryRun("issues a ticket");
        return tickets.issue(...ticket);
      },
    },
    scoped: { generator: real.generator, files: { requireDryRun } },
  });
  const { executors, outbox: performing } = mergeModules(resources.modules);
  const outboxHandlers: OutboxHandlers = Object.fromEntries(
    Object.entries(performing).map(([topic, handler]) => [
      topic,
      { ...handler, perform: async () => completed(assumedOutcome(topic) as never) },
    ]),
  );
  const identity = await openIdentity(deps);
  const service: Service = {
    handlers: {
      ...server.systemHandlers,
      ...identityHandlers(
        deps,
        {
          ...identity,
          exchange: () => outside("issues a token"),
          exchangeCode: () => outside("issues a token"),
        },
        async (reference) => (await resources.environments.read(reference)).doc,
      ),
      ...resources.handlers,
    },
    idempotency: createIdempotency(store, server.idempotencyKey, system.now),
    authorize: createAuthorization({
      defaultEnvironment: settings.PLATFORM_DEFAULT_ENVIRONMENT,
      protectedChanges: settings.PLATFORM_PROTECTED_CHANGES,
      find: async (reference) => (await resources.environments.find(reference))?.doc,
      environmentsOf: resources.environmentsOf,
    }),
    touched: () =>
      touchedBy(
        scopes.current()?.events ?? [],
        [real, resources],
        async () => (await real.environments.read(settings.PLATFORM_DEFAULT_ENVIRONMENT)).id,
      ),
  };
  async function commit(scope: TransactionScope): Promise<void> {
    try {
      await scope.commit();
    } finally {
      real.environments.forget();
      realIdentity.forget();
    }
    server.deps.store.announce(scope.events);
    runtime.outbox.wake();
  }

  return {
    dryRun: (caller, signal, work) =>
      queue.run(caller, signal, () => scopes.run(dryRunMs, () => work(service))),
    transaction: (caller, signal, work) =>
      queue.run(caller, signal, () =>
        scopes.run(transactionMs, (scope) => {
          committed.add(scope);
          return work(service, () => commit(scope));
        }),
      ),
  };
}

async function outside(effect: string): Promise<never> {
  throw new NotTransactional(effect);
}

function readOnlyEngine(engine: Engine): Engine {
  return {
    request<Kind extends RequestKind>(
      kind: Kind,
      body: EngineRequests[Kind][0],
      options?: Parameters<Engine["request"]>[2],
    ) {
      return harmless.has(kind) ? engine.request(kind, body, options) : outside("works with data");
    },
    pid: undefined,
    ownPortsChanged: () => {},
    memory: async () => 0,
    stop: async () => {},
  };
}

/** The rows of processes are removed by steps of the transaction; a removed process ends by itself. */
function readOnlyProcesses(processes: Processes): Processes {
  const { removalOf, removalBelow, removalIn, requested, log, logUsage, areUnconfined } = processes;
  return {
    removalOf,
    removalBelow,
    removalIn,
    requested,
    log,
    logUsage,
    areUnconfined,
    get areActive() {
      return processes.areActive;
    },
    acquire() {
      throw new NotTransactional("calls a process");
    },
    deploy: () => outside("starts a process"),
    stop: () => outside("stops a process"),
    takeOver: () => outside("starts a process"),
    startPaused: () => outside("starts a process"),
    leave: async () => {},
    close: async () => {},
    tick: async () => {},
  };
}

/**
 * An outbox that performs nothing. In a dry run, the outcome of a success is recorded instead, so that the answer is the
 * one that the caller would get then. In a transaction that is committed, entries stay for the dispatcher.
 */
function assumingOutbox(outbox: Outbox, isDryRun: () => boolean): Outbox {
  return {
    ...outbox,
    begin(topic, entry) {
      const { step, finish } = outbox.begin(topic, entry);
      if (isDryRun()) return { step, finish };
      return { step: outbox.add(topic, entry), finish: async () => assumedOutcome(topic.name) as never };
    },
    flush: async () => {},
    runDue: async () => {},
    wake: () => {},
    start: () => {},
  };
}
