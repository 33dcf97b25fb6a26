import type {
  ConsumptionFlowInput,
  Environment,
  PipelineSpec,
  PlanKind,
  PlanProject,
  PlanReference,
  PlanStep,
} from "@lakehelm/contract";
import {
  type Consequence,
  flowConsequences,
  type HashedFile,
  inEnvironment,
} from "@lakehelm/contract/changes";
import { nameProblem, shown as shownName } from "@lakehelm/contract/text";
import type { FlowFinding, PipelineCode } from "@lakehelm/engine";
import { canonicalText } from "../../core/changes/canonical-text.ts";
import { changesBetween, type FieldChange } from "../../core/changes/field-changes.ts";
import { turns } from "../../core/concurrency/turns.ts";
import { conflict, Problem } from "../../core/errors.ts";
import type { ChangeContext } from "../../core/store/store.ts";
import type { Jobs } from "../../runtime/jobs/jobs.ts";
import { fullTableName, warehouseScope } from "../../runtime/platforms/warehouse.ts";
import type { Environments } from "../environments/environments.ts";
import type { DeclaredDefinition, Definition } from "../planned-definition.ts";
import type { AppliedResource, AppliedRows } from "./applied-rows.ts";
import type { CodeResource, ReadCodeLineage } from "./code-lineage.ts";
import type { ReadPlannedCode } from "./column-check.ts";
import { type Digest, sha256 } from "./digest.ts";
import { createGraph, createLargeGraph, ordered, type ResourceGraph } from "./graph.ts";
import { type ImpactLimits, impactLimits, impactOf, reachedBy } from "./impact.ts";
import {
  changedColumns,
  kindOfNode,
  type Lineage,
  nameOfNode,
  nodeOf,
  readsOf,
  type TableScope,
} from "./lineage.ts";
import type { PlanSurroundings, StayingResource } from "./plan-surroundings.ts";
import type { LiveResource, PlannedKind } from "./planned-kind.ts";

export interface PlannedFile extends HashedFile {
  /** Policies have not seen its content: it is not written as part of the plan. */
  readonly isUnseen?: true;
}

/** A resource as a request or an earlier plan declares it. */
export interface DesiredResource {
  readonly kind: PlanKind;
  readonly name: string;
  readonly file: PlanStep["file"];
  /** The body of the request that creates it, or its definition as it was planned before. */
  readonly definition: Definition | DeclaredDefinition;
  readonly isDeclared: boolean;
  /** Fields that only count when the resource is created. */
  readonly initial: Definition;
  /** The files of its code; undefined: the plan does not say. */
  readonly codeFiles?: readonly PlannedFile[] | undefined;
}

/** A step, what it was planned for, and what it leads to. */
export interface PlannedStep {
  readonly step: PlanStep;
  readonly desired?: DeclaredDefinition | undefined;
  readonly live?: DeclaredDefinition | undefined;
  readonly initial: Definition;
  readonly codeFiles: readonly PlannedFile[] | undefined;
  readonly changes: readonly FieldChange[];
  /** Digests of the live and the desired definition; empty: there is none. */
  readonly restsOn: string;
  readonly leadsTo: string;
  /** Resources that use it when the plan is done: without those that the plan deletes, or that then read something else. */
  readonly usedAfterwards: () => readonly PlanReference[];
  /** Who made the resource; null: not known. */
  readonly owner: string | null;
  /** The tables that it reads and writes, as policies see them. */
  readonly tables: () => UsedTables;
  /** The planned SQL of a pipeline, empty for other kinds; undefined: its files cannot be read. */
  readonly sql: () => Promise<PipelineCode["sources"] | undefined>;
  /** Resources whose code is not known, so that they may use this resource, too. */
  readonly mayBeUsedBy: readonly Pick<PlanReference, "kind" | "name">[];
}

export interface UsedTables {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** False: its code cannot be read, or not in time. */
  readonly isKnown: boolean;
  /** The flow that writes a table, as it will be. */
  readonly flowOf: (table: string) => Definition | undefined;
}

export interface BuiltPlan {
  /** Changes in their order, then everything without a change. */
  readonly steps: readonly PlannedStep[];
  /** The hash of everything that the plan rests on. */
  readonly hash: string;
  readonly designHash: string;
  /** Resources of the environment that are not in the plan. */
  readonly others: readonly {
    readonly kind: PlanKind;
    readonly name: string;
    readonly definition: Definition;
  }[];
  readonly around: () => Promise<PlanSurroundings>;
  /** By the position of a step: the tables that it leaves behind, which nothing writes when the plan is done. */
  readonly left: () => ReadonlyMap<number, readonly string[]>;
  /** The consequences of a step for a flow, with what is known about its table. */
  ofFlow(step: Pick<PlannedStep, "live" | "desired">, target: FlowTarget): Consequence[];
}

