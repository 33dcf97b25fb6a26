import type { AutomationTask } from "@lakehelm/contract";
import type { Engine } from "@lakehelm/engine";
import type { Logger } from "pino";
import { createFairQueue } from "../core/concurrency/fair-queue.ts";
import type { Dependencies } from "../core/dependencies.ts";
import type { DiskWatch } from "../core/disk-watch.ts";
import { createEventHistory } from "../core/events/history.ts";
import type { EventLog } from "../core/events/log.ts";
import type { Outbox } from "../core/outbox/outbox.ts";
import { createKeptCode } from "../core/store/kept-code.ts";
import { createLineageRows } from "../core/store/lineage-rows.ts";
import { idOf, isSubject } from "../core/store/store.ts";
import type { StoredQuotas } from "../core/store/stored-quotas.ts";
import { unrecorded } from "../core/system.ts";
import { agentsModule } from "../resources/agents/module.ts";
import { appsModule } from "../resources/apps/module.ts";
import { automationsModule } from "../resources/automations/module.ts";
import { backupsModule } from "../resources/backups/module.ts";
import { createAlterations } from "../resources/catalog/alterations.ts";
import { catalogHandlers } from "../resources/catalog/routes.ts";
import { chatModule } from "../resources/chat/module.ts";
import type { CodeGenerator } from "../resources/codegen/generator.ts";
import { codegenModule } from "../resources/codegen/module.ts";
import { connectorsModule } from "../resources/connectors/module.ts";
import { deploymentsModule } from "../resources/deployments/module.ts";
import type { DriftRecord } from "../resources/drift/drift-record.ts";
import { driftModule } from "../resources/drift/module.ts";
import {
  driftingAgents,
  driftingApps,
  driftingAutomations,
  driftingConnectors,
  driftingFlows,
  driftingPipelines,
  platformSource,
} from "../resources/drift/platform-source.ts";
import { environmentsModule } from "../resources/environments/module.ts";
import { environmentOfSubject } from "../resources/events/event-environment.ts";
import { eventHandlers } from "../resources/events/routes.ts";
import type { ReadOnlyFiles } from "../resources/files/files.ts";
import { filesModule } from "../resources/files/module.ts";
import { flowsModule } from "../resources/flows/module.ts";
import { jobHandlers } from "../resources/jobs/routes.ts";
import type { Module } from "../resources/module.ts";
import { refusedResources } from "../resources/overview/refused-resources.ts";
import { overviewHandlers } from "../resources/overview/routes.ts";
import { pipelinesModule } from "../resources/pipelines/module.ts";
import { createCodeLineage, createCodeReader } from "../resources/plans/code-lineage.ts";
import { plansModule } from "../resources/plans/module.ts";
import { createStoredLineage } from "../resources/plans/stored-lineage.ts";
import { queryHandlers } from "../resources/queries/routes.ts";
import { createQuotas } from "../resources/quotas/quotas.ts";
import { quotaHandlers } from "../resources/quotas/routes.ts";
import { secretsModule } from "../resources/secrets/module.ts";
import { sessionHandlers } from "../resources/session/routes.ts";
import type { Jobs } from "../runtime/jobs/jobs.ts";
import { createOutbound } from "../runtime/outbound/outbound.ts";
import type { OwnPorts } from "../runtime/outbound/own-ports.ts";
import { requestRules } from "../runtime/outbound/rules.ts";
import type { EnvironmentWarehouses } from "../runtime/platforms/embedded/warehouses.ts";
import type { PlatformRequests } from "../runtime/platforms/platform-requests.ts";
import type { QueryQueue } from "../runtime/platforms/query-queue.ts";
import type { Processes } from "../runtime/processes/processes.ts";
import type { TaskProcesses } from "../runtime/processes/tasks/task-processes.ts";
import type { Addresses } from "../web/gateway/addresses.ts";
import type { Tickets } from "../web/gateway/tickets.ts";
import type { EnvironmentLookups } from "../web/http/authorization.ts";
import { queued } from "../web/http/queued-handlers.ts";
import type { CallerNow } from "../web/identity/authenticate.ts";
import { runningComponents } from "./running-components.ts";

/** A plan may have 10,000 resources, and rules that take 10 seconds and 256 MB. */
const planLimits = { atOnce: 3, perOwner: 1, waiting: 256, waitingPerOwner: 32, waitMs: 60_000 };
/** One thread generates code: while it works for one caller, the next request is already there. */
const generationLimits = { atOnce: 2, perOwner: 1, waiting: 256, waitingPerOwner: 64, waitMs: 60_000 };
/** Each goes through everything in an environment. */
const lineageLimits = { atOnce: 4, perOwner: 2, waiting: 256, waitingPerOwner: 64, waitMs: 30_000 };

