import { suggestion } from "@lakehelm/contract/text";
import type { AnalysisContext } from "./analysis-context.ts";
import type { AnalyzedFlow } from "./analyzed-flow.ts";
import { columnsOfDataset } from "./dataset-columns.ts";
import { analyzeFlows } from "./dataset-flows.ts";
import { analyzeExpression } from "./expression.ts";
import type { DatasetNode, PipelineNode } from "./nodes.ts";
import { plainStatement } from "./plain-statement.ts";
import { analyzePlainStep } from "./plain-step.ts";
import type { AutoCdcFlow, PipelineDataset, PipelinePlan } from "./plan.ts";
import { locationAt } from "./statements/statement.ts";

type PlanStep = NonNullable<PipelinePlan["steps"]>[number];

/** Analyzes a node against the tables that exist when it runs, and updates the catalog with its result. */
export function analyzeNode(
  node: PipelineNode,
  reads: readonly string[],
  context: AnalysisContext,
): PlanStep | undefined {
  if (node.kind === "dataset") {
    const dataset = analyzeDataset(node, context);
    return dataset && { dataset };
  }
  analyzePlainStep(context.parser, node.draft, context.catalog);
  const statement = plainStatement(node.draft, reads, node.writes);
  return statement && { statement };
}

function analyzeDataset(node: DatasetNode, context: AnalysisContext): PipelineDataset | undefined {
  const { draft, name, flows } = node;
  const { statement, dataset, at } = draft;
  if (draft.isBroken) return undefined;
  const analyzed = analyzeFlows(node, context);
  checkFlowsAgree(name, analyzed);
  const columns = flows.some(({ isBroken }) => isBroken) ? undefined : columnsOfDataset(node, analyzed);
  if (!columns) {
    context.catalog.invalid.add(name);
    return undefined;
  }
  const names = columns.map((column) => column.name);
  context.catalog.tables.set(name, names);
  for (const column of dataset.clusterBy) {
    if (!names.some((one) => one.toLowerCase() === column.toLowerCase()))
      statement.report(
        at,
        `${name} cannot be clustered by ${column}: it has no such column.${suggestion(column, names)}`,
      );
  }
  const expectations = draft.expectations.map(({ condition, ...expectation }) => {
    analyzeExpression(context.parser, condition, statement, dataset.table, names);
    return { ...expectation, condition: condition.sql, location: locationAt(statement, condition.at) };
  });
  return {
    name,
    ...dataset,
    expectations,
    flows: analyzed.map(({ flow }) => flow),
    columns,
    location: locationAt(statement, at),
  };
}

/** AUTO CDC maintains a table by its keys: no other flow can add rows, and all flows must have the same keys. */
function checkFlowsAgree(name: string, analyzed: readonly AnalyzedFlow[]): void {
  const first = analyzed.map(({ flow }) => flow).find((flow) => flow.kind === "auto_cdc");
  if (!first) return;
  for (const { flow, statement, at } of analyzed) {
    if (flow.kind !== "auto_cdc")
      statement.report(at, `${name} is the target of AUTO CDC: no other flow can add rows.`);
    else if (cdcIdentity(flow) !== cdcIdentity(first))
      statement.report(at, `the flows into ${name} have different KEYS or SCD TYPE.`);
  }
}

const cdcIdentity = ({ keys, scdType }: AutoCdcFlow): string =>
  JSON.stringify([scdType, ...keys.map((key) => key.toLowerCase()).toSorted()]);
