import { flowSqlRule, type PlanFinding, type PlanStep } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import { suggestion } from "@lakehelm/contract/text";
import type { ExpectedTable, FlowFinding } from "@lakehelm/engine";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import { generationContextOf } from "../../runtime/platforms/generation-context.ts";
import { describeTable } from "../../runtime/platforms/table-metadata.ts";
import { fullTableName, warehouseScope } from "../../runtime/platforms/warehouse.ts";
import type { CodeGenerator } from "../codegen/generator.ts";
import type { Columns } from "../flows/flow-columns.ts";
import type { DeclaredDefinition, Definition } from "../planned-definition.ts";
import type { ColumnChecks } from "./column-check.ts";
import { kindOfNode, lineageOf, nameOfNode, nodeOf, readsOf, writesOf } from "./lineage.ts";
import { leftBehindText, type PlanSurroundings, type StayingResource } from "./plan-surroundings.ts";
import { expectedFor, type TableShapes } from "./table-shapes.ts";

/** A step, and the definition that it leads to. */
interface FlowStep {
  readonly step: Pick<PlanStep, "kind" | "action" | "name"> & { readonly position: number | null };
  readonly desired?: Pick<DeclaredDefinition, "masked"> | undefined;
  /** The flow does not change itself: it is `affected` by changes of the plan, or `alone`. */
  readonly kept?: "affected" | "alone";
}

interface FlowChecks {
  readonly findings: readonly PlanFinding[];
  /** What could not be checked, by the position of the step. */
  readonly unchecked: ReadonlyMap<number, string>;
  /** What the warehouse knows about the tables that the flows write, by the position of the step. */
  readonly targets: ReadonlyMap<number, FlowTarget>;
}

type FlowTarget = NonNullable<FlowFinding["target"]>;

export type CheckFlows = (
  steps: readonly FlowStep[],
  around: () => PlanSurroundings,
  env: () => Promise<EnvironmentContext>,
  columns: Pick<ColumnChecks, "shapes" | "affectedFlows" | "keptFlows">,
) => Promise<FlowChecks>;

/** For all flows of a plan together. The engine needs a second to start, and then milliseconds for each flow. */
const totalMs = 10_000;
/** For the flows that do not change. */
const keptMs = 3_000;
const maxFlows = 200;
const maxProblems = 5;
const maxFindings = 200;
const maxCompared = 500;

type Described = Awaited<ReturnType<typeof describeTable>>;

/**
 * Whether the flows that a plan creates or changes can run: their SELECTs are analyzed with the columns in the
 * platform's catalog, and then planned by its warehouse, as an apply would do. No rows are read. Flows that do not
 * change come last.
 */
export const flowChecks =
  (generator: CodeGenerator): CheckFlows =>
  async (steps, surroundings, open, { shapes, affectedFlows, keptFlows }) => {
    const flows: readonly FlowStep[] = [
      ...steps.filter(
        ({ step: { kind, action } }) => kind === "flow" && action !== "none" && action !== "delete",
      ),
      ...affectedFlows.map((one) => keptFlow(one, "affected")),
      ...keptFlows.map((one) => keptFlow(one, "alone")),
    ];
    const findings: PlanFinding[] = [];
    const unchecked = new Map<number, string>();
    const targets = new Map<number, FlowTarget>();
    if (flows.length === 0) return { findings, unchecked, targets };
    const env = await open().catch((error: Error) => error);
    const refusal = refusalOf(env);
    const signal = AbortSignal.timeout(totalMs);
    const ended = ending(signal);
    const asked =
      env instanceof Error
        ? undefined
        : { env, generator, signal, ended, shapes, tables: tableLookup(env, ended) };
    const around = surroundings();
    let aloneSince: number | undefined;
    for (const [at, flow] of flows.entries()) {
      const { position, name } = flow.step;
      if (flow.kept === "alone") {
        aloneSince ??= performance.now();
        if (at >= maxFlows || performance.now() - aloneSince > keptMs) {
          const why = `Whether it can still run: a plan looks at ${maxFlows} flows, and at those that do not change for ${keptMs / 1000} seconds at most.`;
          if (position !== null) unchecked.set(position, why);
          continue;
        }
      }
      const {
        problems,
        unchecked: why,
        target,
      }: CheckedFlow = refusal !== undefined || !asked
        ? { problems: [], unchecked: refusal }
        : at < maxFlows
          ? await checkFlow(flow, around, asked)
          : { problems: [], unchecked: `Its SQL, because a plan checks at most ${maxFlows} flows.` };
      if (why !== undefined && position !== null) unchecked.set(position, why);
      if (target && position !== null) targets.set(position, target);
      const about = { policy: flowSqlRule, position, kind: "flow" as const, name };
      findings.push(...problems.map((one) => ({ ...about, ...one })));
    }
    return { findings: findings.toSorted(deniesFirst).slice(0, maxFindings), unchecked, targets };
  };

