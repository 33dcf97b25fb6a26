import type {
  ConsumptionFlowInput,
  Environment,
  PlanKind,
  PlanProject,
  PlanReference,
  PlanStep,
} from "@lakehelm/contract";
import { type Consequence, flowConsequences } from "@lakehelm/contract/changes";
import type { FlowFinding } from "@lakehelm/engine";
import { canonicalText } from "../../core/changes/canonical-text.ts";
import { changesBetween, type FieldChange } from "../../core/changes/field-changes.ts";
import { turns } from "../../core/concurrency/turns.ts";
import { conflict, Problem } from "../../core/errors.ts";
import type { ChangeContext } from "../../core/store/store.ts";
import type { Jobs } from "../../runtime/jobs/jobs.ts";
import { fullTableName, warehouseScope } from "../../runtime/platforms/warehouse.ts";
import type { DeclaredDefinition, Definition } from "../planned-definition.ts";
import type { AppliedResource, AppliedRows } from "./applied-rows.ts";
import type { ReadCodeLineage } from "./code-lineage.ts";
import { type Digest, sha256 } from "./digest.ts";
import type { FlowSurroundings } from "./flow-check.ts";
import { createGraph, ordered, type ResourceGraph } from "./graph.ts";
import { type ImpactLimits, impactLimits, impactOf, reachedBy } from "./impact.ts";
import { changedColumns, kindOfNode, type Lineage, nameOfNode, nodeOf, type TableScope } from "./lineage.ts";
import type { LiveResource, PlannedKind } from "./planned-kind.ts";

/** A resource as it should be. */
export interface DesiredResource {
  readonly kind: PlanKind;
  readonly name: string;
  readonly file: PlanStep["file"];
  /** The body of the request that creates it, or its definition as it was planned before. */
  readonly definition: Definition | DeclaredDefinition;
  readonly isDeclared: boolean;
  /** What only counts when it is created. */
  readonly initial: Definition;
}

/** A step, what it was planned for, and what it leads to. */
export interface PlannedStep {
  readonly step: PlanStep;
  readonly desired?: DeclaredDefinition | undefined;
  readonly live?: DeclaredDefinition | undefined;
  readonly initial: Definition;
  readonly changes: readonly FieldChange[];
  /** Digests of the live and the desired definition; empty: there is none. */
  readonly restsOn: string;
  readonly leadsTo: string;
  /** Resources that use it when the plan is done: without those that the plan deletes, or that then read something else. */
  readonly usedAfterwards: () => readonly PlanReference[];
}

export interface BuiltPlan {
  /** Changes in their order, then everything without a change. */
  readonly steps: readonly PlannedStep[];
  /** Of everything that the plan rests on. */
  readonly hash: string;
  readonly designHash: string;
  /** What is there and not in the plan. */
  readonly others: readonly {
    readonly kind: PlanKind;
    readonly name: string;
    readonly definition: Definition;
  }[];
  /** What surrounds the flows that it changes; undefined without a change. */
  readonly around: (() => FlowSurroundings) | undefined;
  /** What a step leads to for a flow, with what is known of its table. */
  ofFlow(step: Pick<PlannedStep, "live" | "desired">, target: FlowTarget): Consequence[];
}

type FlowTarget = NonNullable<FlowFinding["target"]>;

export interface PlanInput {
  readonly environment: Environment;
  readonly project: PlanProject;
  readonly resources: readonly DesiredResource[];
  readonly prune: boolean;
  readonly context: ChangeContext;
  /** False: only what decides whether a plan is stale. */
  readonly withDetails: boolean;
}

interface PlannerOptions {
  readonly kinds: readonly PlannedKind[];
  readonly applied: AppliedRows;
  readonly digest: Digest;
  readonly jobs: Pick<Jobs, "rules">;
  readonly codeLineage: ReadCodeLineage;
}

