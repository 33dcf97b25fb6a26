import { AutomationDefinition } from "@lakehelm/contract";
import type { ValidationError } from "@lakehelm/contract/schema";
import type { ValidationFinding } from "./validation-finding.ts";

/** A definition without the values that do not match the schema. */
export interface MatchingParts {
  readonly definition: AutomationDefinition;
  /** Errors that appear only after those values are left out, such as `schedule` combined with `trigger`. */
  readonly errors: readonly ValidationError[];
  /** Whether a finding is about what the author wrote, not about a value that was left out or replaced. */
  concerns(finding: ValidationFinding): boolean;
}

type Fields = Record<string, unknown>;

/** Findings at these fields of a task do not depend on its kind. */
const ofAnyKind = ["name", "depends_on", "condition"];

/**
 * Leaves out what does not match the schema, so that the rules check the rest: a wrong `kind` must not hide a bad cron
 * expression. Undefined if the value is no map.
 */
export function matchingParts(
  value: unknown,
  misfits: readonly ValidationError[],
): MatchingParts | undefined {
  if (!isFields(value)) return undefined;
  const wrong = new Set(misfits.map(({ loc: [root = ""] }) => root));
  const wrongTasks = new Map<number, Set<string>>();
  let hasTasks = true;
  for (const { loc } of misfits) {
    const [root, at, field = "kind"] = loc;
    if (root !== "tasks") continue;
    if (typeof at === "number") wrongTasks.set(at, (wrongTasks.get(at) ?? new Set()).add(String(field)));
    else hasTasks = false;
  }
  const kept = Object.fromEntries(Object.entries(value).filter(([key]) => !wrong.has(key)));
  const written = hasTasks && Array.isArray(value.tasks) ? value.tasks : [];
  const tasks = written.map((task: unknown, at) => {
    const fields = wrongTasks.get(at);
    return fields ? matchingTask(task, at, fields) : task;
  });
  const errors: ValidationError[] = [];
  const definition = AutomationDefinition.check({ ...kept, tasks }, [], errors);
  const left = errors.filter(({ type }) => type !== "extra_forbidden");
  if (left.some(({ type }) => type !== "value_error")) return undefined;

  return {
    definition,
    errors: left,
    concerns({ path: [root, at, field] }) {
      if (root !== "tasks") return true;
      // Any text of a task may use a parameter.
      if (!hasTasks || wrong.has("parameters")) return false;
      const fields = typeof at === "number" ? wrongTasks.get(at) : undefined;
      if (!fields) return true;
      if (fields.has(String(field))) return false;
      if (fields.has("kind")) return ofAnyKind.includes(String(field));
      return field !== undefined || !["name", "query", "url", "reference"].some((one) => fields.has(one));
    },
  };
}

/** The task without its wrong fields. Only name and kind are required. */
function matchingTask(task: unknown, at: number, wrong: ReadonlySet<string>): Fields {
  const fields = isFields(task) ? task : {};
  const kept = Object.fromEntries(Object.entries(fields).filter(([key]) => !wrong.has(key)));
  return { name: `task-${at + 1}`, kind: "sql", ...kept };
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