const keptFlow = (
  { node, definition, position }: StayingResource,
  kept: NonNullable<FlowStep["kept"]>,
): FlowStep => ({
  step: { kind: "flow", action: "none", name: nameOfNode(node), position },
  desired: { masked: definition },
  kept,
});

/** Why no flow can be checked; undefined: flows can be checked. */
function refusalOf(env: EnvironmentContext | Error): string | undefined {
  if (env instanceof Error) return `Its SQL. ${env.message}`;
  if (env.platform.warehouse?.catalog) return undefined;
  return `Its SQL, because the platform ${env.platform.name} does not say which tables and columns there are.`;
}

const deniesFirst = (one: PlanFinding, other: PlanFinding) =>
  Number(other.level === "deny") - Number(one.level === "deny");

interface Asked {
  readonly env: EnvironmentContext;
  readonly generator: CodeGenerator;
  readonly tables: (name: Parameters<typeof describeTable>[2]) => Promise<Described>;
  readonly signal: AbortSignal;
  readonly shapes: TableShapes;
  /** Rejects when the time is over. */
  readonly ended: Promise<never>;
}

interface CheckedFlow {
  readonly problems: readonly Pick<PlanFinding, "level" | "message">[];
  readonly unchecked?: string | undefined;
  readonly target?: FlowTarget | undefined;
}

async function checkFlow(flow: FlowStep, around: PlanSurroundings, asked: Asked): Promise<CheckedFlow> {
  const definition = flow.desired?.masked ?? {};
  const { env, signal, ended } = asked;
  const missing: string[] = [];
  const expected = env.platform.expectsTables
    ? expectedFor(nodeOf("flow", flow.step.name), around.graph, asked.shapes)
    : [];
  try {
    signal.throwIfAborted();
    const found = (tables: readonly ExpectedTable[], unknown: string[] = []) =>
      Promise.race([problemsOf(definition, asked, unknown, tables), ended]);
    const { errors, target } = await found(expected, missing);
    if (flow.kept) {
      const isAlone = flow.kept === "alone";
      const before = isAlone ? errors : errors.length === 0 ? [] : (await found([])).errors;
      const isInPlan = flow.step.position !== null;
      const problems = errors.flatMap((message): CheckedFlow["problems"] => {
        if (!before.includes(message)) {
          const why = "It does not change in this plan, but a table that it reads will.";
          return [{ level: isInPlan ? "deny" : "warn", message: `${message} ${why}` }];
        }
        return isInPlan ? [{ level: "warn", message: `${message} ${leftBehindText}` }] : [];
      });
      return { problems: problems.slice(0, maxProblems) };
    }
    const level = levelOf(flow, definition, around, asked);
    return {
      problems: [
        ...errors.slice(0, maxProblems).map((message) => ({ ...level, message: `${message}${level.why}` })),
        ...unknownTables(definition, missing, around, env),
      ].map(({ level, message }) => ({ level, message })),
      unchecked: notYet(flow, missing, around),
      target,
    };
  } catch (error) {
    const why = signal.aborted
      ? `the warehouse did not answer within ${totalMs / 1000} seconds.`
      : error instanceof Stopped
        ? error.message
        : `the warehouse could not be queried. ${(error as Error).message}`;
    return { problems: [], unchecked: `Its SQL, because ${why}` };
  }
}

/**
 * A limit of the generator was reached. A plan is not refused for that: the time includes waiting for the catalog, and
 * an apply generates again, without the columns.
 */
class Stopped extends Error {}