type FlowTarget = NonNullable<FlowFinding["target"]>;

export interface PlanInput {
  readonly environment: Environment;
  readonly project: PlanProject;
  readonly resources: readonly DesiredResource[];
  readonly prune: boolean;
  /** Resources that are deleted even if another project applied them, by kind and name. */
  readonly removed?: ReadonlySet<string>;
  /** Whether only these resources matter: neither what was applied to the environment, nor what they affect. */
  readonly isAlone?: boolean;
  /** The planned texts of files, by their paths in the workspace; null: the file is deleted. */
  readonly files: ReadonlyMap<string, string | null>;
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
  readonly readPlannedCode: ReadPlannedCode;
  readonly environments: Pick<Environments, "actIn">;
}

/** A resource in its three states: live, desired and last applied. */
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
  /** The hash of the desired definition, as callers see it. */
  readonly designHash: string | null;
  readonly fixed: readonly string[];
}

/** A resource of the environment: also one that the plan does not concern may read what the plan changes. */
type Placed = Pick<Compared, "node" | "live" | "desired"> & { readonly action?: Compared["action"] };

interface StepGraphs {
  readonly graph: ResourceGraph;
  /** The graph when the plan is done. Only policies need it. */
  readonly after: () => ResourceGraph;
  readonly scope: TableScope;
  readonly limits: ImpactLimits;
  /** Resources whose code is not known, and of these those that stay. */
  readonly unread: readonly string[];
  readonly unknown: readonly string[];
}

interface Comparison {
  readonly compared: readonly Compared[];
  readonly others: readonly Placed[];
}

/** The code generator's thread needs a second to start; a busy machine needs several. */
const codeWaitMs = 4_000;
/** How many resources have their runs and drift looked up: each takes queries of its own. */
const maxDetailed = 500;
const maxProblems = 10;
const maxDependencies = 200_000;

