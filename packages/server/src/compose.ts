import type { Engine } from "@lakehelm/engine";
import type { Logger } from "pino";
import type { Dependencies } from "./core/dependencies.ts";
import type { EventLog } from "./core/events/log.ts";
import type { Outbox } from "./core/outbox/outbox.ts";
import { agentsModule } from "./resources/agents/module.ts";
import { appsModule } from "./resources/apps/module.ts";
import { automationsModule } from "./resources/automations/module.ts";
import { catalogHandlers } from "./resources/catalog/routes.ts";
import { chatModule } from "./resources/chat/module.ts";
import { codegenModule } from "./resources/codegen/module.ts";
import { connectorsModule } from "./resources/connectors/module.ts";
import { deploymentsModule } from "./resources/deployments/module.ts";
import { environmentsModule } from "./resources/environments/module.ts";
import { eventHandlers } from "./resources/events/routes.ts";
import { filesModule } from "./resources/files/module.ts";
import { flowsModule } from "./resources/flows/module.ts";
import { jobHandlers } from "./resources/jobs/routes.ts";
import type { Module } from "./resources/module.ts";
import { pipelinesModule } from "./resources/pipelines/module.ts";
import { queryHandlers } from "./resources/queries/routes.ts";
import { secretsModule } from "./resources/secrets/module.ts";
import type { Jobs } from "./runtime/jobs/jobs.ts";
import { createOutbound } from "./runtime/outbound/outbound.ts";
import type { EnvironmentWarehouses } from "./runtime/platforms/embedded/warehouses.ts";
import type { PlatformRequests } from "./runtime/platforms/platform-requests.ts";
import type { Processes } from "./runtime/processes/processes.ts";
import type { Addresses } from "./web/gateway/addresses.ts";
import type { Tickets } from "./web/gateway/tickets.ts";

/** What resources are built on, besides the core. */
export interface Runtime {
  readonly work: PlatformRequests;
  readonly outbox: Outbox;
  readonly jobs: Jobs;
  readonly engine: Engine;
  readonly warehouses: EnvironmentWarehouses;
  readonly processes: Processes;
  readonly events: EventLog;
  readonly tickets: Tickets;
  readonly addresses: Addresses;
  readonly log: Logger;
}

/**
 * Builds each resource once and gives it the rules of those that it uses. Where two know each other, one gets a function
 * that calls the other, which is called only after both are built.
 */
export async function composeResources(deps: Dependencies, runtime: Runtime) {
  const { work, outbox, jobs, engine, warehouses, processes, events, tickets, addresses, log } = runtime;
  const stopwatch = () => performance.now();
  const outbound = createOutbound(deps.settings);

  const environmentModule = environmentsModule(deps, {
    platforms: work,
    removal: {
      whileEmpty: (id, remove) => files.whileEmpty(id, remove),
      keepRecords: (id) => [...deployments.detach(id), processes.removalIn(id)],
      tables: warehouses.tables,
      drop: warehouses.drop,
    },
  });
  const environments = environmentModule.rules;

  const fileModule = await filesModule(deps, {
    environments,
    outbox,
    holdsDataFolder: () => processes.areActive,
    codeAt: async (environmentId, path) => (await apps.codeAt(environmentId, path)) ?? agents.codeAt(path),
  });
  const files = fileModule.rules;
  const secretModule = secretsModule(deps, { environments });
  const secrets = secretModule.rules;
  const codegen = codegenModule(deps, { environments });

  const connectorModule = connectorsModule(deps, { work, environments, secrets, jobs, engine, stopwatch });
  const connectors = connectorModule.rules;
  const flowModule = flowsModule(deps, {
    work,
    environments,
    generator: codegen.generator,
    engine,
    stopwatch,
  });
  const flows = flowModule.rules;
  const pipelineModule = pipelinesModule(deps, {
    work,
    outbox,
    environments,
    files,
    secrets,
    jobs,
    engine,
    warehouses,
    holdsDataFolder: () => processes.areActive,
    stopwatch,
  });
  const pipelines = pipelineModule.rules;

  const deploymentModule = deploymentsModule(deps, {
    outbox,
    environments,
    currentReleases: async (environmentId) => [
      ...(await automations.currentReleases(environmentId)),
      ...(await agents.currentReleases(environmentId)),
    ],
  });
  const deployments = deploymentModule.rules;
  const automationModule = automationsModule(deps, {
    work,
    environments,
    deployments,
    secrets,
    outbound,
    jobs,
    engine,
    stopwatch,
    lookups: {
      connector: async (name) => (await connectors.byName(name)) !== undefined,
      flow: async (name, environmentId) => (await flows.byName(environmentId, name)) !== undefined,
      pipeline: async (name, environmentId) => (await pipelines.byName(environmentId, name)) !== undefined,
      agent: (name) => agents.knows(name),
      channel: async (id, environmentId) => (await chat.bindings.find(environmentId, id)) !== undefined,
    },
    async jobOf(kind, name, environmentId) {
      if (kind === "connector") return (await connectors.byName(name))?.workflow_id ?? undefined;
      if (kind === "flow") return (await flows.byName(environmentId, name))?.workflow_id ?? undefined;
      return (await pipelines.byName(environmentId, name))?.platform_reference ?? undefined;
    },
    invoke: (...args) => agentModule.invoke(...args),
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
    pipelineNotifications: async (id) => (await pipelines.specOf(id)).notifications,
    serverId: jobs.serverId,
    log,
  });
  const chat = chatModules.rules;
  const agentModule = agentsModule(deps, {
    work,
    environments,
    processes,
    bindings: chat.bindings,
    poster: chat.poster,
    invalidateSummary: deployments.invalidateSummary,
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
  const appModule = appsModule(deps, { work, environments, agents, processes, tickets, addresses });
  const apps = appModule.rules;

  return {
    environments,
    files,
    secrets,
    agents,
    apps,
    findApp: appModule.find,
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
    ] satisfies readonly Module[],
    handlers: {
      ...environmentModule.handlers,
      ...connectorModule.handlers,
      ...flowModule.handlers,
      ...pipelineModule.handlers,
      ...deploymentModule.handlers,
      ...automationModule.handlers,
      ...chatModules.handlers,
      ...agentModule.handlers,
      ...appModule.handlers,
      ...codegen.handlers,
      ...fileModule.handlers,
      ...secretModule.handlers,
      ...jobHandlers(jobs, environments),
      ...catalogHandlers(environments),
      ...queryHandlers(environments, stopwatch),
      ...eventHandlers(events),
    },
  };
}