/** What resources are built on, besides the core. */
export interface Runtime {
  readonly platformRequests: PlatformRequests;
  readonly outbox: Outbox;
  readonly jobs: Jobs;
  readonly engine: Engine;
  readonly queries: QueryQueue;
  /** The differences that are known between what was declared and what is there. */
  readonly drift: DriftRecord;
  readonly warehouses: EnvironmentWarehouses;
  readonly processes: Processes;
  readonly taskProcesses: TaskProcesses;
  readonly events: EventLog;
  readonly callerNow: CallerNow;
  readonly tickets: Tickets;
  readonly addresses: Addresses;
  readonly ownPorts: OwnPorts;
  readonly schemaVersion: number;
  readonly disk: DiskWatch;
  /** Limits of what is stored. */
  readonly quotas: StoredQuotas;
  readonly log: Logger;
  /** Only for rules that run in a transaction scope. */
  readonly scoped?: {
    readonly generator: CodeGenerator;
    readonly files: ReadOnlyFiles;
  };
}

/**
 * Builds each resource once and gives it the rules of those that it uses. Where two know each other, one gets a function
 * that calls the other, which is called only after both are built.
 */
export async function composeResources(deps: Dependencies, runtime: Runtime) {
  const {
    platformRequests,
    outbox,
    jobs,
    engine,
    queries,
    warehouses,
    processes,
    events,
    tickets,
    addresses,
    log,
  } = runtime;
  const stopwatch = () => performance.now();
  const generations = createFairQueue("code generations", generationLimits);
  const planning = createFairQueue("plans", planLimits);
  const reading = createFairQueue("reads of lineage", lineageLimits);
  const outbound = createOutbound(requestRules(deps.settings, runtime.ownPorts.set));

  const environmentModule = environmentsModule(deps, {
    platforms: platformRequests,
    removal: {
      whileEmpty: (id, remove) => files.whileEmpty(id, remove),
      keepRecords: async (id) => [
        ...deployments.detach(id),
        ...plans.detach(id),
        processes.removalIn(id),
        ...(await runtime.drift.removalIn(id)),
        ...files.removalIn(id),
      ],
      tables: warehouses.tables,
      drop: warehouses.drop,
    },
  });
  const environments = environmentModule.rules;

  const fileModule = await filesModule(deps, {
    environments,
    platforms: platformRequests,
    outbox,
    holdsDataFolder: () => processes.areActive,
    areUnconfined: processes.areUnconfined,
    codeAt: async (environmentId, path) =>
      (await apps.usersOf(environmentId, path))[0] ?? agents.codeAt(path),
    requireAllowed: (write) => planModule.requireFileAllowed(write),
    readOnly: runtime.scoped?.files,
  });
  const files = fileModule.rules;
  const secretModule = secretsModule(deps, { environments });
  const secrets = secretModule.rules;
  const codegen = codegenModule(deps, { environments, generator: runtime.scoped?.generator });

  const connectorModule = connectorsModule(deps, {
    platformRequests,
    environments,
    secrets,
    jobs,
    engine,
    outbox,
    holdsDataFolder: () => processes.areActive,
    stopwatch,
  });
  const connectors = connectorModule.rules;
  const flowModule = flowsModule(deps, {
    platformRequests,
    environments,
    generator: codegen.generator,
    engine,
    stopwatch,
  });
  const flows = flowModule.rules;
  const lineageRows = createLineageRows(deps.store);
  // A transaction scope ends before it has been read.
  const keptCode = createKeptCode(lineageRows, async (step) => {
    if (!runtime.scoped) await deps.store.apply({ context: unrecorded, steps: [step], events: [] });
  });
  const pipelineModule = pipelinesModule(deps, {
    platformRequests,
    outbox,
    environments,
    files,
    jobs,
    engine,
    generator: codegen.generator,
    warehouses,
    holdsDataFolder: () => processes.areActive,
    stopwatch,
    keptCode,
  });
  const pipelines = pipelineModule.rules;

  const deploymentModule = deploymentsModule(deps, {
    outbox,
    environments,
    currentReleases: async (environmentId) => [
      ...(await automations.currentReleases(environmentId)),
      ...(await agents.currentReleases(environmentId)),
    ],
    releaseOf: (deployment) => automations.releaseOf(deployment),
  });
  const deployments = deploymentModule.rules;
  async function jobOf(kind: "connector" | "flow" | "pipeline", name: string, environmentId: string) {
    if (kind === "connector") return (await connectors.byName(environmentId, name))?.workflow_id ?? undefined;
    if (kind === "flow") return (await flows.byName(environmentId, name))?.workflow_id ?? undefined;
    return (await pipelines.byName(environmentId, name))?.platform_reference ?? undefined;
  }
  const automationModule = automationsModule(deps, {
    platformRequests,
    environments,
    deployments,
    secrets,
    outbound,
    jobs,
    engine,
    taskProcesses: runtime.taskProcesses,
    holdsDataFolder: () => processes.areActive,
    stopwatch,
    lookups: {
      connector: async (name, environmentId) => (await connectors.byName(environmentId, name)) !== undefined,
      flow: async (name, environmentId) => (await flows.byName(environmentId, name)) !== undefined,
      pipeline: async (name, environmentId) => (await pipelines.byName(environmentId, name)) !== undefined,
      agent: (name) => agents.knows(name),
      channel: async (id, environmentId) => (await chat.bindings.find(environmentId, id)) !== undefined,
    },
    jobOf,
    invoke: (...args) => agentModule.invoke(...args),
    boundChannel: (alias) => chat.bindings.boundTo(alias),
  });
  const automations = automationModule.rules;

  const chatModules = chatModule(deps, {
    environments,
    automations,
    secrets,
    outbound,
    events,
    outbox,
    run: jobs.rules.find,
    async pipelineNotifications(id) {
      const { notifications } = await pipelines.specOf(id);
      // Another system sends mails about its updates itself.
      const isRemote = (await jobs.rows.get(`pipeline-${id}`))?.reference;
      return isRemote ? notifications?.map(({ email_recipients: _, ...entry }) => entry) : notifications;
    },
    serverId: jobs.serverId,
    log,
  });
  const chat = chatModules.rules;
  const agentModule = agentsModule(deps, {
    platformRequests,
    environments,
    processes,
    bindings: chat.bindings,
    poster: chat.poster,
    invalidateSummary: deployments.invalidateSummary,
    areUnconfined: processes.areUnconfined,
    removalSteps: (id) => [processes.removalBelow(`agent/${id}`)],
    async claim(path, register) {
      const usual = await environments.find(deps.settings.PLATFORM_DEFAULT_ENVIRONMENT);
      return files.claim(path, usual?.id, register);
    },
    linkedApps: {
      startChange: (...args) => apps.linked.startChange(...args),
      stopTasks: (...args) => apps.linked.stopTasks(...args),
      noneLinked: (agent) => apps.linked.noneLinked(agent),
    },
  });
  const agents = agentModule.rules;
  const appModule = appsModule(deps, {
    platformRequests,
    environments,
    agents,
    processes,
    tickets,
    addresses,
  });
  const apps = appModule.rules;

  const readCode = createCodeReader(codegen.generator, pipelineModule.lineage);
  const codeLineage = createCodeLineage(readCode, lineageRows, keptCode);
  const planModule = plansModule(deps, {
    environments,
    connectors,
    pipelines,
    flows,
    agents,
    apps,
    automations,
    jobs,
    outbox,
    codeLineage,
    readPlannedCode: pipelineModule.readPlanned,
    generator: codegen.generator,
    holdsDataFolder: () => processes.areActive,
    sealEvents: () => events.seal(),
    callerNow: runtime.callerNow,
    settleDrift: runtime.drift.settle,
    secrets,
    whileFilesAre: files.whileFilesAre,
    codeUsersOf: async (environmentId, path) => [
      ...(await pipelines.usersOf(environmentId, path)).map((name) => ({ kind: "pipeline" as const, name })),
      ...(await agents.usersOf(path)).map((name) => ({ kind: "agent" as const, name })),
      ...(await apps.usersOf(environmentId, path)).map((name) => ({ kind: "app" as const, name })),
    ],
  });
  const plans = planModule.rules;
  const { kinds } = planModule;
  const lineages = createStoredLineage({
    rows: lineageRows,
    kinds,
    readCode,
    keptCode,
  });

  // In a transaction scope nothing is compared.
  const driftSources = runtime.scoped
    ? []
    : [
        platformSource(platformRequests.all, async (id) => (await environments.find(id))?.doc.platform, {
          connector: driftingConnectors(connectors),
          flow: driftingFlows(flows),
          pipeline: driftingPipelines(pipelines),
          automation: driftingAutomations(automations),
          agent: driftingAgents(agents, environments),
          app: driftingApps(apps, environments),
        }),
        planModule.driftSource,
      ];
  const driftModules = driftModule(deps, {
    record: runtime.drift,
    environments,
    sources: driftSources,
    log,
  });
  const drift = driftModules.rules;

  const backupModule = backupsModule(deps, { engine, events, schemaVersion: runtime.schemaVersion, log });

  const quotas = createQuotas(deps, runtime.quotas);

  const environmentsOf = {
    agent: agents.environmentsOf,
    app: apps.environmentsOf,
    automation: automations.environmentsOf,
    binding: chat.bindings.environmentsOf,
    connector: connectors.environmentsOf,
    delivery: chat.deliveries.environmentsOf,
    deployment: deployments.environmentsOf,
    drift: drift.environmentsOf,
    flow: flows.environmentsOf,
    job: (id) => environmentsOfJob(jobs, id),
    pipeline: pipelines.environmentsOf,
    plan: plans.environmentsOf,
    run: (id) => environmentsOfRun(jobs, id),
  } satisfies EnvironmentLookups;

  return {
    environments,
    connectors,
    flows,
    pipelines,
    quotas,
    /** What the current release of an automation runs in an environment, with its secrets. */
    async releasedDefinition(id: string, environmentId: string) {
      const release = await automations.currentRelease(id, environmentId);
      return (release && (await automations.designOf(release.id))) ?? undefined;
    },
    /** The id of what a task of an automation runs, in the system that runs it. */
    async workspaceReference(kind: AutomationTask["kind"], name: string, environmentId: string) {
      if (kind === "automation") return (await automations.releasedCalls(name, environmentId))?.jobId;
      if (kind === "connector" || kind === "flow" || kind === "pipeline")
        return jobOf(kind, name, environmentId);
      return undefined;
    },
    /** Another system has ended a run of a resource. */
    async runEndedElsewhere(subject: string, error: string | null) {
      if (isSubject("connector", subject)) await connectorModule.runEnded(idOf(subject), error);
    },
    runningComponents: (platform: string) => runningComponents(platform, { apps, agents, environments }),
    files,
    secrets,
    agents,
    apps,
    arrivals: connectorModule.arrivals,
    findApp: appModule.find,
    /** The position in the event log that no reader of the server needs to read again. */
    eventsReadThrough: chat.readThrough,
    generator: codegen.generator,
    /** Requests that wait for their turn, by the name of their quota. */
    queues: { queries, code_generations: generations, plans: planning, lineage_reads: reading },
    /** The environments of resources, for the roles of callers in them. */
    environmentsOf,
    planKinds: planModule.kinds,
    /** Policies of the server on writes that are not part of a plan. */
    writes: planModule.writes,
    /** In the order in which they prepare, take over and stop. */
    modules: [
      environmentModule,
      chatModules,
      automationModule,
      deploymentModule,
      connectorModule,
      flowModule,
      fileModule,
      pipelineModule,
      codegen,
      agentModule,
      appModule,
      planModule,
      backupModule,
      driftModules,
    ] satisfies readonly Module[],
    handlers: {
      ...environmentModule.handlers,
      ...queued(queries, connectorModule.handlers, [
        "checkConnector",
        "discoverConnector",
        "previewConnector",
      ]),
      ...flowModule.handlers,
      ...queued(queries, pipelineModule.handlers, ["getPipelineGraph"]),
      ...deploymentModule.handlers,
      ...queued(queries, automationModule.handlers, ["validateQuery", "validateArtifacts"]),
      ...chatModules.handlers,
      ...agentModule.handlers,
      ...appModule.handlers,
      ...queued(planning, planModule.handlers, ["createPlan", "applyPlan"]),
      ...backupModule.handlers,
      ...driftModules.handlers,
      ...queued(generations, codegen.handlers, [
        "generateAlterMetadata",
        "generateConsumption",
        "generateConnector",
      ]),
      ...fileModule.handlers,
      ...secretModule.handlers,
      ...jobHandlers(jobs, environments),
      ...queued(
        reading,
        overviewHandlers(
          jobs,
          environments,
          kinds,
          lineages,
          (scope) => refusedResources(connectors, flows, scope),
          runtime.disk,
        ),
        ["getOverview", "getJobDownstream", "getTableLineage"],
      ),
      ...queued(queries, catalogHandlers(environments, createAlterations(deps, kinds, lineages)), [
        "planTableAlteration",
        "alterTable",
      ]),
      ...queued(queries, queryHandlers(environments, stopwatch), ["runQuery", "planQuery", "downloadQuery"]),
      ...sessionHandlers(deps, environments, events),
      ...quotaHandlers(quotas, environments, files),
      ...eventHandlers(
        events,
        createEventHistory(deps.store),
        environments,
        environmentOfSubject(environmentsOf),
      ),
    },
  };
}

async function environmentsOfRun(jobs: Jobs, id: string) {
  const run = await jobs.rules.find(id);
  return run && [run.environment_id];
}

/** The runs of a job outlive it for a while. */
async function environmentsOfJob(jobs: Jobs, id: string) {
  const job = await jobs.rows.find(id);
  if (job) return [job.environmentId];
  const [last] = (await jobs.rules.page({ job: id }, { limit: 1 })).runs;
  return last && [last.environment_id];
}

export type Resources = Awaited<ReturnType<typeof composeResources>>;
