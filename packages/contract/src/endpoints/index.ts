/** The whole API: every endpoint once, by its name. */

export {
  createAgent,
  createAgentVersion,
  deleteAgent,
  getAgent,
  listAgents,
  listAgentVersions,
  readAgentLog,
  retryComponent,
  stopAgent,
  syncAgentRelease,
} from "./agents.ts";
export { createApp, deleteApp, getApp, listApps, readAppLog, startApp, stopApp } from "./apps.ts";
export { exchangeToken, getAuthStatus } from "./auth.ts";
export { getAttempt, putAttempt, validateArtifacts } from "./automation-attempts.ts";
export { listAutomationRuns, runAutomation } from "./automation-runs.ts";
export {
  createAutomation,
  getAutomation,
  listAutomations,
  listReleases,
  setDefinition,
  setSchedule,
  syncAutomationRelease,
  validateQuery,
} from "./automations.ts";
export { changeMetadata, readCatalog } from "./catalog.ts";
export {
  bindChat,
  deleteBinding,
  listBindings,
  listDeliveries,
  retryDelivery,
  testBinding,
} from "./chat.ts";
export {
  generateAlterMetadata,
  generateConnector,
  generateConsumption,
  listCodegenTemplates,
} from "./codegen.ts";
export {
  checkConnector,
  discoverConnector,
  listRejects,
  previewConnector,
  retryRejects,
} from "./connector-actions.ts";
export {
  addDataset,
  createConnector,
  deleteConnector,
  getConnector,
  listConnectors,
  pauseConnector,
  removeDataset,
  resumeConnector,
  updateConnector,
  updateDataset,
} from "./connectors.ts";
export {
  appendDeploymentLog,
  createDeployment,
  finishDeployment,
  getDeployment,
  getDeploymentLog,
  listDeployments,
  startDeployment,
} from "./deployments.ts";
export {
  createEnvironment,
  deleteEnvironment,
  getEnvironment,
  getEnvironmentSummary,
  listEnvironments,
  updateEnvironment,
} from "./environments.ts";
export { readEvents, verifyEvents } from "./events.ts";
export { deleteFile, getFile, listFiles, putFile } from "./files.ts";
export {
  createFlow,
  deleteFlow,
  getFlow,
  listFlows,
  pauseFlow,
  resumeFlow,
  updateFlow,
} from "./flows.ts";
export { invokeAgent, postChatMessage } from "./invocations.ts";
export { getJob, listFirings, listJobs, listRunsOfJob, runJob } from "./jobs.ts";
export {
  getPipelineGraph,
  getPipelineUpdate,
  listPipelineEvents,
  listPipelineUpdates,
  startPipelineUpdate,
  stopPipeline,
} from "./pipeline-updates.ts";
export { createPipeline, deletePipeline, getPipeline, listPipelines, updatePipeline } from "./pipelines.ts";
export { runQuery } from "./queries.ts";
export { cancelRun, getRun, listRuns, readRunLog, retryRun } from "./runs.ts";
export { deleteSecret, listSecrets, putSecret } from "./secrets.ts";
export { getHealth, getInfo, getMetrics } from "./system.ts";
export { createTicket } from "./tickets.ts";
export {
  createToken,
  createUser,
  deleteUser,
  getUser,
  listTokens,
  listUsers,
  revokeToken,
  updateUser,
} from "./users.ts";
