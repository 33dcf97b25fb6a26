import type { DesignFile } from "@lakehelm/codegen";
import type { AutomationDefinition } from "@lakehelm/contract";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import type { Settings } from "../../settings.ts";
import type { FindReleasedCalls } from "./call-graph.ts";
import { sizeProblem } from "./definition.ts";
import { readDefinition } from "./definition-text.ts";
import { triggerFindings } from "./job-trigger.ts";
import { callFindings, type Lookups, referenceFindings } from "./lookups.ts";
import { processFindings } from "./process-tasks.ts";
import { checkStatements, type ScriptCheck } from "./statements.ts";
import { tasksBefore } from "./task-order.ts";
import { missingTriggerTables } from "./trigger-tables.ts";
import { finding, located, type ValidationFinding } from "./validation-finding.ts";

export interface DefinitionCheck {
  /** Each with file, line and column. */
  readonly problems: readonly string[];
  /** The definition, if it has no problem by itself, and the tables of its statements and its trigger. */
  readonly valid?: {
    readonly definition: AutomationDefinition;
    readonly tables: ScriptCheck;
    /** Tables of its trigger that do not exist yet. */
    readonly awaited: readonly string[];
  };
}

interface DefinitionCheckContext {
  readonly lookups: Lookups;
  readonly releasedCalls: FindReleasedCalls;
  readonly alias: string;
  readonly settings: Settings;
  readonly env: EnvironmentContext;
  readonly signal: AbortSignal;
  readonly owner: string;
}

/** Checks the definition by itself, then against existing resources. */
export async function checkDefinition(
  { path, content }: DesignFile,
  maxLength: number,
  { lookups, releasedCalls, alias, settings, env, signal, owner }: DefinitionCheckContext,
): Promise<DefinitionCheck> {
  const { written, definition, parts, findings } = await readDefinition(content, { maxLength, owner });
  const message = located(path, written);
  const checked = definition ?? parts?.definition;
  if (!written || !checked) return { problems: findings.map(message) };

  const references = [
    ...(await referenceFindings(checked, lookups, env)),
    ...processFindings(checked, settings),
    ...(await callFindings(checked, alias, releasedCalls, env)),
    ...triggerFindings(checked, env),
    ...platformFindings(checked, env),
  ].filter((one) => parts?.concerns(one) ?? true);
  const planContext = { plan: lookups.plan, env, signal };
  const tables = await checkStatements(checked, written, planContext, doubtfulTasks(checked, findings));
  if (!definition || findings.length > 0) {
    return { problems: [...findings, ...references, ...tables.findings].map(message) };
  }
  const awaited = await missingTriggerTables(definition, tables.writes, planContext);
  return {
    problems: [...references, ...tables.findings].map(message),
    valid: { definition, tables, awaited },
  };
}

/** Parts of the definition that jobs of this platform cannot run. */
const platformFindings = (definition: AutomationDefinition, { platform }: EnvironmentContext) =>
  (platform.automationProblems?.(definition) ?? []).map(({ message, path }) => finding(message, ...path));

/** The tasks whose statements cannot be planned: tasks with a problem, and all tasks that depend on them. */
function doubtfulTasks(
  { tasks }: AutomationDefinition,
  findings: readonly ValidationFinding[],
): ReadonlySet<string> {
  const names = new Set(tasks.map(({ name }) => name));
  // Any statement may use a parameter, so a parameter with a problem makes all tasks doubtful.
  const hasDoubtfulValues = findings.some(({ path: [root] }) => root === "parameters");
  if (hasDoubtfulValues || sizeProblem({ tasks }) !== undefined) return names;
  const wrong = new Set(
    findings.flatMap(({ path: [root, at] }) =>
      root === "tasks" && typeof at === "number" ? (tasks[at]?.name ?? []) : [],
    ),
  );
  const isAfterWrong = (name: string) =>
    tasksBefore(tasks, name)
      .values()
      .some((one) => wrong.has(one));
  return wrong.size === 0
    ? wrong
    : new Set([...names].filter((name) => wrong.has(name) || isAfterWrong(name)));
}
