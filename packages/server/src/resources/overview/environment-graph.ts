import {
  type DownstreamItem,
  type PlanKind,
  type PlanReference,
  planKinds,
  type TableLineage,
} from "@lakehelm/contract";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import { warehouseScope } from "../../runtime/platforms/warehouse.ts";
import type { Definition } from "../planned-definition.ts";
import type { ReadCodeLineage } from "../plans/code-lineage.ts";
import { createGraph, readersOf } from "../plans/graph.ts";
import { nameOfNode, nodeOf } from "../plans/lineage.ts";
import type { LiveResource, PlannedKind } from "../plans/planned-kind.ts";
import { lineageAround } from "./lineage-around.ts";

/**
 * How long a reader waits for what code reads and writes. A page of all environments does without it; what is found later is there at
 * the next request.
 */
export const lineageWaitMs = { overview: 1_500, table: 10_000 } as const;
const maxListed = 200;

/** Everything in an environment, and what depends on what. */
export interface EnvironmentGraph {
  /** What depends on a job. */
  downstream(jobId: string): { readonly items: DownstreamItem[]; readonly items_total: number };
  /** The tables that jobs write, with the ids of their jobs. */
  written(): readonly { readonly table: string; readonly jobId: string }[];
  /** The resources that write a table, by its full name. */
  writersOf(table: string): readonly ResourceDefinition[];
  /** What uses some columns of a table, directly or through others; null: any column. */
  readersOf(table: string, columns: readonly string[] | null): readonly PlanReference[];
  /** What a table, by its full name, comes from and what depends on it. */
  around(table: string): Pick<TableLineage, "nodes" | "edges" | "is_complete">;
  /** Names of pipelines and automations whose tables are not all known. */
  readonly unknown: readonly string[];
}

export interface ResourceDefinition {
  readonly kind: PlanKind;
  readonly name: string;
  readonly definition: Definition;
}

export async function readGraph(
  env: EnvironmentContext,
  kinds: readonly PlannedKind[],
  codeLineage: ReadCodeLineage,
  waitMs: number = lineageWaitMs.overview,
): Promise<EnvironmentGraph> {
  const live: (readonly [PlanKind, LiveResource])[] = [];
  for (const kind of kinds.filter(({ isShared }) => !isShared)) {
    for (const one of await kind.live(env.environment.id, [])) live.push([kind.kind, one]);
  }
  const scope = warehouseScope(env);
  const resources = live.map(([kind, { id, name, declared }]) => ({
    ...{ kind, id, name },
    definition: declared.masked,
  }));
  const { of, unknown } = await codeLineage(resources, { environment: env.environment.name, scope }, waitMs);
  const graph = createGraph(
    resources.map(({ kind, name, definition }) => [kind, name, definition, of.get(definition)]),
    scope,
  );
  const jobOf = new Map(live.map(([kind, { name, jobId }]) => [nodeOf(kind, name), jobId]));
  const nodeOfJob = new Map([...jobOf].map(([node, jobId]) => [jobId, node]));

  return {
    unknown: unknown.map(nameOfNode),
    downstream(jobId) {
      const start = nodeOfJob.get(jobId);
      if (start === undefined) return { items: [], items_total: 0 };
      const found = graph.downstream(start, null);
      const items = found.slice(0, maxListed).map(({ kind, name, via }) => {
        const isResource = planKinds.some((one) => one === kind);
        const job_id = isResource ? (jobOf.get(nodeOf(kind as PlanKind, name)) ?? null) : null;
        return { kind, name, job_id, via };
      });
      return { items, items_total: found.length };
    },
    writersOf(table) {
      const writers = new Set(graph.writers(table));
      return live
        .filter(([kind, { name }]) => writers.has(nodeOf(kind, name)))
        .map(([kind, { name, declared }]) => ({ kind, name, definition: declared.open }));
    },
    readersOf: (table, columns) => readersOf(graph, table, columns, maxListed),
    around(table) {
      const links = [...jobOf.keys()].map((node) => [node, graph.lineage(node)] as const);
      return lineageAround(table, links, (node) => jobOf.get(node) ?? null);
    },
    written: () =>
      [...jobOf].flatMap(([node, jobId]) =>
        jobId === null ? [] : graph.writes(node).map((table) => ({ table, jobId })),
      ),
  };
}
