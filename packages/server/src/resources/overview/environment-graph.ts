import { setTimeout as pause } from "node:timers/promises";
import { type DownstreamItem, type PlanKind, planKinds, type TableLineage } from "@lakehelm/contract";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import { warehouseScope } from "../../runtime/platforms/warehouse.ts";
import type { PipelineLineage } from "../pipelines/pipeline-lineage.ts";
import { createGraph } from "../plans/graph.ts";
import { nodeOf } from "../plans/lineage.ts";
import type { LiveResource, PlannedKind } from "../plans/planned-kind.ts";
import { lineageAround } from "./lineage-around.ts";

/** A reader does not wait longer for a busy engine; what it finds later is there at the next request. */
const waitMs = 1_500;
const maxListed = 200;

/** Everything in an environment, and what depends on what. */
export interface EnvironmentGraph {
  /** What depends on a job. */
  downstream(jobId: string): { readonly items: DownstreamItem[]; readonly items_total: number };
  /** The tables that jobs write, with the ids of their jobs. */
  written(): readonly { readonly table: string; readonly jobId: string }[];
  /** What a table, by its full name, comes from and what depends on it. */
  around(table: string): Pick<TableLineage, "nodes" | "edges" | "is_complete">;
  /** Names of pipelines whose tables are not known. */
  readonly unknown: readonly string[];
}

export async function readGraph(
  env: EnvironmentContext,
  kinds: readonly PlannedKind[],
  lineageOfPipeline: PipelineLineage,
): Promise<EnvironmentGraph> {
  const live: (readonly [PlanKind, LiveResource])[] = [];
  for (const kind of kinds.filter(({ isShared }) => !isShared)) {
    for (const one of await kind.live(env.environment.id, [])) live.push([kind.kind, one]);
  }
  const unknown: string[] = [];
  const limit = pause(waitMs, undefined, { ref: false });
  const entries = live.map(async ([kind, { id, name, declared }]) => {
    const definition = declared.open;
    if (kind !== "pipeline") return [kind, name, definition] as const;
    const tables = await Promise.race([lineageOfPipeline(id), limit]);
    if (!tables) unknown.push(name);
    return [kind, name, definition, { reads: [], writes: [], ...tables, uses: [] }] as const;
  });
  const graph = createGraph(await Promise.all(entries), warehouseScope(env));
  const jobOf = new Map(live.map(([kind, { name, jobId }]) => [nodeOf(kind, name), jobId]));
  const nodeOfJob = new Map([...jobOf].map(([node, jobId]) => [jobId, node]));

  return {
    unknown,
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
    around(table) {
      const links = [...jobOf.keys()].map((node) => ({
        node,
        reads: graph.reads(node),
        writes: graph.writes(node),
      }));
      return lineageAround(table, links, (node) => jobOf.get(node) ?? null);
    },
    written: () =>
      [...jobOf].flatMap(([node, jobId]) =>
        jobId === null ? [] : graph.writes(node).map((table) => ({ table, jobId })),
      ),
  };
}
