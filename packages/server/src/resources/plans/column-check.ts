import {
  type AutomationDefinition,
  type ConsumptionFlowInput,
  exportColumnsRule,
  type PipelineSpec,
  type PlanFinding,
  type PlanKind,
  pipelineSqlRule,
  taskSqlRule,
} from "@lakehelm/contract";
import { suggestion } from "@lakehelm/contract/text";
import type { ExpectedTable, PipelineCode, UpdatePlan } from "@lakehelm/engine";
import type { PipelineProblem } from "@lakehelm/sql/pipelines";
import type { WrittenYaml } from "../../core/yaml/read.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import { fullTableName, requestWarehouse, warehouseScope } from "../../runtime/platforms/warehouse.ts";
import { checkStatements } from "../automations/statements.ts";
import { type Columns, columnsOfFlow } from "../flows/flow-columns.ts";
import { ordered } from "./graph.ts";
import { kindOfNode, nameOfNode } from "./lineage.ts";
import { leftBehindText, type PlanSurroundings, type StayingResource } from "./plan-surroundings.ts";
import { expectedFor, type TableShapes } from "./table-shapes.ts";

/** The planned SQL of a pipeline, and the files that could not be read. */
export type ReadPlannedCode = (
  declared: PipelineSpec,
  id: string | undefined,
  env: EnvironmentContext,
  files: ReadonlyMap<string, string | null>,
) => Promise<{ readonly code: PipelineCode; readonly problems: readonly PipelineProblem[] }>;

export interface ColumnChecks {
  readonly findings: readonly PlanFinding[];
  /** What could not be checked, by the position of the step. */
  readonly unchecked: ReadonlyMap<number, string>;
  readonly shapes: TableShapes;
  /** Flows that read a table which the plan changes, and do not change themselves. */
  readonly affectedFlows: readonly StayingResource[];
  /** Flows in the plan that nothing in the plan changes. */
  readonly keptFlows: readonly StayingResource[];
}

export type CheckColumns = (
  around: PlanSurroundings,
  files: ReadonlyMap<string, string | null>,
  env: () => Promise<EnvironmentContext>,
) => Promise<ColumnChecks>;

/** For all pipelines, tasks and exports of a plan. The engine needs a second to start, and 30 ms for each table. */
const totalMs = 5_000;
/** For the resources that do not change, which are most of a plan. */
const keptMs = 3_000;
const maxKept = 200;
const maxKeptDependencies = 20_000;
const maxChecked = 500;
const maxProblems = 5;
const maxFindings = 200;

/** `isOld`: the problem is there without the plan, too. */
type Found = Pick<PlanFinding, "level" | "message"> & { readonly isOld?: boolean };
type Asked = { readonly env: EnvironmentContext; readonly ended: Promise<never> };

/**
 * Follows the columns of tables through a plan, from changed resources to their readers: pipelines, SQL tasks and
 * exports are checked with the tables as they will be, whether they change themselves or not. Flows are checked with
 * the result.
 */