/** Why the flow cannot run. `missing` gets the tables that it reads and that are not there. */
async function problemsOf(
  definition: Definition,
  asked: Asked,
  missing: string[],
  expected: readonly ExpectedTable[],
): Promise<{ readonly errors: readonly string[]; readonly target?: FlowTarget | undefined }> {
  const { env, generator, tables, signal } = asked;
  const generation = generationContextOf(env.environment);
  if ("errors" in generation) return { errors: generation.errors };
  const scope = warehouseScope(env);
  const own = writesOf(lineageOf("flow", definition, scope));
  const result = await generator.generate(
    {
      generator: "generateConsumption",
      bytes: Buffer.from(encodeJson(definition)),
      contentType: "application/json",
      context: generation.context,
    },
    async (table) => {
      const name = fullTableName(`${table.catalog}.${table.schema}.${table.table}`, scope);
      const later = expected.find((one) => one.name === name)?.columns;
      const known = later ? withColumns(await tables(table), later) : await tables(table);
      if (!known && !own.includes(name)) missing.push(name);
      return known;
    },
  );
  signal.throwIfAborted();
  if (!("text" in result)) throw new Error("the definition could not be read.");
  if (result.stopped !== undefined) throw new Stopped(`code generation ${result.stopped} and was stopped.`);
  const { errors } = JSON.parse(result.text) as { readonly errors: readonly string[] };
  const plan = env.platform.warehouse?.flowPlan;
  if (errors.length > 0 || !plan) return { errors };
  // Sent without the signal of the plan: an engine that is too busy to stop an aborted request would be killed with its
  // runs.
  const { problem, target } = await plan(
    { scope, flow: definition, expected },
    { signal: new AbortController().signal },
  );
  return { errors: problem === null ? [] : [problem], target };
}

/** The description of a table with other columns. */
const withColumns = (known: Described, columns: Columns): Described => ({
  ...known,
  columns: Object.fromEntries(columns.map(({ name, type }) => [name, { ...known?.columns[name], type }])),
});

/** Columns and tables of a catalog, each asked for once. */
function tableLookup({ platform, environment }: EnvironmentContext, ended: Promise<never>): Asked["tables"] {
  const known = new Map<string, Promise<Described>>();
  return (name) =>
    known.getOrInsertComputed(`${name.catalog}.${name.schema}.${name.table}`.toLowerCase(), () =>
      Promise.race([describeTable(platform, environment.id, name), ended]),
    );
}

function ending(signal: AbortSignal): Promise<never> {
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
  // If no check is waiting, the rejection must not count as unhandled.
  ended.catch(() => undefined);
  return ended;
}

/** A problem may be solved by another step: one that changes a table which the flow reads. */
function levelOf(
  { step: { name } }: FlowStep,
  definition: Definition,
  { graph, changed }: PlanSurroundings,
  { env, shapes }: Asked,
): { readonly level: PlanFinding["level"]; readonly why: string } {
  const self = nodeOf("flow", name);
  for (const table of readsOf(lineageOf("flow", definition, warehouseScope(env)))) {
    // The future columns of this table are known, so its writer does not matter.
    if (env.platform.expectsTables && shapes.get(table)) continue;
    const writer = graph.writers(table).find((node) => node !== self && changed.has(node));
    if (writer === undefined) continue;
    const which = `${kindOfNode(writer)} ${nameOfNode(writer)}`;
    const why = ` The plan also changes ${which}, which writes ${table}: run that first if the apply stops here.`;
    return { level: "warn", why };
  }
  return { level: "deny", why: "" };
}

/** Tables that exist nowhere, and that nothing would make: probably misspelled. A flow that waits for a table is valid. */
function unknownTables(
  { source_tables }: Definition,
  missing: readonly string[],
  { graph, hasUnknownTables }: PlanSurroundings,
  env: EnvironmentContext,
): Pick<PlanFinding, "level" | "message">[] {
  if (hasUnknownTables) return [];
  const scope = warehouseScope(env);
  const names = Array.isArray(source_tables)
    ? source_tables.map((one) => fullTableName(String(one), scope))
    : [];
  return missing
    .filter((table) => graph.writers(table).length === 0)
    .slice(0, maxProblems)
    .map((table) => {
      const field = `source_tables[${names.indexOf(table)}]`;
      // Comparing one with ten thousand others takes a tenth of a second.
      const close = suggestion(table, graph.tables().take(maxCompared));
      const message = `${field}: there is no table ${table}, and nothing in the project or the environment writes it.${close}`;
      return { level: "warn", message };
    });
}

function notYet(
  { step: { name } }: FlowStep,
  missing: readonly string[],
  { graph, hasUnknownTables }: PlanSurroundings,
): string | undefined {
  const self = nodeOf("flow", name);
  for (const table of missing) {
    const writer = graph.writers(table).find((node) => node !== self);
    if (writer !== undefined)
      return `The columns of ${table}, which does not exist yet: ${kindOfNode(writer)} ${nameOfNode(writer)} writes it.`;
    if (hasUnknownTables)
      return `The columns of ${table}, which does not exist yet: a pipeline whose tables are not known may write it.`;
  }
  return undefined;
}
