import { setImmediate } from "node:timers/promises";
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
import { createLargeGraph, maxReached, readersOf } from "../plans/graph.ts";
import { kindOfNode, nameOfNode, nodeOf } from "../plans/lineage.ts";
import type { PlannedKind } from "../plans/planned-kind.ts";
import type { ReadStoredLineage } from "../plans/stored-lineage.ts";
import { lineageAround } from "./lineage-around.ts";

/**
 * How long a reader waits for the lineage of code. The overview of all environments does without lineage that takes
 * longer; the next request finds it.
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
  writersOf(table: string): Promise<readonly ResourceDefinition[]>;
  /** The resources that use some columns of a table, directly or through other resources; null: any column. */
  readersOf(table: string, columns: readonly string[] | null): Promise<readonly PlanReference[]>;
  /** The sources and the dependents of a table, by its full name. */
  around(table: string): Promise<Pick<TableLineage, "nodes" | "edges" | "is_complete">>;
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
  lineages: ReadStoredLineage,
  waitMs: number = lineageWaitMs.overview,
): Promise<EnvironmentGraph> {
  const { resources, unknown } = await lineages(env, waitMs);
  const scope = warehouseScope(env);
  const graph = await createLargeGraph(
    resources.map(({ kind, name, lineage }) => [kind, name, undefined, lineage] as const),
    scope,
  );
  const jobOf = new Map(resources.map(({ kind, name, jobId }) => [nodeOf(kind, name), jobId]));
  const nodeOfJob = new Map([...jobOf].map(([node, jobId]) => [jobId, node]));
  const find = (kind: PlanKind, name: string) =>
    kinds.find((one) => one.kind === kind)?.find(env.environment.id, name);

  /** The same graph with the definitions of these flows, whose SELECTs say which columns they use. */
  async function withSelects(flows: readonly string[]) {
    const definitions = new Map<string, Definition | undefined>();
    for (const name of flows) {
      // Each definition is parsed on this thread.
      await setImmediate();
      definitions.set(name, (await find("flow", name))?.declared.masked);
    }
    return createLargeGraph(
      resources.map(({ kind, name, lineage }) => {
        const definition = kind === "flow" ? definitions.get(name) : undefined;
        return definition ? [kind, name, definition, lineage] : [kind, name, undefined, lineage];
      }),
      scope,
    );
  }

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
    async writersOf(table) {
      const found: ResourceDefinition[] = [];
      for (const node of graph.writers(table)) {
        await setImmediate();
        const [kind, name] = [kindOfNode(node), nameOfNode(node)];
        const live = await find(kind, name);
        if (live) found.push({ kind, name, definition: live.declared.open });
      }
      return found;
    },
    async readersOf(table, columns) {
      const all = readersOf(graph, table, null, maxReached);
      if (columns === null) return all.slice(0, maxListed);
      const flows = all.filter(({ kind }) => kind === "flow").map(({ name }) => name);
      return readersOf(await withSelects(flows), table, columns, maxListed);
    },
    around(table) {
      const links = jobOf.keys().map((node) => [node, graph.lineage(node)] as const);
      return lineageAround(table, links, (node) => jobOf.get(node) ?? null);
    },
    written: () =>
      [...jobOf].flatMap(([node, jobId]) =>
        jobId === null ? [] : graph.writes(node).map((table) => ({ table, jobId })),
      ),
  };
}