export const columnChecks =
  (readCode: ReadPlannedCode): CheckColumns =>
  async (around, files, open) => {
    const { graph, changed, stays } = around;
    const byNode = new Map(stays.map((one) => [one.node, one]));
    const shapes: TableShapes = new Map();
    const findings: PlanFinding[] = [];
    const unchecked = new Map<number, string>();
    const affectedFlows: StayingResource[] = [];
    const keptFlows: StayingResource[] = [];
    const env = await open().catch((error: Error) => error);
    const { signal, ended } = endingAfter(totalMs);

    const nodes = nodesToCheck(around).slice(0, maxChecked);
    const isRead = new Set(nodes.flatMap((node) => graph.lineage(node).paths.flatMap(({ reads }) => reads)));
    for (const node of nodes) {
      const one = byNode.get(node);
      if (!one) continue;
      const isChanged = changed.has(node);
      const expected = expectedFor(node, graph, shapes);
      const isAffected = expected.some(({ name }) => shapes.has(name));
      if (!isChanged && !isAffected) continue;
      try {
        if (env instanceof Error) throw env;
        const context = { one, expected, isChanged, around, files, asked: { env, ended } };
        switch (kindOfNode(node)) {
          case "pipeline":
            await checkPipeline(context);
            break;
          case "flow":
            if (graph.writes(node).some((table) => isRead.has(table)))
              shapes.set(...(await flowShapeOf(one, context.asked)));
            if (!isChanged) affectedFlows.push(one);
            break;
          case "automation":
            add(context, taskSqlRule, await taskProblems(context));
            break;
          case "connector":
            add(context, exportColumnsRule, exportProblems(context));
        }
      } catch (error) {
        for (const table of graph.writes(node)) shapes.set(table, null);
        const why = signal.aborted
          ? `the warehouse did not answer within ${totalMs / 1000} seconds.`
          : (error as Error).message;
        if (kindOfNode(node) === "flow") continue;
        // A resource without a step is reported at the first step that affects it.
        const first = nodes.map((each) => byNode.get(each)?.position ?? null).find((at) => at !== null);
        if (one.position !== null) unchecked.set(one.position, `Its SQL, because ${why}`);
        else if (typeof first === "number")
          unchecked.set(first, `The SQL of ${kindOfNode(node)} ${nameOfNode(node)}, because ${why}`);
      }
    }
    await checkKept();
    return { findings: findings.slice(0, maxFindings), unchecked, shapes, affectedFlows, keptFlows };

    /** Checks resources that nothing in the plan changes: an earlier change may have broken them. */
    async function checkKept(): Promise<void> {
      if (env instanceof Error || !env.platform.expectsTables) return;
      const limit = endingAfter(keptMs);
      let left = maxKept;
      for (const node of keptNodes(around, nodes)) {
        const one = byNode.get(node) as StayingResource;
        left -= 1;
        if (left < 0 || limit.signal.aborted) {
          const why = `Whether it can still run: a plan looks at ${maxKept} resources that do not change, for ${keptMs / 1000} seconds at most.`;
          if (one.position !== null) unchecked.set(one.position, why);
          continue;
        }
        const expected = expectedFor(node, graph, shapes);
        const asked = { env, ended: limit.ended };
        const context = { one, expected, isChanged: false, isKept: true, around, files, asked } as const;
        try {
          const kind = kindOfNode(node);
          if (kind === "pipeline") await checkPipeline(context);
          else if (kind === "flow") keptFlows.push(one);
          else if (kind === "automation") add(context, taskSqlRule, await taskProblems(context));
          else if (kind === "connector") add(context, exportColumnsRule, exportProblems(context));
        } catch {
          // The plan does not depend on this check.
        }
      }
    }

    function add(context: CheckContext, policy: string, found: readonly Found[]): void {
      const { node, position } = context.one;
      const about = { policy, position, kind: kindOfNode(node), name: nameOfNode(node) };
      const why = context.isChanged ? "" : causeText(context, shapes);
      for (const { level, message, isOld } of found.slice(0, maxProblems))
        findings.push({
          ...about,
          level: position === null || isOld || context.isKept ? "warn" : level,
          message: `${message}${isOld || context.isKept ? leftBehind : why}`,
        });
    }

    async function checkPipeline(context: CheckContext): Promise<void> {
      const { one, isChanged, asked } = context;
      const own = new Set(graph.writes(one.node));
      for (const table of own) shapes.set(table, null);
      const { platform } = asked.env;
      if (!platform.warehouse?.pipelinePlan || !platform.expectsTables)
        return notChecked(
          one,
          `Its SQL, because the platform ${platform.name} cannot check it before it runs.`,
        );
      const read = await readCode(one.definition as unknown as PipelineSpec, one.id, asked.env, files);
      const plan = (expected: readonly ExpectedTable[]) => planOf(read.code, expected, asked);
      if (read.problems.length > 0)
        return add(
          context,
          pipelineSqlRule,
          read.problems.map((problem) => ({ level: "warn", message: placed(problem) })),
        );
      const { problems, resume = [], tables, unknown = [] } = await plan(context.expected);
      const hasBefore = !isChanged && !context.isKept && problems.length > 0;
      const before = context.isKept
        ? problems.map(placed)
        : hasBefore
          ? (await plan([])).problems.map(placed)
          : [];
      const later = new Set(resume.map(placed));
      const added = problems.filter((problem) => !before.includes(placed(problem)));
      const isLater = (problem: PipelineProblem) =>
        missingTable.test(problem.message) && around.hasUnknownTables;
      if (added.some(isLater)) notChecked(one, "Tables that a pipeline may make whose tables are not known.");
      const levelOf = (problem: PipelineProblem) =>
        later.has(placed(problem)) || missingTable.test(problem.message) || takenName.test(problem.message)
          ? "warn"
          : "deny";
      add(
        context,
        pipelineSqlRule,
        added
          .filter((problem) => !isLater(problem))
          .map((problem) => ({ level: levelOf(problem), message: placed(problem) })),
      );
      add(
        context,
        pipelineSqlRule,
        (one.position === null ? [] : problems)
          .filter(
            (problem) => !added.includes(problem) && !takenName.test(problem.message) && !isLater(problem),
          )
          .map((problem) => ({ level: "warn", message: placed(problem), isOld: true })),
      );
      for (const { name, kind, columns } of tables) {
        if (kind === "statement" || !own.has(name)) continue;
        const typed = columns.flatMap(({ name: column, type }) =>
          type === null ? [] : [{ name: column, type }],
        );
        shapes.set(name, typed.length === columns.length ? typed : null);
      }
      if (isChanged && around.unknown.length > 0) {
        const named = around.unknown
          .slice(0, maxProblems)
          .map((node) => `${kindOfNode(node)} ${nameOfNode(node)}`);
        notChecked(
          one,
          `What reads its tables, because it is not known which tables these read: ${named.join(", ")}.`,
        );
      }
      if (unknown.length > 0 && isChanged)
        notChecked(
          one,
          `What reads ${unknown.slice(0, maxProblems).join(", ")}, whose columns nobody knows before the first run.`,
        );
    }

    function notChecked({ position }: StayingResource, why: string): void {
      if (position !== null) unchecked.set(position, why);
    }
  };

