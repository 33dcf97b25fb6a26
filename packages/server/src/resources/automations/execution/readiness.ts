import type { AutomationTask } from "@lakehelm/contract";
import { hasFailed, isOver, type TaskState } from "./task-state.ts";

type Tasks = readonly Pick<AutomationTask, "name" | "depends_on">[];
type States = (name: string) => Pick<TaskState, "status" | "reason">;

/** What becomes of a task that waits. */
type Verdict = "wait" | "run" | { readonly skipped: "upstream_failed" | "run_if" };

/** All that it depends on must have ended; then `run_if` says whether as it wants. */
export function verdictOn(
  { depends_on, run_if }: Pick<AutomationTask, "depends_on" | "run_if">,
  of: States,
): Verdict {
  const before = depends_on.map(of);
  if (!before.every(isOver)) return "wait";
  const failed = before.some(hasFailed);
  if (before.length === 0 || holds(run_if, before)) return "run";
  // One that wanted a failure, and got none, is skipped for no failure's sake.
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
 * The tasks because of which the run fails: those at its ends, which no other task waits for, that have failed or were
 * skipped because something before them had. A failure that another task takes up (`run_if`), and that ends well, is handled.
 */
export function unhandled(tasks: Tasks, of: States): string[] {
  const awaited = new Set(tasks.flatMap(({ depends_on }) => depends_on));
  return tasks.filter(({ name }) => !awaited.has(name) && hasFailed(of(name))).map(({ name }) => name);
}

/** The failures from which those came, for the run's error: the tasks before them, as far back as they failed. */
export function rootsOf(names: readonly string[], tasks: Tasks, of: States): string[] {
  const dependencies = new Map(tasks.map(({ name, depends_on }) => [name, depends_on]));
  const roots = new Set<string>();
  const seen = new Set<string>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    if (of(name).status === "failed") roots.add(name);
    else open.push(...(dependencies.get(name) ?? []).filter((other) => hasFailed(of(other))));
  }
  return tasks.filter(({ name }) => roots.has(name)).map(({ name }) => name);
}
