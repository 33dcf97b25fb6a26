export {
  type AlterationFinding,
  flowFindings,
  importFindings,
  type PlannedAlteration,
  type PlannedColumn,
} from "./alteration-findings.ts";
export { codeHash, type HashedFile } from "./code-hash.ts";
export {
  automationReleaseCommand,
  connectorDeleteCommand,
  connectorRefreshCommand,
  connectorRereadCommand,
  connectorRunCommand,
  flowDeleteCommand,
  flowRefreshCommand,
  pipelineRefreshAdvice,
  pipelineRefreshCommand,
  setTypeCommand,
  shellArgument,
  withEnvironment,
} from "./commands.ts";
export {
  type ConnectorDefinition,
  connectorConsequences,
} from "./connector-change.ts";
export {
  type ChangeEffect,
  type ChangeKind,
  type Consequence,
  changeEffects,
  changeKinds,
  inEnvironment,
  isSame,
  sameName,
} from "./consequence.ts";
export { type DatasetRunDecision, type DatasetShape, decideDatasetRun } from "./dataset-run-decision.ts";
export { droppedByFlow, flowConsequences, foreignColumns, leftTable, refusal } from "./flow-change.ts";
export {
  decideFlowRun,
  type FlowRunDecision,
  type FlowRunOptions,
  type FlowTargetFacts,
} from "./flow-run-decision.ts";
export { type FlowShape, flowShape } from "./flow-shape.ts";
export {
  type AlteredColumn,
  type AlteredTable,
  alterColumns,
  isReordered,
  type TableChange,
  type TableColumn,
} from "./table-alteration.ts";