/** A missing table may still be created elsewhere before the next run. */
const missingTable = /^there is no table/;
/** A table with this name may still be dropped before the next run. */
const takenName = /^the (?:table|view) .* already exists/;

const leftBehind = ` ${leftBehindText}`;

function endingAfter(ms: number) {
  const signal = AbortSignal.timeout(ms);
  const ended = new Promise<never>((_, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true }),
  );
  ended.catch(() => undefined);
  return { signal, ended };
}

interface CheckContext {
  readonly one: StayingResource;
  readonly expected: readonly ExpectedTable[];
  readonly isChanged: boolean;
  /** Nothing in the plan changes the resource, or the tables that it reads. */
  readonly isKept?: boolean;
  readonly around: PlanSurroundings;
  readonly files: ReadonlyMap<string, string | null>;
  readonly asked: Asked;
}

/** The changed resources and their direct and indirect readers, in the order of the data. */
function nodesToCheck({ graph, changed }: PlanSurroundings): readonly string[] {
  const nodes = new Set(changed);
  for (const node of changed) {
    if (!["pipeline", "flow"].includes(kindOfNode(node))) continue;
    for (const { kind, name } of graph.downstream(node, null, { withTables: false }))
      nodes.add(`${kind}/${name}`);
  }
  return ordered([...nodes], (node) => graph.upstream(node).keys()).order;
}

/** The other resources of the plan, in the order of the data. */
function keptNodes({ graph, stays }: PlanSurroundings, others: readonly string[]): readonly string[] {
  const isOther = new Set(others);
  const kept = stays.flatMap(({ node, position }) =>
    position !== null && codeKinds.includes(kindOfNode(node)) && !isOther.has(node) ? [node] : [],
  );
  // Many readers of a table times many writers would block the main thread.
  let left = maxKeptDependencies;
  const some: string[] = [];
  for (const node of kept) {
    left -= 1 + graph.dependencies(node);
    if (left < 0) break;
    some.push(node);
  }
  return [...ordered(some, (node) => graph.upstream(node).keys()).order, ...kept.slice(some.length)];
}

/** Kinds that read tables. */
const codeKinds: readonly PlanKind[] = ["pipeline", "flow", "automation", "connector"];

