/** The whole API: every endpoint once, by its name. */

export {
  createAgent,
  createAgentVersion,
  deleteAgent,
  deleteAgentVersion,
  getAgent,
  getAgentVersion,
  listAgents,
  listAgentVersions,
  readAgentLog,
  retryComponent,
  stopAgent,
  syncAgentRelease,
  updateAgent,
} from "./agents.ts";
export { createApp, deleteApp, getApp, listApps, readAppLog, startApp, stopApp, updateApp } from "./apps.ts";
export { exchangeToken, getAuthStatus } from "./auth.ts";
export { deleteAttempt, getAttempt, putAttempt, validateArtifacts } from "./automation-attempts.ts";
export { listAutomationRuns, runAutomation } from "./automation-runs.ts";
export {
  createAutomation,
  deleteAutomation,
  getAutomation,
  getReleasedDefinition,
  listAutomations,
  listReleases,
  setDefinition,
  setSchedule,
  syncAutomationRelease,
  updateAutomation,
  validateQuery,
} from "./automations.ts";
export { createBackup, deleteBackup, getBackup, listBackups } from "./backups.ts";
export { runBatch } from "./batch.ts";
export { alterTable, changeMetadata, planTableAlteration, readCatalog } from "./catalog.ts";
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
  deleteDeployment,
  finishDeployment,
  getDeployment,
  getDeploymentLog,
  listDeployments,
  startDeployment,
  updateDeployment,
} from "./deployments.ts";
export { adoptDrift, checkDrift, listDrift, revertDrift } from "./drift.ts";
export {
  approveEnvironmentChange,
  getEnvironmentChange,
  requestEnvironmentChange,
  withdrawEnvironmentChange,
} from "./environment-requests.ts";
export {
  checkEnvironment,
  createEnvironment,
  deleteEnvironment,
  deleteEnvironmentRole,
  getEnvironment,
  getEnvironmentSummary,
  listEnvironmentRoles,
  listEnvironments,
  putEnvironmentRole,
  updateEnvironment,
} from "./environments.ts";
export { acknowledgeEvents, readEvents, verifyEvents } from "./events.ts";
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
export { getJobDownstream, getOverview, getTableLineage } from "./overview.ts";
export {
  getPipelineGraph,
  getPipelineUpdate,
  listPipelineEvents,
  listPipelineUpdates,
  startPipelineUpdate,
  stopPipeline,
} from "./pipeline-updates.ts";
export { createPipeline, deletePipeline, getPipeline, listPipelines, updatePipeline } from "./pipelines.ts";
export { applyPlan, approvePlan, createPlan, getPlan, listPlans } from "./plans.ts";
export { downloadQuery, planQuery, runQuery } from "./queries.ts";
export { listQuotas } from "./quotas.ts";
export { cancelRun, getRun, listRuns, readRunLog, retryRun } from "./runs.ts";
export { deleteSecret, limitSecretScope, listSecretScopes, listSecrets, putSecret } from "./secrets.ts";
export { exchangeSignInCode, getSession } from "./session.ts";
export { getHealth, getInfo, getMetrics, listSettings, resumeServer } from "./system.ts";
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
