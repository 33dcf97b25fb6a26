import { createAgents } from "./agents/agents.ts";
import { agentHandlers } from "./agents/routes.ts";
import { createApps } from "./apps/apps.ts";
import { appHandlers } from "./apps/routes.ts";
import { createAutomations } from "./automations/automations.ts";
import { automationHandlers } from "./automations/routes.ts";
import { cleanTemporary } from "./automations/temporary.ts";
import { createChatBindings } from "./chat/bindings.ts";
import { chatHandlers } from "./chat/routes.ts";
import { createCodeGenerator } from "./codegen/generator.ts";
import { codegenHandlers } from "./codegen/routes.ts";
import { createConnectors } from "./connectors/connectors.ts";
import { connectorHandlers } from "./connectors/routes.ts";
import { createDeployments } from "./deployments/deployments.ts";
import { deploymentHandlers } from "./deployments/routes.ts";
import { createEnvironments } from "./environments/environments.ts";
import { environmentHandlers } from "./environments/routes.ts";
import { openFiles } from "./files/files.ts";
import { fileHandlers } from "./files/routes.ts";
import type { Parts } from "./parts.ts";
import { createPipelines } from "./pipelines/pipelines.ts";
import { pipelineHandlers } from "./pipelines/routes.ts";
import type { Work } from "./platforms/work.ts";
import { secretHandlers } from "./secret-store/routes.ts";
import { createSecretStore } from "./secret-store/secret-store.ts";
import type { By } from "./store/store.ts";

/** Makes the nouns, in the order in which they know of each other, and their handlers. */
export async function openNouns(parts: Parts, work: Work) {
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
    clock: () => performance.now(),
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
  environments.onRemove(files.whileEmpty, deployments.outlive);

  return {
    /** Before the first request: the default environment, and what an earlier process left undone. */
    async prepare(by: () => By): Promise<void> {
      await environments.ensureDefault(by());
      await cleanTemporary();
      await files.finishFiles(by());
      await deployments.resume(by());
      await work.resume(async (id) => (await environments.find(id))?.doc.platform);
    },
    /** Every minute: pauses whose time is over end. */
    async tick(by: () => By): Promise<void> {
      await automations.endPauses(by());
      await connectors.endPauses(by());
    },
    close: () => generator.close(),
    handlers: {
      ...environmentHandlers(environments),
      ...connectorHandlers(connectors, environments),
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
