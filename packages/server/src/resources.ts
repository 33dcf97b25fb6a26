import type { Engine } from "@lakehelm/engine";
import type { Logger } from "pino";
import { createBackground } from "./core/concurrency/background-tasks.ts";
import { singleFlight } from "./core/concurrency/single-flight.ts";
import type { Dependencies } from "./core/dependencies.ts";
import { conflict } from "./core/errors.ts";
import type { EventLog } from "./core/events/log.ts";
import { appProcess } from "./core/processes.ts";
import type { ChangeContext } from "./core/store/store.ts";
import { createAgents } from "./resources/agents/agents.ts";
import { askingHandlers } from "./resources/agents/asking-routes.ts";
import { createChatMessages } from "./resources/agents/chat-messages.ts";
import { createInvoking } from "./resources/agents/invoking.ts";
import { agentHandlers } from "./resources/agents/routes.ts";
import { createApps } from "./resources/apps/apps.ts";
import { createFinding } from "./resources/apps/find-app.ts";
import { appHandlers } from "./resources/apps/routes.ts";
import { ticketHandlers } from "./resources/apps/ticket-routes.ts";
import { createAutomations } from "./resources/automations/automations.ts";
import { automationHandlers } from "./resources/automations/routes.ts";
import { automationRunHandlers } from "./resources/automations/run-routes.ts";
import { createRunning } from "./resources/automations/running/running.ts";
import { createAutomationRuns } from "./resources/automations/runs.ts";
import { planScript } from "./resources/automations/statements.ts";
import { cleanTemporary } from "./resources/automations/temporary.ts";
import { catalogHandlers } from "./resources/catalog/routes.ts";
import { createChat } from "./resources/chat/chat.ts";
import { chatHandlers } from "./resources/chat/routes.ts";
import { createCodeGenerator } from "./resources/codegen/generator.ts";
import { codegenHandlers } from "./resources/codegen/routes.ts";
import { createConnectors } from "./resources/connectors/connectors.ts";
import { createOperating } from "./resources/connectors/operating.ts";
import { operatingHandlers } from "./resources/connectors/operating-routes.ts";
import { createRecording } from "./resources/connectors/recording.ts";
import { connectorHandlers } from "./resources/connectors/routes.ts";
import { runConnector } from "./resources/connectors/running.ts";
import { createDeployments } from "./resources/deployments/deployments.ts";
import { deploymentHandlers } from "./resources/deployments/routes.ts";
import { createEnvironments } from "./resources/environments/environments.ts";
import { environmentHandlers } from "./resources/environments/routes.ts";
import { openFiles } from "./resources/files/files.ts";
import { fileHandlers } from "./resources/files/routes.ts";
import { createFlows } from "./resources/flows/flows.ts";
import { judgeByGenerating } from "./resources/flows/judging.ts";
import { flowHandlers } from "./resources/flows/routes.ts";
import { runFlow } from "./resources/flows/running.ts";
import { jobHandlers } from "./resources/jobs/routes.ts";
import { createReading } from "./resources/pipelines/code.ts";
import { createFreeing } from "./resources/pipelines/freeing.ts";
import { createLife } from "./resources/pipelines/life.ts";
import { createPipelines } from "./resources/pipelines/pipelines.ts";
import { pipelineHandlers } from "./resources/pipelines/routes.ts";
import { runUpdate } from "./resources/pipelines/running.ts";
import { updateHandlers } from "./resources/pipelines/update-routes.ts";
import { createUpdates } from "./resources/pipelines/updates.ts";
import { queryHandlers } from "./resources/queries/routes.ts";
import { secretHandlers } from "./resources/secrets/routes.ts";
import { createSecretStore } from "./resources/secrets/secret-store.ts";
import type { Executors } from "./runtime/jobs/executors.ts";
import type { Jobs } from "./runtime/jobs/jobs.ts";
import { createOutbound } from "./runtime/outbound/outbound.ts";
import type { Warehouses } from "./runtime/platforms/embedded/warehouses.ts";
import type { Work } from "./runtime/platforms/work.ts";
import type { Processes } from "./runtime/processes/processes.ts";
import type { Addresses } from "./web/gateway/addresses.ts";
import type { Tickets } from "./web/gateway/tickets.ts";

