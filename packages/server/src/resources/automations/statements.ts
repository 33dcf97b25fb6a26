import type { AutomationDefinition } from "@lakehelm/contract";
import { trimEnd } from "@lakehelm/contract/text";
import type { ScriptPlan } from "@lakehelm/engine";
import { Problem } from "../../core/errors.ts";
import type { WrittenYaml } from "../../core/yaml/read.ts";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import { requestWarehouse, warehouseScope } from "../../runtime/platforms/warehouse.ts";
import type { Lookups } from "./lookups.ts";
import { type Script, sampledScript, sampleValues, withPlaceholders } from "./sampled-script.ts";
import { inOrder, tasksBefore } from "./task-order.ts";
import { finding, type ValidationFinding } from "./validation-finding.ts";

export interface ScriptCheck {
  readonly findings: readonly ValidationFinding[];
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

export interface PlanContext {
  readonly plan: Lookups["plan"];
  readonly env: EnvironmentContext;
  readonly signal: AbortSignal;
}

/**
 * Checks the statements of sql tasks against the catalog. Tables that do not exist yet may be created by earlier sql
 * tasks: then the scripts are planned together. Tasks in `skipped` are not planned.
 */
export async function checkStatements(
  { tasks, parameters }: AutomationDefinition,
  written: WrittenYaml,
  { plan, env, signal }: PlanContext,
  skipped: ReadonlySet<string> = new Set(),
): Promise<ScriptCheck> {
  const values = sampleValues(parameters, env.environment.name);
  const planned = (script: Script) => orProblem(plan(env, script, signal));
  const findings: ValidationFinding[] = [];
  const reads = new Set<string>();
  const writes = new Set<string>();
  const writers: TableWriter[] = [];
  for (const task of inOrder(tasks)) {
    const query = ["tasks", tasks.indexOf(task), "query"];
    const own = task.kind === "sql" && !skipped.has(task.name) ? sampledScript(task, values) : undefined;
    if (own && "problem" in own) {
      findings.push(finding(`Task "${task.name}": ${own.problem}`, ...query));
      continue;
    }
    const alone = own && (await planned(own));
    if (!own || !alone) continue;
    const before = tasksBefore(tasks, task.name);
    const earlier = writers.filter(({ name }) => before.has(name));
    const together =
      alone.problems.length > 0 && earlier.length > 0 ? await plannedAfter(earlier, own, planned) : alone;
    for (const table of together.reads) reads.add(table);
    for (const table of together.writes) writes.add(table);
    if (together.writes.length > 0) writers.push({ name: task.name, script: own, writes: together.writes });
    const problems = together.problems.map((problem) => withPlaceholders(problem, own, values));
    findings.push(...problems.map((problem) => inQuery(task.name, query, problem, written)));
  }
  return { findings, reads: [...reads].sort(), writes: [...writes].sort() };
}

/** A script that creates or changes tables. */
interface TableWriter {
  readonly name: string;
  readonly script: Script;
  readonly writes: readonly string[];
}

/** The plan of a script after others, with its own problems only. */
async function plannedAfter(
  earlier: readonly TableWriter[],
  own: Script,
  planned: (script: Script) => Promise<ScriptPlan | undefined>,
): Promise<ScriptPlan> {
  const catalogs = new Set(earlier.flatMap(({ writes }) => writes.map((table) => table.split(".")[0])));
  // A script writes to one catalog: tables created in several catalogs cannot be planned together.
  if (catalogs.size > 1) return unknown;
  const script = joined([...earlier.map((one) => one.script), own]);
  const { problems, ...tables } = (await planned(script)) ?? unknown;
  const linesBefore = linesOf(script) - linesOf(own);
  return {
    ...tables,
    problems: problems
      .filter(({ line }) => line > linesBefore)
      .map((problem) => ({ ...problem, line: problem.line - linesBefore })),
  };
}

const unknown: ScriptPlan = { problems: [], reads: [], writes: [] };

const linesOf = ({ sql }: Script) => sql.split("\n").length;

function inQuery(
  task: string,
  query: ValidationFinding["path"],
  { message, ...inner }: ScriptPlan["problems"][number],
  written: WrittenYaml,
): ValidationFinding {
  const position = written.positionIn(query, inner);
  const where = position ? "" : ` (line ${inner.line}, column ${inner.column} of its query)`;
  return { ...finding(`Task "${task}": ${message}${where}`, ...query), position };
}

/** An error from planning a script is a problem of the script, too. */
async function orProblem(pending: Promise<ScriptPlan | undefined>): Promise<ScriptPlan | undefined> {
  try {
    return await pending;
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== "conflict") throw error;
    return { ...unknown, problems: [{ line: 1, column: 1, message: error.message }] };
  }
}

/** Plans a script on the warehouse of an environment without running it. */
export const planScript: Lookups["plan"] = async (env, { sql, parameters }, signal) =>
  env.platform.warehouse?.scriptPlan &&
  (await requestWarehouse(env, "scriptPlan", { scope: warehouseScope(env), sql, parameters }, signal));

const joined = (scripts: readonly Script[]): Script => ({
  sql: scripts
    .map(({ sql }, at) => (at < scripts.length - 1 ? `${trimEnd(sql, /[;\s]/)}\n;\n` : sql))
    .join(""),
  parameters: Object.assign({}, ...scripts.map(({ parameters }) => parameters)),
});
