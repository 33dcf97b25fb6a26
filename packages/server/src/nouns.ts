import type { Engine } from "@lakehelm/engine";
import { createAgents } from "./agents/agents.ts";
import { agentHandlers } from "./agents/routes.ts";
import { createApps } from "./apps/apps.ts";
import { appHandlers } from "./apps/routes.ts";
import { createAutomations } from "./automations/automations.ts";
import { automationHandlers } from "./automations/routes.ts";
import { cleanTemporary } from "./automations/temporary.ts";
import { catalogHandlers } from "./catalog/routes.ts";
import { createChatBindings } from "./chat/bindings.ts";
import { chatHandlers } from "./chat/routes.ts";
import { createCodeGenerator } from "./codegen/generator.ts";
import { codegenHandlers } from "./codegen/routes.ts";
import { createConnectors } from "./connectors/connectors.ts";
import { createOperating } from "./connectors/operating.ts";
import { operatingHandlers } from "./connectors/operating-routes.ts";
import { createRecording } from "./connectors/recording.ts";
import { connectorHandlers } from "./connectors/routes.ts";
import { runConnector } from "./connectors/running.ts";
import { createDeployments } from "./deployments/deployments.ts";
import { deploymentHandlers } from "./deployments/routes.ts";
import { createEnvironments } from "./environments/environments.ts";
import { environmentHandlers } from "./environments/routes.ts";
import { openFiles } from "./files/files.ts";
import { fileHandlers } from "./files/routes.ts";
import { createFlows } from "./flows/flows.ts";
import { judgeByGenerating } from "./flows/judging.ts";
import { flowHandlers } from "./flows/routes.ts";
import { runFlow } from "./flows/running.ts";
import type { Executors } from "./jobs/executors.ts";
import type { Jobs } from "./jobs/jobs.ts";
import { jobHandlers } from "./jobs/routes.ts";
import type { Parts } from "./parts.ts";
import { createPipelines } from "./pipelines/pipelines.ts";
import { pipelineHandlers } from "./pipelines/routes.ts";
import type { Warehouses } from "./platforms/embedded/warehouses.ts";
import type { Work } from "./platforms/work.ts";
import { conflict } from "./problems.ts";
import { queryHandlers } from "./queries/routes.ts";
import { secretHandlers } from "./secret-store/routes.ts";
import { createSecretStore } from "./secret-store/secret-store.ts";
import type { By } from "./store/store.ts";

/** What runs the jobs of nouns. */
interface Running {
  readonly jobs: Jobs;
  readonly executors: Executors;
  readonly engine: Engine;
  readonly warehouses: Warehouses;
}

/** Makes the nouns, in the order in which they know of each other, and their handlers. */
export async function openNouns(parts: Parts, work: Work, { jobs, executors, engine, warehouses }: Running) {
  const clock = () => performance.now();
  const environments = createEnvironments(parts, work);
  const connectors = createConnectors(parts, work, environments);
  const pipelines = createPipelines(parts, work, environments);
  const agents = createAgents(parts, work, (environmentId) => deployments.outdateSummary(environmentId));
  const apps = createApps(parts, work, environments, agents);
  const deployments = createDeployments(parts, async (environmentId) => [
    ...(await automations.currentReleases(environmentId)),
    ...(await agents.currentReleases(environmentId)),
  ]);
  const automations = createAutomations(parts, work, environments, deployments, {
    clock,
    lookups: {
      connector: async (name) => (await connectors.byName(name)) !== undefined,
      pipeline: (name, environmentId) => pipelines.hasName(environmentId, name),
      agent: (name) => agents.knows(name),
    },
  });
  const bindings = createChatBindings(parts, environments, automations);
  const secrets = createSecretStore(parts);
  const files = await openFiles(parts, environments);
  const generator = createCodeGenerator(parts.settings.PLATFORM_CODEGEN_TIMEOUT_MS);
  environments.onRemove({
    whileEmpty: files.whileEmpty,
    outlive: deployments.outlive,
    tables: warehouses.tables,
    drop: warehouses.drop,
  });
  const flows = createFlows(parts, work, environments, judgeByGenerating(generator));
  const recording = createRecording(parts);
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
        by: () => ({ actor: "worker", requestId: null, time: parts.nature.now().toISOString() }),
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

  const platformOf = async (id: string) => (await environments.find(id))?.doc.platform;

  return {
    /** Before the first request: the default environment, and what an earlier process left undone. */
    async prepare(by: () => By): Promise<void> {
      await environments.ensureDefault(by());
      await cleanTemporary();
      await deployments.resume(by());
      await work.resume(platformOf);
    },
    /** When this server has got hold of the data folder: what its last holder left undone there, and with platforms. */
    async takeOver(by: () => By): Promise<void> {
      await files.finishFiles(by());
      await work.resume(platformOf);
    },
    /** Now and then: pauses whose time is over end, and what another server has left undone is done. */
    async tick(by: () => By): Promise<void> {
      await deployments.resume(by());
      await automations.endPauses(by());
      await connectors.endPauses(by());
      await flows.endPauses(by());
    },
    close: () => generator.close(),
    handlers: {
      ...environmentHandlers(environments),
      ...connectorHandlers(connectors, environments),
      ...operatingHandlers(operating),
      ...flowHandlers(flows, environments),
      ...jobHandlers(jobs, environments),
      ...catalogHandlers(environments),
      ...queryHandlers(environments, clock),
      ...pipelineHandlers(pipelines, environments),
      ...deploymentHandlers(deployments, environments),
      ...automationHandlers(automations, environments),
      ...chatHandlers(bindings, environments),
      ...agentHandlers(agents, environments),
      ...appHandlers(apps, environments),
      ...codegenHandlers(environments, generator),
      ...fileHandlers(files, environments),
      ...secretHandlers(secrets, environments),
    },
  };
}
