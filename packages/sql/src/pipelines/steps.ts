import { suggestion } from "@lakehelm/contract/text";
import { readExpression } from "./condition.ts";
import { columnsOfDataset } from "./dataset-columns.ts";
import { type Fed, feedingsOf } from "./feedings.ts";
import type { DatasetNode, Node } from "./nodes.ts";
import { plainStatement } from "./plain-statement.ts";
import { readPlainStep } from "./plain-step.ts";
import type { AutoCdc, PipelineDataset, PipelinePlan } from "./plan.ts";
import { placeAt } from "./statements/statement.ts";
import type { Turn } from "./turn.ts";

type Step = NonNullable<PipelinePlan["steps"]>[number];

/** Reads a node against what is there in its turn, tells what is wrong, and notes what is there after it. */
export function stepOf(node: Node, reads: readonly string[], turn: Turn): Step | undefined {
  if (node.kind === "dataset") {
    const dataset = datasetStep(node, turn);
    return dataset && { dataset };
  }
  readPlainStep(turn.sql, node.draft, turn.known);
  const statement = plainStatement(node.draft, reads, node.writes);
  return statement && { statement };
}

function datasetStep(node: DatasetNode, turn: Turn): PipelineDataset | undefined {
  const { draft, name, flows } = node;
  const { statement, dataset, at } = draft;
  if (draft.isBroken) return undefined;
  const fed = feedingsOf(node, turn);
  checkTogether(name, fed);
  const columns = flows.some(({ isBroken }) => isBroken) ? undefined : columnsOfDataset(node, fed);
  if (!columns) {
    turn.known.unsure.add(name);
    return undefined;
  }
  const names = columns.map((column) => column.name);
  turn.known.tables.set(name, names);
  for (const column of dataset.clusterBy) {
    if (!names.some((one) => one.toLowerCase() === column.toLowerCase()))
      statement.complain(
        at,
        `${name} cannot be clustered by ${column}: it has no such column.${suggestion(column, names)}`,
      );
  }
  const expectations = draft.expectations.map(({ condition, ...expectation }) => {
    readExpression(turn.sql, condition, statement, dataset.table, names);
    return { ...expectation, condition: condition.sql, at: placeAt(statement, condition.at) };
  });
  const feeding = fed.map((one) => one.feeding);
  return { name, ...dataset, expectations, feeding, columns, at: placeAt(statement, at) };
}

/** What is filled by AUTO CDC is kept by its keys: nothing else may add to it, and all flows must agree on them. */
function checkTogether(name: string, fed: readonly Fed[]): void {
  const first = fed.map(({ feeding }) => feeding).find((feeding) => feeding.kind === "auto_cdc");
  if (!first) return;
  for (const { feeding, statement, at } of fed) {
    if (feeding.kind !== "auto_cdc")
      statement.complain(at, `${name} is filled by AUTO CDC: nothing else can add to it.`);
    else if (wayOf(feeding) !== wayOf(first))
      statement.complain(at, `the flows into ${name} differ in their KEYS or in their SCD TYPE.`);
  }
}

const wayOf = ({ keys, scdType }: AutoCdc): string =>
  JSON.stringify([scdType, ...keys.map((key) => key.toLowerCase()).toSorted()]);
