import {
  type ChangeConsequence,
  type ConsumptionFlowInput,
  flowStrategyOf,
  flowWritesText,
  type PlanImpact,
  type PlanKind,
  type PlanReference,
  type PlanStep,
} from "@lakehelm/contract";
import { inEnvironment } from "@lakehelm/contract/changes";
import type { Jobs } from "../../runtime/jobs/jobs.ts";
import type { Definition } from "../planned-definition.ts";
import { consequencesOf } from "./consequences.ts";
import { maxReached, type ResourceGraph } from "./graph.ts";
import { changedColumns, nodeOf, type TableScope } from "./lineage.ts";

interface ChangedResource {
  readonly kind: PlanKind;
  readonly name: string;
  readonly action: PlanStep["action"];
  readonly paths: readonly string[];
  readonly before: Definition;
  readonly after: Definition;
  readonly jobId: string | null;
  /** Whether a run has written a dataset; undefined: not known. */
  readonly hasRun?: ((target: string) => boolean | undefined) | undefined;
}

/** How far each step of a plan is followed. */
export interface ImpactLimits {
  /** The maximum length of `downstream`. */
  readonly listed: number;
  /** How many affected resources a policy rule sees. */
  readonly ruled: number;
  /** The maximum of `downstream_total`. */
  readonly reached: number;
}

const maxListed = 200;
const maxRuns = 20;
/** For all steps of a plan: otherwise its answer, and the input of rules, would grow with the square of its size. */
const allListed = 20_000;
const allRuled = 200_000;
const allReached = 2_000_000;

export function impactLimits(steps: number): ImpactLimits {
  const share = (all: number, least: number, most: number) =>
    Math.min(most, Math.max(least, Math.floor(all / Math.max(1, steps))));
  return {
    listed: share(allListed, 5, maxListed),
    ruled: share(allRuled, 20, maxListed),
    reached: share(allReached, maxListed, maxReached),
  };
}

/** What a step affects beyond its resource. `withRuns`: also looks for runs, with two or three queries. */
export async function impactOf(
  changed: ChangedResource,
  graph: ResourceGraph,
  scope: TableScope,
  jobs: Pick<Jobs, "rules">,
  {
    withRuns,
    limits,
    left,
    environment,
  }: {
    readonly withRuns: boolean;
    readonly limits: ImpactLimits;
    readonly left: readonly string[];
    /** The name of the environment that the plan is for. */
    readonly environment: string;
  },
): Promise<PlanImpact> {
  const found = reachedBy(changed, graph, limits);
  const runs = withRuns && changed.jobId !== null ? await runsOf(changed.jobId, jobs) : noRuns;
  const { hasSucceeded, ...shown } = runs;
  const consequences = consequencesOf(changed, scope, {
    left,
    hasRun: (target) => changed.hasRun?.(target) ?? (hasSucceeded ? undefined : false),
  });
  return {
    downstream: found.slice(0, limits.listed),
    downstream_total: found.length,
    ...shown,
    writes: writesOf(changed),
    ...withConsequences(inEnvironment(consequences, environment)),
    data_lost: lost(changed),
  };
}

/** `former`: the tables that the resource wrote before, if the graph lacks them; then only resources are found. */
export function reachedBy(
  { kind, name, action, paths, before, after }: ChangedResource,
  graph: ResourceGraph,
  { reached }: Pick<ImpactLimits, "reached">,
  former?: readonly string[],
): readonly PlanReference[] {
  const isUpdate = action === "update";
  const columns = isUpdate ? changedColumns(kind, paths, before, after) : null;
  if (isUpdate && columns?.length === 0) return [];
  return graph.downstream(nodeOf(kind, name), columns, {
    ...(former && { tables: former, withTables: false }),
    limit: reached,
  });
}

/** How a flow writes its table. The default is named, because it is not in the file. */
function writesOf({ kind, action, after }: ChangedResource): string | null {
  if (kind !== "flow" || action === "delete" || action === "none") return null;
  const flow = after as ConsumptionFlowInput;
  const isDefault = flow.write_strategy === undefined;
  return `${flowStrategyOf(flow)}${isDefault ? " (default)" : ""}: ${flowWritesText(flow)}`;
}

type RunImpact = Pick<PlanImpact, "running_runs" | "rows" | "estimated_seconds"> & {
  readonly hasSucceeded: boolean;
};
const noRuns: RunImpact = { running_runs: [], rows: null, estimated_seconds: null, hasSucceeded: true };

async function runsOf(jobId: string, { rules }: Pick<Jobs, "rules">): Promise<RunImpact> {
  const open = await Promise.all(
    (["running", "queued"] as const).map((status) => rules.page({ job: jobId, status }, { limit: maxRuns })),
  );
  const [last] = (await rules.page({ job: jobId, status: "succeeded" }, { limit: 1 })).runs;
  const seconds =
    last?.started_at && last.ended_at
      ? (Date.parse(last.ended_at) - Date.parse(last.started_at)) / 1000
      : null;
  return {
    running_runs: open.flatMap(({ runs }) => runs.map(({ id }) => id)).slice(0, maxRuns),
    rows: last ? rowsOf(last.metrics) : null,
    estimated_seconds: seconds,
    hasSucceeded: last !== undefined,
  };
}

const loaded: readonly ChangeConsequence["effect"][] = ["create", "update", "reload", "rebuild"];

export const withConsequences = (
  consequences: readonly ChangeConsequence[],
): Pick<PlanImpact, "full_refresh" | "consequences"> => ({
  full_refresh: consequences.flatMap(({ table, effect }) =>
    table !== null && loaded.includes(effect) ? [table] : [],
  ),
  consequences: [...consequences],
});

/** Runs of each kind have other names for their counters. */
function rowsOf(metrics: Readonly<Record<string, unknown>>): number | null {
  for (const key of ["rows_read", "read", "rows"]) {
    const value = metrics[key];
    if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  }
  return null;
}

const datasetPath = /^datasets\[([^\]]+)\](?:\.(.+))?$/;

interface DatasetDefinition {
  readonly target_name?: unknown;
}

const isDataset = ({ datasets }: Definition, target: string): boolean =>
  Array.isArray(datasets) && datasets.some((one: DatasetDefinition) => one.target_name === target);

function lost({ kind, name, action, paths, after }: ChangedResource): string[] {
  if (action === "update") {
    if (kind !== "connector") return [];
    return paths.flatMap((path) => {
      const [, target, field] = datasetPath.exec(path) ?? [];
      if (target === undefined || field !== undefined || isDataset(after, target)) return [];
      return [`The position up to which the dataset ${target} was read. Its table stays.`];
    });
  }
  if (action !== "delete" && action !== "replace") return [];
  switch (kind) {
    case "connector":
      return [`The positions up to which ${name} was read. Its tables stay.`];
    case "pipeline":
      return [`The link between ${name} and its tables, which stay as plain tables.`];
    case "flow":
      return [`The schedule of ${name}. The tables that it published stay.`];
    case "agent":
      return [`The versions of ${name}.`];
    case "automation":
      return [
        `The release of ${name} in this environment, and its definition if no other environment runs it.`,
      ];
    case "app":
      return [];
  }
}
