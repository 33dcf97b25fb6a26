/** The API as data, and the types that are derived from it. */
export * from "./deprecation.ts";
export * from "./endpoint.ts";
export { Agent, AgentComponent, AgentRelease, AgentVersion } from "./endpoints/agents.ts";
export { App } from "./endpoints/apps.ts";
export {
  Attempt,
  AttemptRequest,
  AutomationValidateArtifactsResponse,
} from "./endpoints/automation-attempts.ts";
export {
  AutomationDefinition,
  type AutomationTask,
  maxForEachItems,
} from "./endpoints/automation-definition.ts";
export {
  Automation,
  AutomationDetails,
  Release,
  ReleasedDefinition,
  ScheduleOverride,
  ScheduleState,
} from "./endpoints/automations.ts";
export { Backup } from "./endpoints/backups.ts";
export { batchHeaders, maxOperations } from "./endpoints/batch.ts";
export { maxTableChanges, type TableAlteration } from "./endpoints/catalog.ts";
export { ChatBinding, Delivery } from "./endpoints/chat.ts";
export {
  CodegenResponse,
  ConsumptionFlowInput,
  GlossaryUpdateInput,
  IngestionFlowInput,
  ReverseEtlFlowInput,
} from "./endpoints/codegen.ts";
export {
  Connector,
  ConnectorCreateRequest,
  ConnectorDataset,
  ConnectorPolicy,
  ConnectorUpdateRequest,
  DatasetInput,
  DatasetUpdate,
  PauseRequest,
} from "./endpoints/connectors.ts";
export {
  DeploymentCreateRequest,
  DeploymentFinishRequest,
  DeploymentResponse,
} from "./endpoints/deployments.ts";
export { Drift } from "./endpoints/drift.ts";
export { EnvironmentChangeInput, EnvironmentChangeRequest } from "./endpoints/environment-requests.ts";
export {
  Environment,
  EnvironmentCheck,
  EnvironmentCreateRequest,
  EnvironmentRole,
  EnvironmentSummary,
  EnvironmentUpdateRequest,
} from "./endpoints/environments.ts";
export { Event } from "./endpoints/events.ts";
export { WorkspaceFile } from "./endpoints/files.ts";
export { Flow } from "./endpoints/flows.ts";
export * as endpoints from "./endpoints/index.ts";
export { Job, JobDefinition, JobPause, JobTrigger } from "./endpoints/jobs.ts";
export { isList, type ListFields, listExtension, listFields, memoryListFields } from "./endpoints/lists.ts";
export {
  DownstreamItem,
  type RefusedResource,
  TableFreshness,
  type TableLineage,
} from "./endpoints/overview.ts";
export {
  PipelineEvent,
  type PipelineGraph,
  PipelineUpdate,
  StartUpdateRequest,
  type UpdatedTable,
} from "./endpoints/pipeline-updates.ts";
export {
  PipelineHealthItem,
  PipelineResponse,
  PipelineSpec,
  PipelineUpdateRequest,
} from "./endpoints/pipelines.ts";
export {
  ChangeConsequence,
  cannotRunRules,
  connectionRule,
  droppedColumnsRule,
  exportColumnsRule,
  flowDeletesRule,
  flowSqlRule,
  leftTablesRule,
  maxPlanFiles,
  maxPlanPolicies,
  maxPlanResources,
  Plan,
  PlanChange,
  PlanCodeFile,
  PlanFinding,
  PlanImpact,
  type PlanKind,
  PlanOverview,
  PlanPolicy,
  PlanProject,
  type PlanReference,
  PlanRequest,
  PlanResource,
  PlanStep,
  pipelineSqlRule,
  planKinds,
  taskSqlRule,
} from "./endpoints/plan-models.ts";
export { ProcessLine } from "./endpoints/process-log.ts";
export { arrowStream, moreRowsHeader, rowCountHeader } from "./endpoints/queries.ts";
export type { Quota } from "./endpoints/quotas.ts";
export { Run, RunCause, RunLine, RunRequest } from "./endpoints/runs.ts";
export { Health, Info, ServerSetting } from "./endpoints/system.ts";
export { Token, User } from "./endpoints/users.ts";
export { lostDeletes } from "./flows/lost-deletes.ts";
export {
  type CheckSeverity,
  type FlowStrategy,
  flowStrategyOf,
  flowWritesText,
} from "./flows/write-strategy.ts";
export * from "./request.ts";
export * as webhooks from "./webhooks.ts";