/** A resource in any of the three states. */
interface Compared {
  readonly node: string;
  readonly kind: PlannedKind;
  readonly action: PlanStep["action"];
  readonly live: LiveResource | undefined;
  readonly desired: DeclaredDefinition | undefined;
  readonly wanted: DesiredResource | undefined;
  readonly applied: AppliedResource | undefined;
  readonly restsOn: string;
  readonly leadsTo: string;
  /** Of the desired definition, as callers see it. */
  readonly designHash: string | null;
  readonly fixed: readonly string[];
}

/** A resource of the environment: also one that the plan does not concern may read what the plan changes. */
type Placed = Pick<Compared, "node" | "live" | "desired"> & { readonly action?: Compared["action"] };

interface StepGraphs {
  readonly graph: ResourceGraph;
  /** As it will be. Only policies need it. */
  readonly after: () => ResourceGraph;
  readonly scope: TableScope;
  readonly limits: ImpactLimits;
}

interface Comparison {
  readonly compared: readonly Compared[];
  readonly others: readonly Placed[];
}

const codeWaitMs = 1500;
/** Resources whose runs and drift are looked up: each takes queries of its own. */
const maxDetailed = 500;
const maxProblems = 10;
const maxDependencies = 200_000;

export function createPlanner({ kinds, applied, digest, jobs, codeLineage }: PlannerOptions) {
  const kindOf = new Map(kinds.map((one) => [one.kind, one]));

  async function compareAll(input: PlanInput): Promise<Comparison> {
    const { environment, project, resources, prune, context } = input;
    const appliedBefore = await applied.inEnvironment(environment.id);
    const turn = turns();
    const wanted = new Map(resources.map((one) => [nodeOf(one.kind, one.name), one]));
    const live = new Map<string, LiveResource>();
    for (const kind of kinds) {
      const names = [...new Set([...wanted.keys(), ...appliedBefore.keys()])]
        .filter((node) => kindOfNode(node) === kind.kind)
        .map(nameOfNode);
      for (const one of await kind.live(environment.id, names)) live.set(nodeOf(kind.kind, one.name), one);
      await turn();
    }

    const compared: Compared[] = [];
    const problems: string[] = [];
    for (const [node, one] of wanted) {
      await turn();
      const kind = kindOf.get(one.kind) as PlannedKind;
      const now = live.get(node);
      const desired = await declared(one, kind, now, context, problems);
      if (!desired) continue;
      const wantedText = canonicalText(desired.open);
      const liveText = now ? canonicalText(now.declared.open) : "";
      const leadsTo = digest.ofText(wantedText);
      // Most resources of a plan do not change.
      const restsOn = liveText === wantedText ? leadsTo : now ? digest.ofText(liveText) : "";
      const fixed =
        now && restsOn !== leadsTo
          ? kind.fixed.filter(
              (key) => canonicalText(desired.open[key]) !== canonicalText(now.declared.open[key]),
            )
          : [];
      const changed = fixed.length > 0 ? "replace" : "update";
      // What the platform refused is applied again, although its definition is there.
      const isDone = restsOn === leadsTo && !now?.problem;
      const action = now ? (isDone ? "none" : changed) : "create";
      const last = appliedBefore.get(node);
      compared.push({
        node,
        kind,
        action,
        live: now,
        desired,
        wanted: one,
        applied: last,
        restsOn,
        leadsTo,
        designHash: sha256(desired.masked === desired.open ? wantedText : canonicalText(desired.masked)),
        fixed,
      });
    }
    if (problems.length > 0) throw conflict(problems.slice(0, maxProblems).join("\n"));
    const others: Placed[] = [];
    for (const [node, now] of live) {
      if (wanted.has(node)) continue;
      const kind = kindOf.get(kindOfNode(node)) as PlannedKind;
      const last = appliedBefore.get(node);
      const isOurs = last?.project === project.name;
      if (!isOurs && (!prune || last || kind.isShared)) {
        others.push({ node, live: now, desired: undefined });
        continue;
      }
      const restsOn = digest(now.declared.open);
      const nothing = { desired: undefined, wanted: undefined, leadsTo: "", designHash: null, fixed: [] };
      compared.push({ node, kind, action: "delete", live: now, applied: last, restsOn, ...nothing });
    }
    return { compared, others };
  }

  /** What resources read and write as they are and as they will be. A plan does not wait long for it. */
  async function lineages(placed: readonly Placed[], environment: Environment, scope: TableScope) {
    const resources = placed.flatMap(({ node, live, desired }) =>
      [live?.declared.masked, desired?.masked].flatMap((definition) =>
        definition ? [{ kind: kindOfNode(node), name: nameOfNode(node), id: live?.id, definition }] : [],
      ),
    );
    return codeLineage(resources, { environment: environment.name, scope }, codeWaitMs);
  }

  async function declared(
    one: DesiredResource,
    kind: PlannedKind,
    live: LiveResource | undefined,
    context: ChangeContext,
    problems: string[],
  ): Promise<DeclaredDefinition | undefined> {
    if (one.isDeclared) return one.definition as DeclaredDefinition;
    try {
      return await kind.declare(one.definition as Definition, live, context);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      problems.push(`${placeOf(one)}${one.kind} "${one.name}": ${error.message}`);
      return undefined;
    }
  }

  async function driftOf({ live, applied: last, restsOn }: Compared, environmentId: string) {
    if (!live || !last || last.digest === restsOn) return [];
    const before = await applied.definition(environmentId, last.kind, last.name);
    return before ? changesBetween(before, live.declared).map(shown) : [];
  }

  async function stepOf(
    one: Compared,
    at: number,
    order: { readonly reasons: readonly string[]; readonly dependsOn: readonly number[] },
    input: PlanInput,
    graphs: StepGraphs | undefined,
  ): Promise<PlannedStep> {
    const { kind, action, live, desired, wanted, restsOn, leadsTo, designHash } = one;
    const { withDetails } = input;
    const changes =
      withDetails && action !== "none" && action !== "delete" ? changesBetween(live?.declared, desired) : [];
    const name = nameOfNode(one.node);
    const isDetailed = withDetails && at <= maxDetailed;
    const drift = isDetailed ? await driftOf(one, input.environment.id) : [];
    const changed = {
      kind: kind.kind,
      name,
      action,
      paths: changes.map(({ path }) => path),
      before: live?.declared.masked ?? {},
      after: desired?.masked ?? {},
      jobId: live?.jobId ?? null,
      hasRun: live?.hasRun,
    };
    const impact =
      graphs && action !== "none"
        ? await impactOf(changed, graphs.graph, graphs.scope, jobs, {
            withRuns: isDetailed,
            limits: graphs.limits,
          })
        : null;
    return {
      step: {
        position: at,
        action,
        kind: kind.kind,
        name,
        resource_id: live?.id ?? null,
        changes: changes.map(shown),
        drift,
        reasons: withDetails ? [...reasonsOf(one, changes, input), ...order.reasons] : [],
        depends_on: [...order.dependsOn],
        impact,
        design_hash: designHash,
        file: wanted?.file ?? null,
        status: action === "none" ? "done" : "pending",
        error: null,
      },
      desired,
      live: live?.declared,
      initial: wanted?.initial ?? {},
      changes,
      restsOn,
      leadsTo,
      usedAfterwards: () =>
        graphs
          ? reachedBy(changed, graphs.after(), graphs.limits, graphs.graph.writes(one.node)).slice(
              0,
              graphs.limits.ruled,
            )
          : [],
    };
  }

  return {
    async build(input: PlanInput): Promise<BuiltPlan> {
      const { compared, others } = await compareAll(input);
      const byNode = new Map(compared.map((one) => [one.node, one]));
      const changed = compared.filter(({ action }) => action !== "none");
      const hash = planHash(input, compared);
      const designs = compared.flatMap(({ node, designHash }) => (designHash ? [[node, designHash]] : []));
      const designHash = sha256(JSON.stringify(designs.sort()));
      const scope = scopeOf(input.environment);
      const placed = [...compared, ...others];
      const { of, unknown } =
        changed.length > 0 && input.withDetails
          ? await lineages(placed, input.environment, scope)
          : { of: new Map<Definition, Lineage>(), unknown: [] as readonly string[] };
      const graph = changed.length > 0 ? graphOf(placed, of, scope) : undefined;
      let later: ResourceGraph | undefined;
      const after = () => {
        later ??= graphOf(placed, of, scope, true);
        return later;
      };
      if (graph) requireFewDependencies(changed, graph);
      const places = graph ? placesOf(changed, graph) : [];
      const limits = impactLimits(changed.length);
      const turn = turns();
      const steps: PlannedStep[] = [];
      for (const { node, ...order } of places) {
        await turn();
        const one = byNode.get(node) as Compared;
        const context = input.withDetails && graph ? { graph, after, scope, limits } : undefined;
        steps.push(await stepOf(one, steps.length + 1, order, input, context));
      }
      const unordered = { reasons: [], dependsOn: [] };
      for (const one of compared) {
        if (one.action !== "none") continue;
        await turn();
        steps.push(await stepOf(one, steps.length + 1, unordered, input, undefined));
      }
      const isOpen = ({ node, action = "none" }: Placed) =>
        (kindOfNode(node) === "pipeline" && action !== "none") || unknown.includes(node);
      const around = (): FlowSurroundings => ({
        graph: after(),
        changed: new Set(steps.filter(mayChangeColumns).map(({ step }) => nodeOf(step.kind, step.name))),
        hasUnknownTables: placed.some(isOpen),
      });
      return {
        ...{ steps, hash, designHash, around: changed.length > 0 ? around : undefined },
        others: others.flatMap(({ node, live }) =>
          live ? [{ kind: kindOfNode(node), name: nameOfNode(node), definition: live.declared.masked }] : [],
        ),
        ofFlow: ({ live, desired }, { facts, before }) =>
          flowConsequences(
            live?.masked as ConsumptionFlowInput | undefined,
            desired?.masked as unknown as ConsumptionFlowInput,
            (table) => fullTableName(table, scope),
            facts,
            before,
          ),
      };
    },
  };
}

