import type { AutomationTask } from "@lakehelm/contract";
import { encodeJson } from "@lakehelm/contract/schema";
import type { ScriptPlan } from "@lakehelm/engine";
import type { Position } from "../../core/yaml/parse.ts";
import { boundQuery } from "./execution/bound-query.ts";
import { PermanentError } from "./execution/permanent-error.ts";
import { placeholderAsName } from "./task-query.ts";
import { fillTree, placeholdersIn, type TemplateValues, UnfilledPlaceholder } from "./templates.ts";

type ScriptProblem = ScriptPlan["problems"][number];

/** Statements, and the values of their `:name` parameters. */
export interface Script {
  readonly sql: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A script with values in place of its placeholders. */
interface SampledScript extends Script {
  /** The placeholder for each generated parameter name. */
  readonly generated: ReadonlyMap<string, string>;
  /** Maps a position to the original query. */
  originalPosition(position: Position): Position;
}

/**
 * The script as it will run, or why it cannot be filled. Outputs of other tasks are unknown: each is filled with null,
 * which is valid everywhere.
 */
export function sampledScript(
  { query, parameters }: AutomationTask,
  values: TemplateValues,
): SampledScript | { readonly problem: string } | undefined {
  if (!query) return undefined;
  const used = placeholdersIn(`${query}\n${encodeJson(parameters)}`);
  const unknown = nullsAt(used.map(({ path }) => path));
  const sample = { ...values, tasks: unknown.tasks, item: unknown.item };
  try {
    const { sql, parameters: filled, generated, originalOffset } = boundQuery(query, sample);
    const own = Object.entries(parameters).map(([name, value]) => [name, fillTree(value, sample)]);
    const originalPosition = (position: Position) =>
      positionAt(query, originalOffset(offsetOf(sql, position)));
    return { sql, parameters: { ...Object.fromEntries(own), ...filled }, generated, originalPosition };
  } catch (error) {
    if (error instanceof PermanentError || error instanceof UnfilledPlaceholder)
      return { problem: error.message };
    throw error;
  }
}

const offsetOf = (text: string, { line, column }: Position) =>
  text
    .split("\n")
    .slice(0, line - 1)
    .reduce((offset, before) => offset + before.length + 1, column - 1);

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}

/** A message about a script, with generated names and values replaced by their placeholders. */
export function withPlaceholders(
  problem: ScriptProblem,
  script: SampledScript,
  { run }: TemplateValues,
): ScriptProblem {
  const parameter = parameterAt(script.sql, problem);
  const message =
    parameter && isInternal(problem.message, parameter)
      ? placeholderAsName(script.generated.get(parameter.slice(1)) ?? parameter)
      : problem.message.replaceAll(run.id, "{{run.id}}").replaceAll(run.time, "{{run.time}}");
  return { ...script.originalPosition(problem), message };
}

/** The `:name` at a position of a script. */
const parameterAt = (sql: string, { line, column }: Position): string | undefined =>
  /^:[A-Za-z_]\w*/.exec(sql.split("\n")[line - 1]?.slice(column - 1) ?? "")?.[0];

/** Whether a message is about a generated parameter: the SQL parser sees zeros in its place. */
const isInternal = (message: string, parameter: string) =>
  message.includes("0".repeat(parameter.length)) ||
  message.includes("found :") ||
  message.includes(parameter.slice(1));

/** `{ tasks: { count: { value: null } } }` for `tasks.count.value`; the same for items. */
function nullsAt(paths: readonly (readonly string[])[]): Pick<TemplateValues, "tasks" | "item"> {
  const roots: Record<string, unknown> = { tasks: {}, item: null };
  for (const path of paths) {
    if (path[0] !== "tasks" && path[0] !== "item") continue;
    let inner = roots;
    for (const [depth, step] of path.entries()) {
      const existing = Object.hasOwn(inner, step) ? inner[step] : undefined;
      const isLast = depth === path.length - 1;
      const next = isMap(existing) ? existing : isLast ? null : {};
      inner[step] = next;
      if (next) inner = next;
    }
  }
  return { tasks: roots.tasks as TemplateValues["tasks"], item: roots.item };
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** The values that a run would have, except for those of its tasks. */
export const sampleValues = (
  parameters: TemplateValues["parameters"],
  environment: string,
): TemplateValues => ({
  parameters,
  tasks: {},
  run: { id: "00000000-0000-7000-8000-000000000000", time: "2026-01-01T00:00:00.000Z" },
  environment: { name: environment },
});
