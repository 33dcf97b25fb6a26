import type { PipelineGraph, PipelineUpdate, UpdatedTable } from "@lakehelm/contract";
import { count, counted } from "../../format/number.ts";
import type { GraphNode } from "../../graph/graph.tsx";
import type { GraphEdge } from "../../graph/structure.ts";
import { kindText, shortName } from "./texts.ts";

export type GraphTable = PipelineGraph["tables"][number];

/** A table of the pipeline: several statements on one table are one. */
export interface TableNode extends GraphTable {
  readonly statements: number;
}

/** The tables by name, in execution order. */
export function tablesByName(tables: readonly GraphTable[]): Map<string, TableNode> {
  const nodes = new Map<string, TableNode>();
  for (const table of tables) {
    const before = nodes.get(table.name);
    const statements = (before?.statements ?? 0) + (table.kind === "statement" ? 1 : 0);
    if (!before) nodes.set(table.name, { ...table, statements });
    else {
      // A declaration says more than a statement on the same table.
      const main = before.kind === "statement" ? table : before;
      nodes.set(table.name, {
        ...main,
        statements,
        reads: [...new Set([...before.reads, ...table.reads])],
        columns: main.columns.length > 0 ? main.columns : table.columns,
      });
    }
  }
  return nodes;
}

const order: readonly UpdatedTable["state"][] = [
  "failed",
  "running",
  "waiting",
  "skipped",
  "completed",
  "excluded",
];

/** What an update did to each table: its statements together. */
export function outcomesByName(update: PipelineUpdate | undefined): Map<string, UpdatedTable> {
  const outcomes = new Map<string, UpdatedTable>();
  for (const table of update?.tables ?? []) {
    const before = outcomes.get(table.name);
    outcomes.set(table.name, before ? together(before, table) : table);
  }
  return outcomes;
}

const together = (a: UpdatedTable, b: UpdatedTable): UpdatedTable => ({
  ...a,
  state: order.indexOf(a.state) <= order.indexOf(b.state) ? a.state : b.state,
  rows_added: a.rows_added + b.rows_added,
  rows_updated: a.rows_updated + b.rows_updated,
  rows_removed: a.rows_removed + b.rows_removed,
  rows_dropped: a.rows_dropped + b.rows_dropped,
  expectations: [...a.expectations, ...b.expectations],
  seconds: a.seconds + b.seconds,
  error: a.error ?? b.error,
});

/** Rows that broke an expectation, dropped or kept. */
export const violations = (outcome: UpdatedTable | undefined): number =>
  (outcome?.expectations ?? []).reduce((sum, { failed }) => sum + failed, 0);

/** The nodes: the tables of the pipeline, and those outside that they read. */
export function graphNodes(
  tables: ReadonlyMap<string, TableNode>,
  outcomes: ReadonlyMap<string, UpdatedTable>,
): GraphNode[] {
  const outside = new Set<string>();
  for (const { reads } of tables.values()) for (const name of reads) if (!tables.has(name)) outside.add(name);
  return [
    ...[...outside].map((name) => ({
      id: name,
      title: shortName(name),
      note: schemaOf(name),
      isOutside: true,
    })),
    ...[...tables.values()].map((table) => node(table, outcomes.get(table.name))),
  ];
}

/** Shown under the name of a table outside: where it is. */
const schemaOf = (name: string) => name.slice(0, Math.max(0, name.lastIndexOf(".")));

function node({ name, kind, statements }: TableNode, outcome: UpdatedTable | undefined): GraphNode {
  const what = kind === "statement" ? counted(statements, "statement") : kindText(kind);
  const broken = violations(outcome);
  const badge =
    broken === 0
      ? undefined
      : outcome?.rows_dropped
        ? `${count(outcome.rows_dropped)} dropped`
        : `${count(broken)} broken`;
  return {
    id: name,
    title: shortName(name),
    note: outcome && outcome.rows_added > 0 ? `+${counted(outcome.rows_added, "row")}` : what,
    ...(outcome && { status: outcome.state }),
    ...(badge && { badge }),
  };
}

export const graphEdges = (tables: ReadonlyMap<string, TableNode>): GraphEdge[] =>
  [...tables.values()].flatMap(({ name, reads }) => reads.map((from) => ({ from, to: name })));

export interface ColumnPlace {
  readonly table: string;
  readonly column: string;
}

/** Where the values of a column come from and where they go, directly and further away: nearest first. */
export function columnLineage(
  tables: ReadonlyMap<string, TableNode>,
  start: ColumnPlace,
): { readonly up: readonly ColumnPlace[]; readonly down: readonly ColumnPlace[] } {
  const before = new Map<string, ColumnPlace[]>();
  const after = new Map<string, ColumnPlace[]>();
  const add = (map: Map<string, ColumnPlace[]>, key: string, place: ColumnPlace) =>
    map.set(key, [...(map.get(key) ?? []), place]);
  for (const { name, columns } of tables.values()) {
    for (const { name: column, from } of columns) {
      for (const source of from) {
        add(before, keyOf({ table: name, column }), source);
        add(after, keyOf(source), { table: name, column });
      }
    }
  }
  return { up: reached(start, before), down: reached(start, after) };
}

const keyOf = ({ table, column }: ColumnPlace) => `${table}.${column}`.toLowerCase();

function reached(start: ColumnPlace, next: ReadonlyMap<string, readonly ColumnPlace[]>): ColumnPlace[] {
  const seen = new Set([keyOf(start)]);
  const found: ColumnPlace[] = [];
  for (let at = -1; at < found.length; at++) {
    const place = at < 0 ? start : (found[at] as ColumnPlace);
    for (const other of next.get(keyOf(place)) ?? []) {
      if (seen.has(keyOf(other))) continue;
      seen.add(keyOf(other));
      found.push(other);
    }
  }
  return found;
}
