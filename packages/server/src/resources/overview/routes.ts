import type { endpoints, Job, Run, TableFreshness } from "@lakehelm/contract";
import type { DiskWatch } from "../../core/disk-watch.ts";
import { notFound } from "../../core/errors.ts";
import type { Scope } from "../../core/store/collection.ts";
import type { Jobs } from "../../runtime/jobs/jobs.ts";
import type { RunFilter } from "../../runtime/jobs/run-pages.ts";
import { fullTableName, warehouseScope } from "../../runtime/platforms/warehouse.ts";
import type { Handlers } from "../../web/http/handler.ts";
import type { Environments } from "../environments/environments.ts";
import type { PlannedKind } from "../plans/planned-kind.ts";
import type { ReadStoredLineage } from "../plans/stored-lineage.ts";
import { type EnvironmentGraph, lineageWaitMs, readGraph } from "./environment-graph.ts";
import type { RefusedResources } from "./refused-resources.ts";
import { tableStates } from "./table-states.ts";

const dayMs = 86_400_000;
const mostJobs = 2_000;
const mostRuns = 1_000;
const mostTables = 500;
const mostFailing = 50;

export function overviewHandlers(
  { rows, views, rules, tables, now }: Pick<Jobs, "rows" | "views" | "rules" | "tables" | "now">,
  environments: Pick<Environments, "actIn" | "filter">,
  kinds: readonly PlannedKind[],
  lineages: ReadStoredLineage,
  refusedIn: (scope: Scope) => Promise<RefusedResources>,
  disk: Pick<DiskWatch, "look">,
): Handlers<Pick<typeof endpoints, "getOverview" | "getJobDownstream" | "getTableLineage">> {
  const graphOf = async (environmentId: string) =>
    readGraph(await environments.actIn(environmentId), kinds, lineages);

  /** Undefined for an environment whose settings are wrong: the rest of the overview is still useful. */
  async function stateOf(environmentId: string, jobs: readonly Job[]) {
    const graph = await graphOf(environmentId).catch(() => undefined);
    if (!graph) return undefined;
    const versions = (await tables(environmentId)) ?? [];
    const byId = new Map(jobs.map((job) => [job.id, job]));
    return { graph, tables: tableStates(graph.written(), byId, versions, now()) };
  }

  /** The newest runs, all failed runs, and the last failed run of each job that has failed for longer. Newest first. */
  async function runsOfDay(filter: RunFilter, failing: readonly Job[]): Promise<Run[]> {
    const { runs } = await rules.page(filter, { limit: mostRuns });
    const found = new Map(runs.map((run) => [run.id, run]));
    const add = async (more: RunFilter, limit: number) => {
      for (const run of (await rules.page(more, { limit })).runs) found.set(run.id, run);
    };
    if (runs.length >= mostRuns) await add({ ...filter, status: "failed" }, mostRuns);
    const failed = new Set(
      [...found.values()].flatMap(({ status, job_id }) => (status === "failed" ? [job_id] : [])),
    );
    for (const { id } of failing) if (!failed.has(id)) await add({ job: id, status: "failed" }, 1);
    return [...found.values()].sort((one, other) => (one.id < other.id ? 1 : -1));
  }

  return {
    async getOverview(call) {
      const scope = await environments.filter(call);
      const { jobs, total } = await views.page(scope, 0, mostJobs);
      const createdAfter = new Date(now().getTime() - dayMs).toISOString();
      const failing = jobs.filter(({ failures }) => failures > 0).slice(0, mostFailing);
      const runs = await runsOfDay({ ...scope, createdAfter }, failing);
      const found: TableFreshness[] = [];
      const unknown: string[] = [];
      const space = await disk.look();
      const graphs = new Map<string, EnvironmentGraph>();
      for (const [environmentId, some] of Map.groupBy(jobs, ({ environment_id }) => environment_id)) {
        const state = await stateOf(environmentId, some);
        if (!state) continue;
        graphs.set(environmentId, state.graph);
        unknown.push(...state.graph.unknown);
        for (const table of state.tables) found.push(table);
      }
      return {
        body: {
          jobs,
          jobs_total: total,
          runs,
          tables: found.sort(lateFirst).slice(0, mostTables),
          tables_total: found.length,
          affected: failing.map(({ id, environment_id }) => ({
            job_id: id,
            ...(graphs.get(environment_id)?.downstream(id) ?? { items: [], items_total: 0 }),
          })),
          ...(await refusedIn(scope)),
          unknown,
          disk: {
            free_bytes: space.freeBytes,
            reserve_bytes: space.reserveBytes,
            is_low: space.isLow,
          },
        },
      };
    },
    async getTableLineage(call) {
      const env = await environments.actIn(call.header("x-environment-id"));
      const { id } = env.environment;
      const table = fullTableName(call.query.table, warehouseScope(env));
      const graph = await readGraph(env, kinds, lineages, lineageWaitMs.table);
      const writing = graph.written().filter((one) => one.table.toLowerCase() === table.toLowerCase());
      const jobs = await Promise.all(writing.map(({ jobId }) => views.get(jobId)));
      const byId = new Map(jobs.filter((job) => job !== undefined).map((job) => [job.id, job]));
      const [freshness = null] = tableStates(writing, byId, (await tables(id)) ?? [], now());
      return { body: { ...(await graph.around(table)), freshness, unknown: [...graph.unknown] } };
    },
    async getJobDownstream({ params: { job_id } }) {
      const job = await rows.find(job_id);
      // The runs of a job outlive it for a while.
      const environmentId = job?.environmentId;
      if (!job || environmentId === undefined) {
        if ((await rules.page({ job: job_id }, { limit: 1 })).runs.length === 0)
          throw notFound(`There is no job ${job_id}.`);
        return { body: { items: [], items_total: 0, unknown: [] } };
      }
      const graph = await graphOf(environmentId);
      return { body: { ...graph.downstream(job.id), unknown: [...graph.unknown] } };
    },
  };
}

function lateFirst(one: TableFreshness, other: TableFreshness): number {
  if (one.is_late !== other.is_late) return one.is_late ? -1 : 1;
  return (one.changed_at ?? "").localeCompare(other.changed_at ?? "");
}
