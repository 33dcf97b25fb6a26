import { plainName } from "../names/table-name.ts";
import type { DatasetDraft, FlowDraft, PlainDraft, StatementDraft } from "./drafts.ts";
import { locationAt, statementLocation } from "./statements/statement.ts";

/** A dataset and the flows into it. */
export interface DatasetNode {
  readonly kind: "dataset";
  /** The position of the dataset among all statements. */
  readonly index: number;
  readonly name: string;
  readonly draft: DatasetDraft;
  readonly flows: FlowDraft[];
}

/** A plain statement, or the query of a script. */
export interface PlainNode {
  readonly kind: "plain";
  readonly index: number;
  readonly draft: PlainDraft;
  /** The tables whose rows or columns the statement changes. */
  readonly writes: readonly string[];
}

export type PipelineNode = DatasetNode | PlainNode;

/** Assigns flows to their datasets. Reports duplicate names and flows without a valid target. */
export function nodesOf(drafts: readonly StatementDraft[]): readonly PipelineNode[] {
  const nodes: PipelineNode[] = [];
  const datasets = new Map<string, DatasetNode>();
  for (const [index, draft] of drafts.entries()) {
    if (draft.kind === "plain") nodes.push({ kind: "plain", index, draft, writes: writesOf(draft) });
    if (draft.kind !== "dataset") continue;
    const name = plainName(draft.dataset.table);
    const other = datasets.get(name)?.draft;
    if (other) {
      const { path, line } = locationAt(other.statement, other.at);
      draft.statement.report(draft.at, `the dataset ${name} already exists in ${path}, line ${line}.`);
      continue;
    }
    const node: DatasetNode = { kind: "dataset", index, name, draft, flows: [] };
    datasets.set(name, node);
    nodes.push(node);
  }
  for (const draft of drafts) if (draft.kind === "flow") addFlow(draft, datasets);
  for (const node of nodes) if (node.kind === "plain") checkWrites(node, datasets);
  return nodes;
}

/**
 * The tables that a statement writes. Statements about descriptions and tags write none, because they change no rows.
 */
function writesOf({ meaning }: PlainDraft): readonly string[] {
  if (!meaning || meaning.verb === "create_schema" || meaning.verb === "describe" || meaning.verb === "keep")
    return [];
  return [plainName(meaning.table)];
}

/** Tables that a statement changes but does not create, so they must exist before. */
export const changedTables = ({ draft: { meaning }, writes }: PlainNode): string[] =>
  meaning?.verb === "create_table" ? [] : [...writes];

function addFlow(flow: FlowDraft, datasets: ReadonlyMap<string, DatasetNode>): void {
  const { statement, target, name, at } = flow;
  const full = plainName(target.table);
  const dataset = datasets.get(full);
  if (dataset?.draft.dataset.kind !== "streaming_table") {
    const what = dataset
      ? `a ${dataset.draft.dataset.kind.replace("_", " ")}`
      : "not a dataset of this pipeline";
    statement.report(
      target.at,
      `${full} is ${what}: the target of a flow must be a streaming table of the same pipeline.`,
    );
    return;
  }
  const duplicate = dataset.flows.find((other) => other.name.toLowerCase() === name.toLowerCase());
  const isOwn =
    !flow.input.cdc &&
    dataset.draft.query !== null &&
    dataset.draft.dataset.table.table.toLowerCase() === name.toLowerCase();
  if (duplicate || isOwn) {
    const { line } = duplicate
      ? locationAt(duplicate.statement, duplicate.at)
      : statementLocation(dataset.draft.statement);
    statement.report(at, `${full} already has a flow named ${name}, in line ${line}: use another name.`);
    return;
  }
  dataset.flows.push(flow);
}

function checkWrites({ draft, writes }: PlainNode, datasets: ReadonlyMap<string, DatasetNode>): void {
  const name = writes.find((written) => datasets.has(written));
  if (name === undefined) return;
  const isTable = datasets.get(name)?.draft.dataset.kind === "streaming_table";
  const instead = isTable
    ? `add rows with CREATE FLOW … AS INSERT INTO ${name} BY NAME.`
    : "only its own query can change it.";
  draft.statement.report(draft.at, `${name} is a dataset of this pipeline: ${instead}`);
}
