import { type PlanKind, type PlanReference, planKinds } from "@lakehelm/contract";
import { turns } from "../../core/concurrency/turns.ts";
import type { Definition } from "../planned-definition.ts";
import {
  columnsFrom,
  kindOfNode,
  type Lineage,
  lineageOf,
  nameOfNode,
  nodeOf,
  readsOf,
  type TableScope,
  usedColumns,
  writesOf,
} from "./lineage.ts";

interface Node {
  readonly lineage: Lineage;
  /** Undefined: the definition was not read, so the resource counts as a reader of all columns. */
  readonly definition: Definition | undefined;
}

/** The resources of an environment, and what connects them. A resource may be given twice: as it is and as it will be. */
export interface ResourceGraph {
  /** The resources that must exist before this one, with the reason. */
  upstream(node: string): ReadonlyMap<string, string>;
  /** How many resources must exist before this one, at most, without a list of them. */
  dependencies(node: string): number;
  /** The tables that a resource writes. `node`: its kind and name. */
  writes(node: string): readonly string[];
  /** What a resource reads and writes. `node`: its kind and name. */
  lineage(node: string): Lineage;
  /** The definition of a resource; undefined: it was not read. */
  definition(node: string): Definition | undefined;
  /** The resources that write a table. */
  writers(table: string): readonly string[];
  /** The tables that any resource writes. */
  tables(): IteratorObject<string>;
  /**
   * What a change of a resource affects, the nearest first. `columns`: the changed columns of its tables; null: all.
   * `tables`: the tables that it wrote before, if they are not in the graph. `limit`: the search ends after this many
   * results. `withTables`: tables are results, too; true by default.
   */
  downstream(
    node: string,
    columns: readonly string[] | null,
    options?: {
      readonly tables?: readonly string[];
      readonly limit?: number;
      readonly withTables?: boolean;
    },
  ): readonly PlanReference[];
}

export const maxReached = 2000;
/** Connections that a search follows for each resource that it may find: most lead to resources found before. */
const stepsEach = 20;
/** Columns that are looked up in the time of one connection. */
const columnsEach = 10;

/** Kind, name and definition of a resource; its lineage if its definition does not say it, or was not read. */
type GraphEntry =
  | readonly [PlanKind, string, Definition, (Lineage | undefined)?]
  | readonly [PlanKind, string, undefined, Lineage];

export function createGraph(resources: Iterable<GraphEntry>, scope: TableScope): ResourceGraph {
  const { add, graph } = startGraph(scope);
  for (const one of resources) add(one);
  return graph;
}

/** Like `createGraph`, but other requests get turns in between. */
export async function createLargeGraph(
  resources: Iterable<GraphEntry>,
  scope: TableScope,
): Promise<ResourceGraph> {
  const { add, graph } = startGraph(scope);
  const turn = turns();
  for (const one of resources) {
    add(one);
    await turn();
  }
  return graph;
}

