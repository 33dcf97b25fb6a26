/** The whole API: every endpoint once, by its name. */

export {
  createAgent,
  createAgentVersion,
  deleteAgent,
  getAgent,
  listAgents,
  listAgentVersions,
  retryComponent,
  stopAgent,
  syncAgentRelease,
} from "./agents.ts";
export { createApp, deleteApp, getApp, listApps, startApp } from "./apps.ts";
export { exchangeToken, getAuthStatus } from "./auth.ts";
export {
  bindChat,
  createAutomation,
  deleteBinding,
  getAttempt,
  getAutomation,
  listAutomations,
  listBindings,
  listReleases,
  putAttempt,
  setDefinition,
  setSchedule,
  syncAutomationRelease,
  validateArtifacts,
  validateQuery,
} from "./automations.ts";
export { changeMetadata, readCatalog } from "./catalog.ts";
export {
  generateAlterMetadata,
  generateConnector,
  generateConsumption,
  listCodegenTemplates,
} from "./codegen.ts";
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
export {
  cancelRun,
  getJob,
  getRun,
  listFirings,
  listJobs,
  listRuns,
  listRunsOfJob,
  readRunLog,
  retryRun,
  runJob,
} from "./jobs.ts";
export {
  checkConnector,
  discoverConnector,
  listRejects,
  previewConnector,
  retryRejects,
} from "./operating.ts";
export { createPipeline, deletePipeline, getPipeline, listPipelines, updatePipeline } from "./pipelines.ts";
export { runQuery } from "./queries.ts";
export { deleteSecret, listSecrets, putSecret } from "./secrets.ts";
export { getHealth, getInfo, getMetrics } from "./system.ts";
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