export function createPlanner(options: PlannerOptions) {
  const { kinds, applied, digest, jobs, codeLineage, readPlannedCode, environments } = options;
  const kindOf = new Map(kinds.map((one) => [one.kind, one]));

  async function compareAll(input: PlanInput): Promise<Comparison> {
    const { environment, project, resources, prune, context } = input;
    const { isAlone = false, removed = new Set() } = input;
    const appliedBefore = isAlone
      ? new Map<string, AppliedResource>()
      : await applied.inEnvironment(environment.id);
    const turn = turns();
    const wanted = new Map(resources.map((one) => [nodeOf(one.kind, one.name), one]));
    const live = new Map<string, LiveResource>();
    for (const kind of kinds) {
      const names = [...new Set([...wanted.keys(), ...appliedBefore.keys(), ...removed])]
        .filter((node) => kindOfNode(node) === kind.kind)
        .map(nameOfNode);
      const found = isAlone
        ? await Promise.all(names.map((name) => kind.find(environment.id, name)))
        : await kind.live(environment.id, names);
      for (const one of found) if (one) live.set(nodeOf(kind.kind, one.name), one);
      await turn();
    }

    const compared: Compared[] = [];
    const problems: string[] = [];
    for (const [node, one] of wanted) {
      await turn();
      const kind = kindOf.get(one.kind) as PlannedKind;
      const now = live.get(node);
      const unclear = now ? undefined : nameProblem(one.name);
      if (unclear !== undefined)
        problems.push(`${placeOf(one)}${one.kind} ${shownName(one.name)} ${unclear}.`);
      const desired = await declared(one, kind, now, context, problems);
      if (!desired) continue;
      await turn();
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
      // A resource that the platform refused is applied again, although its definition is live.
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
      await turn();
      const kind = kindOf.get(kindOfNode(node)) as PlannedKind;
      const last = appliedBefore.get(node);
      const isOurs = last?.project === project.name;
      const isRemoved = removed.has(node);
      if (!isRemoved && !isOurs && (!prune || last || kind.isShared)) {
        others.push({ node, live: now, desired: undefined });
        continue;
      }
      const restsOn = digest(now.declared.open);
      const nothing = { desired: undefined, wanted: undefined, leadsTo: "", designHash: null, fixed: [] };
      compared.push({ node, kind, action: "delete", live: now, applied: last, restsOn, ...nothing });
    }
    return { compared, others };
  }

  /** The lineage of resources, live and planned. A plan waits at most four seconds for it. */
  async function lineages(
    placed: readonly Placed[],
    { environment, files }: Pick<PlanInput, "environment" | "files">,
    scope: TableScope,
  ) {
    const plannedCode = (declared: DeclaredDefinition, id: string | undefined) => () =>
      codeOf(declared, id, { environment, files });
    const resources: CodeResource[] = [];
    const turn = turns();
    for (const { node, live, desired, action } of placed) {
      await turn();
      const about = { kind: kindOfNode(node), name: nameOfNode(node), id: live?.id };
      const isPlanned = about.kind === "pipeline" && desired && action !== "none";
      const planned = isPlanned ? plannedCode(desired, live?.id) : undefined;
      if (live) resources.push({ ...about, definition: live.declared.masked });
      if (desired) resources.push({ ...about, definition: desired.masked, planned });
    }
    return codeLineage(resources, { environment, scope }, codeWaitMs);
  }

  /** The SQL of a pipeline; undefined: a file of it cannot be read. */
  async function codeOf(
    declared: DeclaredDefinition,
    id: string | undefined,
    { environment, files }: Pick<PlanInput, "environment" | "files">,
  ) {
    const env = await environments.actIn(environment.id);
    const spec = declared.open as unknown as PipelineSpec;
    const { code, problems } = await readPlannedCode(spec, id, env, files);
    return problems.length === 0 ? code : undefined;
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
            left: leftBy(one, graphs),
            environment: input.environment.name,
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
      codeFiles: wanted?.codeFiles,
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
      owner: live?.owner ?? ownerOf(wanted, kind.kind, input),
      tables: () => usedTables(one, graphs),
      async sql() {
        const definition = desired ?? live?.declared;
        if (kind.kind !== "pipeline" || !definition) return [];
        return (await codeOf(definition, live?.id, input))?.sources;
      },
      mayBeUsedBy: graphs && madeOf.includes(kind.kind) ? referencesTo(graphs.unknown, one.node) : [],
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
      const hasDetails = changed.length > 0 && input.withDetails && !input.isAlone;
      let { of, unknown, keep }: Awaited<ReturnType<typeof lineages>> = hasDetails
        ? await lineages(placed, input, scope)
        : { of: new Map(), unknown: [], keep: () => Promise.resolve() };
      const graph = changed.length > 0 ? graphOf(placed, of, scope) : undefined;
      let later: ResourceGraph | undefined;
      const after = () => {
        later ??= graphOf(placed, of, scope, true);
        return later;
      };
      if (graph) requireFewDependencies(changed, graph);
      const places = graph ? placesOf(changed, graph) : [];
      const limits = impactLimits(changed.length);
      const isKept = (node: string) => byNode.get(node)?.action !== "delete";
      const kept = unknown.filter(isKept);
      const turn = turns();
      const steps: PlannedStep[] = [];
      for (const { node, ...order } of places) {
        await turn();
        const one = byNode.get(node) as Compared;
        const context =
          input.withDetails && graph
            ? { graph, after, scope, limits, unread: unknown, unknown: kept }
            : undefined;
        steps.push(await stepOf(one, steps.length + 1, order, input, context));
      }
      const unordered = { reasons: [], dependsOn: [] };
      for (const one of compared) {
        if (one.action !== "none") continue;
        await turn();
        steps.push(await stepOf(one, steps.length + 1, unordered, input, undefined));
      }
      const isOpen = ({ node, action = "none" }: Placed) =>
        (kindOfNode(node) === "pipeline" && action !== "none" && graph?.writes(node).length === 0) ||
        unknown.includes(node);
      const around = async (): Promise<PlanSurroundings> => {
        if (!hasDetails) {
          ({ of, unknown, keep } = await lineages(placed, input, scope));
          later = await createLargeGraph(entriesOf(placed, of, true), scope);
        }
        await keep();
        return {
          graph: after(),
          changed: new Set(steps.filter(mayChangeColumns).map(({ step }) => nodeOf(step.kind, step.name))),
          hasUnknownTables: placed.some(isOpen),
          unknown,
          stays: stayingOf(
            placed,
            new Map(steps.map(({ step }) => [nodeOf(step.kind, step.name), step.position])),
          ),
        };
      };
      const left = () =>
        new Map(
          (graph ? steps : []).flatMap(({ step: { kind, name, action, position } }) => {
            if (action === "none" || action === "create") return [];
            const written = graph?.writes(nodeOf(kind, name)) ?? [];
            const tables = written.filter((table) => after().writers(table).length === 0);
            return tables.length > 0 ? [[position, tables] as const] : [];
          }),
        );
      return {
        ...{ steps, hash, designHash, around, left },
        others: others.flatMap(({ node, live }) =>
          live ? [{ kind: kindOfNode(node), name: nameOfNode(node), definition: live.declared.masked }] : [],
        ),
        ofFlow: ({ live, desired }, { facts, before }) =>
          inEnvironment(
            flowConsequences(
              live?.masked as ConsumptionFlowInput | undefined,
              desired?.masked as unknown as ConsumptionFlowInput,
              (table) => fullTableName(table, scope),
              facts,
              before,
            ),
            input.environment.name,
          ),
      };
    },
  };
}