function startGraph(scope: TableScope): { add(resource: GraphEntry): void; readonly graph: ResourceGraph } {
  const nodes = new Map<string, Node>();
  const readers = new Map<string, Set<string>>();
  const writers = new Map<string, Set<string>>();
  const users = new Map<string, Set<string>>();
  const put = (index: Map<string, Set<string>>, key: string, node: string) =>
    index.getOrInsertComputed(key, () => new Set<string>()).add(node);

  function add([kind, name, definition, given]: GraphEntry): void {
    const node = nodeOf(kind, name);
    const lineage = given ?? lineageOf(kind, definition ?? {}, scope);
    const known = nodes.get(node)?.lineage;
    nodes.set(node, { lineage: known ? union(known, lineage) : lineage, definition });
    for (const table of readsOf(lineage)) put(readers, table, node);
    for (const table of writesOf(lineage)) put(writers, table, node);
    for (const used of lineage.uses) put(users, used, node);
  }

  const lineage = (node: string): Lineage => nodes.get(node)?.lineage ?? nothing;
  const made = new Map<string, ReadonlyMap<string, readonly string[]>>();
  /** The tables of a resource that change with a table that it reads: all, if that table starts the resource. */
  const tablesFrom = (node: string, read: string): readonly string[] =>
    made.getOrInsertComputed(node, () => tablesByRead(lineage(node))).get(read) ?? [];

  const graph: ResourceGraph = {
    upstream(node) {
      const found = new Map<string, string>();
      const { uses } = lineage(node);
      for (const used of uses) if (used !== node && nodes.has(used)) found.set(used, "it uses it by name");
      for (const table of readsOf(lineage(node))) {
        for (const writer of writers.get(table) ?? []) {
          if (writer !== node && !found.has(writer))
            found.set(writer, `it reads ${table}, which that one writes`);
        }
      }
      return found;
    },
    writes: (node) => writesOf(lineage(node)),
    lineage,
    definition: (node) => nodes.get(node)?.definition,
    writers: (table) => [...(writers.get(table) ?? [])],
    dependencies: (node) =>
      readsOf(lineage(node)).reduce(
        (sum, table) => sum + (writers.get(table)?.size ?? 0),
        lineage(node).uses.length,
      ),
    tables: () => writers.keys(),
    downstream(start, columns, { tables = [], limit = maxReached, withTables = true } = {}) {
      const reached = new Map<string, PlanReference>();
      let left = limit * stepsEach;
      const isOver = () => left <= 0 || reached.size >= limit;
      /** Whether something is new, or reached by more columns than before. */
      const reach = (key: string, reference: PlanReference): boolean => {
        const known = reached.get(key);
        const all = known ? unionOf(known.columns, reference.columns) : reference.columns;
        if (known && all?.length === known.columns?.length) return false;
        reached.set(key, { ...reference, ...known, columns: all && [...all] });
        return true;
      };
      /** Columns of tables that were followed, by the table and what writes it. */
      const followed = new Map<string, readonly string[] | null>();
      const isFollowed = (node: string, table: string, more: readonly string[] | null): boolean => {
        const before = followed.get(`${node} ${table}`);
        return before !== undefined && unionOf(before, more)?.length === before?.length;
      };
      const written = [...new Set([...writesOf(lineage(start)), ...tables])];
      const queue = [{ node: start, columns, tables: written as readonly string[] }];
      for (const { node, columns, tables } of queue) {
        if (isOver()) break;
        for (const user of users.get(node) ?? []) {
          if (isOver()) break;
          left -= 1;
          if (user === start) continue;
          const via = `It uses ${described(node)}.`;
          if (!reach(user, { kind: kindOfNode(user), name: nameOfNode(user), columns: null, via })) continue;
          queue.push({ node: user, columns: null, tables: writesOf(lineage(user)) });
        }
        for (const table of tables) {
          if (isOver()) break;
          left -= 1;
          if (isFollowed(node, table, columns)) continue;
          const before = followed.get(`${node} ${table}`);
          followed.set(`${node} ${table}`, before === undefined ? columns : unionOf(before, columns));
          const written = { name: table, columns: columns && [...columns] };
          if (withTables)
            reach(`table/${table}`, { kind: "table", ...written, via: `${described(node)} writes it.` });
          for (const reader of readers.get(table) ?? []) {
            if (isOver()) break;
            left -= 1;
            if (reader === start) continue;
            const kind = kindOfNode(reader);
            const definition = nodes.get(reader)?.definition;
            left -= Math.ceil((columns?.length ?? 0) / columnsEach);
            const taken = columns && definition ? usedColumns(kind, definition, columns) : null;
            // The reader names none of the columns that change.
            if (taken?.length === 0) continue;
            const what = taken ? `${taken.join(", ")} of ${table}` : table;
            const read = { kind, name: nameOfNode(reader), columns: taken && [...taken] };
            const isNew = reach(reader, { ...read, via: `It reads ${what}.` });
            const all = reached.get(reader)?.columns ?? null;
            const next = all && definition ? columnsFrom(kind, definition, all) : null;
            // Another table of the reader may change, although the reader was reached before.
            const changing = tablesFrom(reader, table).filter((one) => !isFollowed(reader, one, next));
            if (isNew || changing.length > 0) queue.push({ node: reader, columns: next, tables: changing });
          }
        }
      }
      return [...reached.values()];
    },
  };
  return { add, graph };
}