/** Whether the tables that a resource writes may have other columns when the step is done and the resource has run. */
function mayChangeColumns({ step: { kind, action }, changes, live, desired }: PlannedStep): boolean {
  if (action !== "update") return action === "create" || action === "replace";
  // The platform refused it, so what it added may not be there yet.
  if (changes.length === 0) return true;
  const paths = changes.map(({ path }) => path);
  if (kind === "connector") return paths.some((path) => /^(?:datasets|target_)/.test(path));
  return changedColumns(kind, paths, live?.masked ?? {}, desired?.masked ?? {})?.length !== 0;
}

const shown = ({ path, before, after, sensitive }: FieldChange) => ({ path, before, after, sensitive });

/** Where a definition is, for messages. */
const placeOf = ({ file }: Pick<DesiredResource, "file">): string =>
  file ? `${file.path}${file.line ? `:${file.line}` : ""}: ` : "";

function planHash({ environment, project, prune }: PlanInput, compared: readonly Compared[]): string {
  const basis = compared.map(({ node, action, restsOn, leadsTo, applied }) => [
    node,
    action,
    restsOn,
    leadsTo,
    applied?.project ?? "",
    applied?.digest ?? "",
  ]);
  basis.sort(([a = ""], [b = ""]) => (a < b ? -1 : 1));
  return sha256(JSON.stringify([environment.id, project.name, prune, basis]));
}

