import type { AutomationTask } from "@lakehelm/contract";
import { hasFailed, isOver, type TaskState } from "./task-state.ts";

type Tasks = readonly Pick<AutomationTask, "name" | "depends_on">[];
type States = (name: string) => Pick<TaskState, "status" | "reason">;

/** The decision about a waiting task. */
type TaskReadiness = "wait" | "run" | { readonly skipped: "upstream_failed" | "run_if" };

/** All dependencies must have ended; then `run_if` decides. */
export function readinessOf(
  { depends_on, run_if }: Pick<AutomationTask, "depends_on" | "run_if">,
  of: States,
): TaskReadiness {
  const before = depends_on.map(of);
  if (!before.every(isOver)) return "wait";
  const failed = before.some(hasFailed);
  if (before.length === 0 || holds(run_if, before)) return "run";
  // A task that waits for a failure, and is skipped because there was none, does not count as failed.
  return { skipped: failed && run_if !== "at_least_one_failed" ? "upstream_failed" : "run_if" };
}

function holds(run_if: AutomationTask["run_if"], before: readonly ReturnType<States>[]): boolean {
  switch (run_if) {
    case "all_success":
      return before.every(({ status }) => status === "succeeded");
    case "at_least_one_success":
      return before.some(({ status }) => status === "succeeded");
    case "at_least_one_failed":
      return before.some(hasFailed);
    case "none_failed":
      return !before.some(hasFailed);
    case "all_done":
      return true;
  }
}

/**
 * The tasks that make the run fail: leaf tasks that failed, or were skipped because of an earlier failure. A failure
 * that another task handles (`run_if`) successfully does not fail the run.
 */
export function unhandled(tasks: Tasks, of: States): string[] {
  const awaited = new Set(tasks.flatMap(({ depends_on }) => depends_on));
  return tasks.filter(({ name }) => !awaited.has(name) && hasFailed(of(name))).map(({ name }) => name);
}

/** The root causes for the run's error: follows dependencies back as far as they failed. */
export function rootsOf(names: readonly string[], tasks: Tasks, of: States): string[] {
  const dependencies = new Map(tasks.map(({ name, depends_on }) => [name, depends_on]));
  const roots = new Set<string>();
  const visited = new Set<string>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (visited.has(name)) continue;
    visited.add(name);
    if (of(name).status === "failed") roots.add(name);
    else open.push(...(dependencies.get(name) ?? []).filter((other) => hasFailed(of(other))));
  }
  return tasks.filter(({ name }) => roots.has(name)).map(({ name }) => name);
}