/** The resources that use some columns of a table, directly or through other resources; null: any column. */
export const readersOf = (
  graph: Pick<ResourceGraph, "downstream" | "lineage">,
  table: string,
  columns: readonly string[] | null,
  limit: number,
): readonly PlanReference[] =>
  graph
    .downstream(`table/${table}`, columns, { tables: [table], limit, withTables: false })
    // A job that only waits for changes of the table, or that runs others, does not care about its columns.
    .filter(({ kind, name }) => {
      const { paths, waits } = graph.lineage(nodeOf(kind as PlanKind, name));
      return (
        paths.some(({ reads }) => reads.includes(table)) || !(kind === "automation" || waits.includes(table))
      );
    });

const unionOf = (one: readonly string[] | null, other: readonly string[] | null) =>
  one && other && [...new Set([...one, ...other])];

const nothing: Lineage = { paths: [], waits: [], uses: [] };

function tablesByRead({ paths, waits }: Lineage): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { table, reads } of paths) {
    if (table === null) continue;
    for (const read of new Set([...reads, ...waits])) found.getOrInsertComputed(read, () => []).push(table);
  }
  return found;
}

function union(one: Lineage, other: Lineage): Lineage {
  const paths = new Map<string | null, Set<string>>();
  for (const { table, reads } of [...one.paths, ...other.paths])
    paths.set(table, new Set([...(paths.get(table) ?? []), ...reads]));
  return {
    paths: [...paths].map(([table, reads]) => ({ table, reads: [...reads] })),
    waits: [...new Set([...one.waits, ...other.waits])],
    uses: [...new Set([...one.uses, ...other.uses])],
  };
}

const described = (node: string) => `the ${kindOfNode(node)} ${nameOfNode(node)}`;

const rank = (node: string) => planKinds.indexOf(kindOfNode(node));
const compareNodes = (a: string, b: string) => rank(a) - rank(b) || (a < b ? -1 : 1);

/**
 * A topological order: each node comes after the nodes that it depends on; otherwise nodes are ordered by kind and
 * name. Members of a cycle come last, by kind and name.
 */
export function ordered(
  nodes: readonly string[],
  upstream: (node: string) => Iterable<string>,
): { readonly order: readonly string[]; readonly inCycle: ReadonlySet<string> } {
  const all = new Set(nodes);
  const waiting = new Map<string, number>();
  const dependents = new Map<string, string[]>();
  for (const node of nodes) {
    const needed = [...upstream(node)].filter((one) => all.has(one));
    waiting.set(node, needed.length);
    for (const one of needed) dependents.getOrInsertComputed(one, () => []).push(node);
  }
  const order: string[] = [];
  for (let ready = nodes.filter((node) => waiting.get(node) === 0); ready.length > 0; ) {
    ready.sort(compareNodes);
    const next: string[] = [];
    for (const node of ready) {
      order.push(node);
      for (const dependent of dependents.get(node) ?? []) {
        const left = (waiting.get(dependent) ?? 0) - 1;
        waiting.set(dependent, left);
        if (left === 0) next.push(dependent);
      }
    }
    ready = next;
  }
  const done = new Set(order);
  const rest = nodes.filter((node) => !done.has(node)).sort(compareNodes);
  return { order: [...order, ...rest], inCycle: new Set(rest) };
}