/** An environment whose catalog is not valid has no tables that could be named. */
export function scopeOf(environment: Environment): TableScope {
  try {
    return warehouseScope({ environment });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { catalog: "", schema: "" };
  }
}

/** As it is now and as it will be: a table that is no longer written still has its readers. `isLater`: only as it will be. */
function graphOf(
  placed: readonly Placed[],
  lineages: ReadonlyMap<Definition, Lineage>,
  scope: TableScope,
  isLater = false,
): ResourceGraph {
  const resources = placed.flatMap(({ node, live, desired, action }) =>
    [
      isLater && (desired || action === "delete") ? undefined : live?.declared.masked,
      desired?.masked,
    ].flatMap((definition) =>
      definition ? [[kindOfNode(node), nameOfNode(node), definition, lineages.get(definition)] as const] : [],
    ),
  );
  return createGraph(resources, scope);
}

/** Many resources that write a table, times many that read it, would be more than memory and a plan can hold. */
function requireFewDependencies(changed: readonly Compared[], graph: ResourceGraph): void {
  let sum = 0;
  for (const { node } of changed) {
    sum += graph.dependencies(node);
    if (sum <= maxDependencies) continue;
    throw conflict(
      `The resources of the plan depend on each other in more than ${maxDependencies} ways. ${nameOfNode(node)} alone depends on ${graph.dependencies(node)}: do many resources write the same table? Or apply the project in parts.`,
    );
  }
}

