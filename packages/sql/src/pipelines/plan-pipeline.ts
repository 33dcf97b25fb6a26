import type { Sql } from "../load.ts";
import { newComplaints } from "./complaints.ts";
import { type Known, rememberingSql } from "./known.ts";
import { type Node, nodesOf } from "./nodes.ts";
import { circles, ordered, predecessors } from "./order.ts";
import type { PipelinePlan, PipelineSource, PlanRules } from "./plan.ts";
import { readSource } from "./read-source.ts";
import { readsOf } from "./reads.ts";
import { placeOfStatement } from "./statements/statement.ts";
import { stepOf } from "./steps.ts";
import { streamables } from "./streamables.ts";
import type { Turn } from "./turn.ts";

/** Reads the libraries of a pipeline: everything that is wrong with them, or what runs in which order. */
export function planPipeline(sql: Sql, sources: readonly PipelineSource[], rules: PlanRules): PipelinePlan {
  const complaints = newComplaints();
  const reader = rememberingSql(sql);
  const drafts = sources.flatMap((source) =>
    readSource(source, { ...rules, language: "pipeline" }, complaints),
  );
  const nodes = nodesOf(drafts);

  const names = nodes.flatMap((node) => (node.kind === "dataset" ? [node.name] : node.writes));
  const all: Known = {
    tables: new Map([...rules.known.keys(), ...names].map((name) => [name, undefined])),
    unsure: new Set(),
  };
  const reads = new Map(nodes.map((node) => [node, readsOf(reader, node, all)]));
  const before = predecessors(nodes, reads);
  const { order, stuck } = ordered(nodes, before);
  for (const circle of circles(stuck, before)) tellCircle(circle, reads);

  const turn: Turn = {
    sql: reader,
    known: beginning(nodes, new Set(stuck), rules),
    streamable: streamables(nodes),
  };
  const steps = [...order, ...stuck].flatMap((node) =>
    complaints.isFull ? [] : (stepOf(node, reads.get(node) ?? [], turn) ?? []),
  );
  const problems = complaints.all(sources.map(({ path }) => path));
  return problems.length > 0 ? { problems } : { steps };
}

/** What there is before the first turn: a dataset that is made again is not known by the columns that it had. */
function beginning(nodes: readonly Node[], stuck: ReadonlySet<Node>, { known }: PlanRules): Known {
  const found: Known = { tables: new Map(known), unsure: new Set() };
  for (const node of nodes) {
    if (node.kind !== "dataset") continue;
    found.tables.set(node.name, undefined);
    if (stuck.has(node) || isBroken(node)) found.unsure.add(node.name);
  }
  return found;
}

const isBroken = ({ draft, ...node }: Node): boolean =>
  draft.isBroken || (node.kind === "dataset" && node.flows.some((flow) => flow.isBroken));

/** `a reads b, b reads a`, at the place of the first. */
function tellCircle(circle: readonly Node[], reads: ReadonlyMap<Node, readonly string[]>): void {
  const [first] = circle;
  if (!first) return;
  const links = circle.map((node, index) => {
    const next = circle[index + 1] ?? first;
    const isRead = madeBy(next).some((name) => reads.get(node)?.includes(name));
    return `${called(node)} ${isRead ? "reads" : "comes after"} ${node === next ? "itself" : called(next)}`;
  });
  const message = `${links.slice(0, 10).join(", ")}${links.length > 10 ? ", …" : ""}: nothing can be made first.`;
  first.draft.statement.complain(first.draft.at, message);
}

const madeBy = (node: Node): readonly string[] => (node.kind === "dataset" ? [node.name] : node.writes);

function called(node: Node): string {
  if (node.kind === "dataset") return node.name;
  const { path, line } = placeOfStatement(node.draft.statement);
  return `the statement in ${path}, line ${line},`;
}