/** What runs the jobs of nouns. */
interface Running {
  readonly jobs: Jobs;
  readonly executors: Executors;
  readonly engine: Engine;
  readonly warehouses: Warehouses;
  readonly processes: Processes;
  readonly tickets: Tickets;
  readonly addresses: Addresses;
  readonly events: EventLog;
  readonly log: Logger;
}

/** Makes the nouns, in the order in which they know of each other, and their handlers. */
export async function openNouns(deps: Dependencies, work: Work, running: Running) {
  const { jobs, executors, engine, warehouses, processes, events, log } = running;
  const clock = () => performance.now();
  const environments = createEnvironments(deps, work);
  const connectors = createConnectors(deps, work, environments);
  const freeing = createFreeing(deps, { jobs, warehouses, log });
  const pipelines = createPipelines(deps, work, environments, freeing);
  const agents = createAgents(
    deps,
    work,
    (environmentId) => deployments.outdateSummary(environmentId),
    (id) => [processes.removingBelow(`agent/${id}`)],
    async (path, register) => {
      const usual = await environments.find(deps.settings.PLATFORM_DEFAULT_ENVIRONMENT);
      return files.claim(path, usual?.id, register);
    },
  );
  const apps = createApps(deps, work, environments, agents, (id) => [processes.removingOf(appProcess(id))]);
  const deployments = createDeployments(deps, async (environmentId) => [
    ...(await automations.currentReleases(environmentId)),
    ...(await agents.currentReleases(environmentId)),
  ]);
  const automations = createAutomations(deps, work, environments, deployments, {
    clock,
    now: deps.system.now,
    lookups: {
      connector: async (name) => (await connectors.byName(name)) !== undefined,
      flow: async (name, environmentId) => (await flows.byName(environmentId, name)) !== undefined,
      pipeline: async (name, environmentId) => (await pipelines.byName(environmentId, name)) !== undefined,
      agent: (name) => agents.knows(name),
      channel: async (id, environmentId) => (await chat.bindings.find(environmentId, id)) !== undefined,
      plan: planScript,
    },
    problemOf: async (jobId) => (await jobs.rows.get(jobId))?.problem ?? null,
  });
  const secrets = createSecretStore(deps);
  const outbound = createOutbound(deps.settings);
  const chat = createChat(deps, {
    environments,
    automations,
    secrets,
    outbound,
    events,
    run: jobs.rules.find,
    pipelineNotifications: async (id) => (await pipelines.specOf(id)).notifications,
    serverId: jobs.serverId,
    log,
  });
  const invoking = createInvoking({ agents, lending: processes });
  const chatMessages = createChatMessages(deps, {
    agents,
    environments,
    bindings: chat.bindings,
    posting: chat.posting,
    invoking,
  });
  const files = await openFiles(deps, environments);
  const generator = createCodeGenerator(deps.settings.PLATFORM_CODEGEN_TIMEOUT_MS);
  environments.onRemove({
    whileEmpty: files.whileEmpty,
    outlive: (id) => [...deployments.outlive(id), processes.removingIn(id)],
    tables: warehouses.tables,
    drop: warehouses.drop,
  });
  processes.attach({
    copyCode: files.copyFolder,
    secretOf: secrets.resolve,
    async onSight(processId, sight) {
      const [noun, id = "", environmentId = ""] = processId.split("/");
      await (noun === "app" ? apps.see(id, sight) : agents.seeEndpoint(id, environmentId, sight));
    },
  });
  const flows = createFlows(deps, work, environments, judgeByGenerating(generator));
  const recording = createRecording(deps);
  const operating = createOperating(connectors, environments, secrets, async (jobId, call, cause) => {
    const job = await jobs.rows.get(jobId);
    if (!job) throw conflict(`There is no job ${jobId} any more.`);
    return jobs.rules.runNow(job, cause, call);
  });
  executors.register("connector", async ({ id, cause }, { subject }, { signal, line, progress }) => ({
    metrics: await runConnector(
      { operating, recording, engine, clock },
      {
        connectorId: subject.slice("connector/".length),
        runId: id,
        retryRejects: cause.parameters?.retry_rejects === true,
        context: () => ({ actor: "worker", requestId: null, time: deps.system.now().toISOString() }),
        signal,
        line,
        progress,
      },
    ),
  }));
  executors.register("flow", async ({ id, cause }, { subject }, working) => {
    const run = { id, flowId: subject.slice("flow/".length), parameters: cause.parameters ?? {} };
    return { metrics: await runFlow({ flows, environments, engine, clock }, run, working) };
  });
  const life = createLife(jobs.history, deps.system.now);
  const updates = createUpdates(deps, pipelines, environments, jobs);
  const readCode = createReading(pipelines, environments, files, secrets);
  executors.register("pipeline", async (run, { subject }, working) => {
    const using = { read: readCode, engine, clock, now: deps.system.now };
    return { metrics: { ...(await runUpdate(using, subject.slice("pipeline/".length), run, working)) } };
  });

  const byWorker = (): ChangeContext => ({
    actor: "worker",
    requestId: null,
    time: deps.system.now().toISOString(),
  });
  const automationRunning = createRunning(deps, {
    automations,
    environments,
    secrets,
    jobs,
    engine,
    outbound,
    context: byWorker,
    async jobOf(kind, name, environmentId) {
      if (kind === "connector") return (await connectors.byName(name))?.workflow_id ?? undefined;
      if (kind === "flow") return (await flows.byName(environmentId, name))?.workflow_id ?? undefined;
      return (await pipelines.byName(environmentId, name))?.platform_reference ?? undefined;
    },
    invoke: invoking.invoke,
  });
  executors.register("automation", automationRunning.execute, automationRunning.abandon);
  jobs.onPauseOver("automation", automations.pauseOver);

  const platformOf = async (id: string) => (await environments.find(id))?.doc.platform;
  const resumeHere = singleFlight(() => work.resume(platformOf, "data"));
  const resuming = createBackground((error) =>
    log.warn({ err: error }, "what was left undone is finished later"),
  );

  return {
    /** Before the first request: the default environment, and what an earlier process left undone. */
    async prepare(context: () => ChangeContext): Promise<void> {
      await environments.ensureDefault(context());
      await chat.prepare();
      await cleanTemporary();
      await deployments.resume(context());
      await work.resume(platformOf, "no data");
      await pipelines.installOld(context());
    },
    /** When this server has got hold of the data folder: what its last holder left undone there, and with platforms. */
    async takeOver(context: () => ChangeContext): Promise<void> {
      await files.finishFiles(context());
      await processes.takeOver();
      await work.resume(platformOf, "no data");
      // To start a process may take a minute: nobody waits for it.
      resuming.run(resumeHere);
    },
    /** Now and then: pauses whose time is over end, and what another server has left undone is done. */
    async tick(context: () => ChangeContext): Promise<void> {
      await deployments.resume(context());
      await automations.endPauses(context());
      await connectors.endPauses(context());
      await flows.endPauses(context());
      await processes.tick();
      // A server that lost the data folder may have left something after this one had taken over.
      if (!processes.areHere) return;
      resuming.run(resumeHere);
      resuming.run(freeing.freeAll);
    },
    findApp: createFinding(apps, environments),
    /** Tells channels from now on, and frees the tables that an earlier process left. */
    start() {
      chat.start();
      if (processes.areHere) resuming.run(freeing.freeAll);
    },
    /** Every hour: what is older than it is kept is forgotten. */
    prune: () => chat.deliveries.prune(),
    stop: () => chat.stop(),
    async close() {
      await resuming.settled(1_000);
      await generator.close();
    },
    handlers: {
      ...environmentHandlers(environments),
      ...connectorHandlers(connectors, environments),
      ...operatingHandlers(operating),
      ...flowHandlers(flows, environments),
      ...jobHandlers(jobs, environments),
      ...catalogHandlers(environments),
      ...queryHandlers(environments, clock),
      ...pipelineHandlers(pipelines, environments, life),
      ...updateHandlers(updates, pipelines, life, readCode),
      ...deploymentHandlers(deployments, environments),
      ...automationHandlers(automations, environments),
      ...automationRunHandlers(createAutomationRuns(automations, environments, jobs)),
      ...chatHandlers(chat, environments),
      ...agentHandlers(agents, environments, processes),
      ...askingHandlers(agents, environments, invoking, chatMessages),
      ...ticketHandlers(apps, environments, running.tickets, running.addresses),
      ...appHandlers(apps, environments, processes),
      ...codegenHandlers(environments, generator),
      ...fileHandlers(files, environments, async (environmentId, path) => {
        return (await apps.codeAt(environmentId, path)) ?? agents.codeAt(path);
      }),
      ...secretHandlers(secrets, environments),
    },
  };
}