/** The changes in their order: what others need first, and deletions last, in the opposite order. */
function placesOf(changed: readonly Compared[], graph: ResourceGraph) {
  const nodes = (isDelete: boolean) =>
    changed.filter(({ action }) => (action === "delete") === isDelete).map(({ node }) => node);
  const upstream = (node: string) => graph.upstream(node).keys();
  const made = ordered(nodes(false), upstream);
  const deleted = ordered(nodes(true), upstream);
  const order = [...made.order, ...deleted.order.toReversed()];
  const positions = new Map(order.map((node, at) => [node, at + 1]));
  const isDeleted = new Set(deleted.order);
  const users = new Map<string, string[]>();
  for (const node of deleted.order) {
    for (const used of upstream(node)) {
      if (isDeleted.has(used)) users.getOrInsertComputed(used, () => []).push(node);
    }
  }
  return order.map((node) => {
    const before = isDeleted.has(node)
      ? (users.get(node) ?? []).map((user): [string, string] => [user, "it uses this one"])
      : [...graph.upstream(node)].filter(([used]) => positions.has(used) && !isDeleted.has(used));
    const at = positions.get(node) ?? 0;
    const earlier = before.filter(([used]) => (positions.get(used) ?? 0) < at);
    const isCircular = made.inCycle.has(node) || deleted.inCycle.has(node);
    return {
      node,
      dependsOn: earlier.map(([used]) => positions.get(used) ?? 0).sort((a, b) => a - b),
      reasons: [
        ...earlier
          .slice(0, maxReasons)
          .map(([used, why]) => `After ${kindOfNode(used)} ${nameOfNode(used)}: ${why}.`),
        ...(isCircular
          ? ["It depends on something that depends on it, so it is ordered by kind and name."]
          : []),
      ],
    };
  });
}

const maxReasons = 5;

function reasonsOf(one: Compared, changes: readonly FieldChange[], { project }: PlanInput): string[] {
  const { action, applied, fixed, live } = one;
  const other =
    applied && applied.project !== project.name ? [`The project ${applied.project} applied it last.`] : [];
  switch (action) {
    case "none":
      return other;
    case "create":
      return [
        applied ? "It was applied before and is gone." : "It does not exist in the environment.",
        ...other,
      ];
    case "delete":
      return applied
        ? ["The project applied it before and no longer has it."]
        : ["No project has applied it, and the plan prunes."];
    case "replace":
      return [`${fixed.join(", ")} never changes: it is deleted and created again.`, ...other];
    case "update": {
      const paths = changes.map(({ path }) => path);
      const more = paths.length > maxReasons ? ` and ${paths.length - maxReasons} more` : "";
      const fields = `${paths.slice(0, maxReasons).join(", ")}${more}`;
      const problem = live?.problem;
      return [
        ...(paths.length > 0 ? [`Its definition differs from the live one in ${fields}.`] : []),
        ...(problem ? [`The platform refused it, so it is applied again: ${problem}`] : []),
        ...other,
      ];
    }
  }
}