/** Names the change of the plan that causes a problem of a resource that does not change. */
function causeText(
  { one: { node }, expected, around: { graph, changed } }: CheckContext,
  shapes: TableShapes,
): string {
  for (const { name } of expected) {
    if (!shapes.has(name)) continue;
    const writers = graph.writers(name).filter((writer) => writer !== node);
    const writer = writers.find((one) => changed.has(one)) ?? writers[0];
    if (writer !== undefined)
      return ` It does not change in this plan, but ${kindOfNode(writer)} ${nameOfNode(writer)}, which writes ${name}, will.`;
  }
  return "";
}

/**
 * Sent without an abort signal: an engine that is too busy to stop an aborted request would be killed with its runs.
 */
const planOf = (
  code: PipelineCode,
  expected: readonly ExpectedTable[],
  { env, ended }: Asked,
): Promise<UpdatePlan> =>
  Promise.race([
    requestWarehouse(env, "pipelinePlan", { ...code, expected }, new AbortController().signal),
    ended,
  ]);

const placed = ({ path, line, column, message }: PipelineProblem): string =>
  `${path}:${line}:${column}: ${message}`;

async function flowShapeOf(
  { definition, before }: StayingResource,
  { env, ended }: Asked,
): Promise<[string, Columns | null]> {
  const scope = warehouseScope(env);
  const after = definition as unknown as ConsumptionFlowInput;
  const table = fullTableName(after.target_name, scope);
  const former = before as unknown as ConsumptionFlowInput | undefined;
  const isMoved = former && fullTableName(former.target_name, scope) !== table;
  const columns = await Promise.race([columnsOfFlow(after, isMoved ? undefined : former, env), ended]);
  return [table, columns ?? null];
}

/** A plan has no text of the definition: a problem names its line in the query. */
const nowhere: WrittenYaml = {
  value: null,
  positionOf: () => ({ line: 1, column: 1 }),
  positionOfKey: () => ({ line: 1, column: 1 }),
  positionIn: () => undefined,
};

async function taskProblems({
  one,
  expected,
  isChanged,
  isKept = false,
  asked: { env, ended },
}: CheckContext): Promise<Found[]> {
  const { definition } = one.definition as { definition?: AutomationDefinition };
  if (!definition || !env.platform.expectsTables) return [];
  const check = (tables: readonly ExpectedTable[]) =>
    Promise.race([
      checkStatements(definition, nowhere, {
        plan: (at, { sql, parameters }, signal) =>
          requestWarehouse(
            at,
            "scriptPlan",
            { scope: warehouseScope(at), sql, parameters, expected: tables },
            signal,
          ),
        env,
        signal: new AbortController().signal,
      }),
      ended,
    ]);
  const { findings } = await check(expected);
  const hasBefore = !isChanged && !isKept && findings.length > 0;
  const before = hasBefore ? (await check([])).findings.map(({ message }) => message) : [];
  return findings.flatMap(({ message }): Found[] => {
    const isMissing = /there is no table/.test(message);
    const isOld = isKept || before.includes(message);
    // Other tasks may make the table.
    if (isOld && (isMissing || one.position === null)) return [];
    return [{ level: isMissing ? "warn" : "deny", message, isOld }];
  });
}

interface ExportedDataset {
  readonly source_dataset?: string;
  readonly primary_keys?: readonly string[] | null;
  readonly watermark_column?: string | null;
  readonly policy?: { readonly watermark_column?: string | null };
}

/** Columns that an export names and its table will not have. */
function exportProblems({ one: { definition }, expected, asked: { env } }: CheckContext): Found[] {
  if (definition.target_type === "warehouse" || !Array.isArray(definition.datasets)) return [];
  const scope = warehouseScope(env);
  return (definition.datasets as readonly ExportedDataset[]).flatMap((dataset, at): Found[] => {
    const table = fullTableName(dataset.source_dataset ?? "", scope);
    const columns = expected.find(({ name }) => name === table)?.columns;
    if (!columns) return [];
    const names = columns.map(({ name }) => name);
    const used = [
      ...(dataset.primary_keys ?? []),
      dataset.watermark_column ?? dataset.policy?.watermark_column ?? "",
    ];
    return used
      .filter((column) => column !== "" && !names.some((name) => name.toLowerCase() === column.toLowerCase()))
      .map((column) => ({
        level: "deny",
        message: `datasets[${at}]: ${table} will have no column ${column}.${suggestion(column, names)}`,
      }));
  });
}