/** The tables that a resource no longer writes when the plan is done. Other resources may still write them. */
function leftBy({ node, action, kind }: Compared, { graph, after }: StepGraphs): readonly string[] {
  const mayLeave = action === "delete" || (kind.kind === "pipeline" && action !== "create");
  if (!mayLeave) return [];
  const later = new Set(after().writes(node));
  return graph.writes(node).filter((table) => !later.has(table));
}

/** Agents and apps have none. */
const ownedKinds: readonly PlanKind[] = ["connector", "pipeline", "flow"];

/** The owner of a new resource: the caller, unless the definition names another user. */
function ownerOf(
  wanted: DesiredResource | undefined,
  kind: PlanKind,
  { context }: Pick<PlanInput, "context">,
): string | null {
  if (!wanted || !ownedKinds.includes(kind)) return null;
  const { created_by } = wanted.initial;
  return typeof created_by === "string" ? created_by : context.actor;
}

function usedTables({ node, action }: Compared, graphs: StepGraphs | undefined): UsedTables {
  if (!graphs) return { reads: [], writes: [], isKnown: false, flowOf: () => undefined };
  const graph = action === "delete" ? graphs.graph : graphs.after();
  return {
    reads: readsOf(graph.lineage(node)),
    writes: graph.writes(node),
    isKnown: !graphs.unread.includes(node),
    flowOf(table) {
      const flow = graph.writers(table).find((writer) => kindOfNode(writer) === "flow");
      return flow === undefined ? undefined : graph.definition(flow);
    },
  };
}

/** Whether the tables that a resource writes may have other columns when the step is done and the resource has run. */
function mayChangeColumns({ step: { kind, action }, changes, live, desired }: PlannedStep): boolean {
  if (action !== "update") return action === "create" || action === "replace";
  // The platform refused the resource, so columns that it added may not exist yet.
  if (changes.length === 0) return true;
  const paths = changes.map(({ path }) => path);
  if (kind === "connector") return paths.some((path) => /^(?:datasets|target_)/.test(path));
  return changedColumns(kind, paths, live?.masked ?? {}, desired?.masked ?? {})?.length !== 0;
}

const shown = ({ path, before, after, sensitive }: FieldChange) => ({ path, before, after, sensitive });

function stayingOf(placed: readonly Placed[], positions: ReadonlyMap<string, number>): StayingResource[] {
  return placed.flatMap(({ node, live, desired, action = "none" }) => {
    const definition = desired ?? (action === "delete" ? undefined : live?.declared);
    if (!definition) return [];
    const before = action === "none" ? undefined : live?.declared.masked;
    const position = positions.get(node) ?? null;
    return [{ node, id: live?.id, definition: definition.masked, before, position }];
  });
}

/** Kinds whose tables the code of other resources may read. */
const madeOf: readonly PlanKind[] = ["connector", "pipeline", "flow"];
const maxUnknown = 20;

const referencesTo = (nodes: readonly string[], own: string) =>
  nodes
    .filter((node) => node !== own)
    .slice(0, maxUnknown)
    .map((node) => ({ kind: kindOfNode(node), name: nameOfNode(node) }));

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

/**
 * The graph of live and planned definitions: a table that is no longer written still has its readers. `isLater`: only
 * of definitions as they will be.
 */
function graphOf(
  placed: readonly Placed[],
  lineages: ReadonlyMap<Definition, Lineage>,
  scope: TableScope,
  isLater = false,
): ResourceGraph {
  return createGraph(entriesOf(placed, lineages, isLater), scope);
}

const entriesOf = (placed: readonly Placed[], lineages: ReadonlyMap<Definition, Lineage>, isLater: boolean) =>
  placed.flatMap(({ node, live, desired, action }) =>
    [
      isLater && (desired || action === "delete") ? undefined : live?.declared.masked,
      desired?.masked,
    ].flatMap((definition) =>
      definition ? [[kindOfNode(node), nameOfNode(node), definition, lineages.get(definition)] as const] : [],
    ),
  );

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

/** Orders the changes: what other resources need comes first; deletions come last, in reverse order. */
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
