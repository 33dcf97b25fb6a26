import type { SqlParser } from "../parser/sql-parser.ts";
import type { AnalysisContext } from "./analysis-context.ts";
import { cyclesIn, predecessors, topologicalOrder } from "./dependency-order.ts";
import { changedTables, nodesOf, type PipelineNode } from "./nodes.ts";
import type { PipelinePlan, PipelineSource, PlanRules } from "./plan.ts";
import { problemList } from "./problem-list.ts";
import { readSource } from "./source-reader.ts";
import { statementLocation } from "./statements/statement.ts";
import { analyzeNode } from "./steps.ts";
import { streamabilityOf } from "./streams/streamability.ts";
import { addOthers, cachingParser, type TableCatalog } from "./table-catalog.ts";
import { readsOf } from "./table-reads.ts";

/** Plans a pipeline: its steps in order, or all problems of its sources. */
export function planPipeline(
  parser: SqlParser,
  sources: readonly PipelineSource[],
  rules: PlanRules,
): PipelinePlan {
  const found = problemList();
  const reader = cachingParser(parser);
  const drafts = sources.flatMap((source) => readSource(source, { ...rules, language: "pipeline" }, found));
  const nodes = nodesOf(drafts);

  const names = nodes.flatMap((node) => (node.kind === "dataset" ? [node.name] : node.writes));
  const others = new Set<string>();
  const all: TableCatalog = {
    tables: new Map(
      [...rules.tables.keys(), ...(rules.unknown ?? []), ...names].map((name) => [name, undefined]),
    ),
    invalid: new Set(),
    onUnknown: (table) => others.add(table),
  };
  const reads = new Map(nodes.map((node) => [node, readsOf(reader, node, all)]));
  // These are the source of AUTO CDC, and the tables that plain statements change.
  for (const node of nodes) {
    for (const name of reads.get(node) ?? []) others.add(name);
    if (node.kind === "plain") for (const name of changedTables(node)) others.add(name);
  }
  for (const node of nodes) {
    if (node.kind === "plain" && changedTables(node).length === 0)
      for (const name of node.writes) others.delete(name);
  }
  const before = predecessors(nodes, reads);
  const { order, remaining } = topologicalOrder(nodes, before);
  for (const cycle of cyclesIn(remaining, before)) reportCycle(cycle, reads);

  const context: AnalysisContext = {
    parser: reader,
    catalog: initialCatalog(nodes, new Set(remaining), rules, others),
    streamability: streamabilityOf(nodes),
  };
  const steps = [...order, ...remaining].flatMap((node) =>
    found.isFull ? [] : (analyzeNode(node, reads.get(node) ?? [], context) ?? []),
  );
  const problems = found.all(sources.map(({ path }) => path));
  const visible = nodes.flatMap((node) =>
    node.kind === "dataset" && !node.draft.dataset.isPrivate ? [node.name] : [],
  );
  const tables = { names: visible, others: otherTables(nodes, reads, others) };
  return problems.length > 0 ? { ...tables, problems } : { ...tables, steps };
}

function otherTables(
  nodes: readonly PipelineNode[],
  reads: ReadonlyMap<PipelineNode, readonly string[]>,
  unknown: Iterable<string>,
): readonly string[] {
  const own = new Set(nodes.flatMap((node) => (node.kind === "dataset" ? [node.name] : [])));
  const used = nodes.flatMap((node) => [...(reads.get(node) ?? []), ...tablesOf(node)]);
  return [...new Set([...used, ...unknown])].filter((name) => !own.has(name));
}

/** The tables before the first step. A dataset that is rebuilt does not keep its former columns. */
function initialCatalog(
  nodes: readonly PipelineNode[],
  remaining: ReadonlySet<PipelineNode>,
  { tables: known, unknown = [], othersExist }: PlanRules,
  others: Iterable<string>,
): TableCatalog {
  const found: TableCatalog = { tables: new Map(known), invalid: new Set() };
  addOthers(found, unknown);
  if (othersExist) addOthers(found, others);
  for (const node of nodes) {
    if (node.kind !== "dataset") continue;
    found.tables.set(node.name, undefined);
    if (remaining.has(node) || isBroken(node)) found.invalid.add(node.name);
  }
  return found;
}

const isBroken = ({ draft, ...node }: PipelineNode): boolean =>
  draft.isBroken || (node.kind === "dataset" && node.flows.some((flow) => flow.isBroken));

/** Reports `a reads b, b reads a` at the first node. */
function reportCycle(
  cycle: readonly PipelineNode[],
  reads: ReadonlyMap<PipelineNode, readonly string[]>,
): void {
  const [first] = cycle;
  if (!first) return;
  const links = cycle.map((node, index) => {
    const next = cycle[index + 1] ?? first;
    const isRead = tablesOf(next).some((name) => reads.get(node)?.includes(name));
    return `${nameOf(node)} ${isRead ? "reads" : "comes after"} ${node === next ? "itself" : nameOf(next)}`;
  });
  const message = `${links.slice(0, 10).join(", ")}${links.length > 10 ? ", …" : ""}: this is a cycle.`;
  first.draft.statement.report(first.draft.at, message);
}

const tablesOf = (node: PipelineNode): readonly string[] =>
  node.kind === "dataset" ? [node.name] : node.writes;

function nameOf(node: PipelineNode): string {
  if (node.kind === "dataset") return node.name;
  const { path, line } = statementLocation(node.draft.statement);
  return `the statement in ${path}, line ${line},`;
}
