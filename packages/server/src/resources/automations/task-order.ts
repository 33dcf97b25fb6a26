import type { AutomationTask } from "@lakehelm/contract";
import { finding, type ValidationFinding } from "./validation-finding.ts";

type TaskNode = Pick<AutomationTask, "name" | "depends_on">;

/** Tasks in topological order; tasks in a cycle are left out. */
export function inOrder<Task extends TaskNode>(tasks: readonly Task[]): Task[] {
  const { ordered } = topologicalSort(tasks);
  const byName = new Map(tasks.map((task) => [task.name, task]));
  return ordered.flatMap((name) => byName.get(name) ?? []);
}

/** Names of all direct and indirect dependencies of a task. */
export function tasksBefore(tasks: readonly TaskNode[], name: string): Set<string> {
  const dependencies = new Map(tasks.map((task) => [task.name, task.depends_on]));
  const before = new Set<string>();
  const open = [...(dependencies.get(name) ?? [])];
  for (let other = open.pop(); other !== undefined; other = open.pop()) {
    if (before.has(other)) continue;
    before.add(other);
    open.push(...(dependencies.get(other) ?? []));
  }
  return before;
}

export function orderFindings(tasks: readonly TaskNode[]): ValidationFinding[] {
  const names = new Set(tasks.map(({ name }) => name));
  const unknown = tasks.flatMap(({ name, depends_on }, at) =>
    depends_on.flatMap((other, index) =>
      names.has(other)
        ? []
        : finding(
            `Task "${name}" depends on "${other}", which is not a task of this automation.`,
            ...["tasks", at, "depends_on", index],
          ),
    ),
  );
  return [...unknown, ...cycleFindings(tasks)];
}

/** The maximum number of reported cycles. */
const maxCycles = 20;

/** Breaks each cycle that it finds at its last edge, and searches the rest again. */
function cycleFindings(tasks: readonly TaskNode[]): ValidationFinding[] {
  const found: ValidationFinding[] = [];
  let open = tasks;
  for (let cycle = cycleIn(open); cycle && found.length < maxCycles; cycle = cycleIn(open)) {
    const [begin] = cycle;
    const end = cycle.at(-2);
    const sentence = `Tasks wait for each other: ${cycle.map((name) => `"${name}"`).join(" → ")}.`;
    const at = tasks.findIndex(({ name }) => name === begin);
    found.push(finding(sentence, "tasks", at, "depends_on"));
    open = open.map(({ name, depends_on }) => ({
      name,
      depends_on: name === end ? depends_on.filter((other) => other !== begin) : depends_on,
    }));
  }
  return found;
}

function cycleIn(tasks: readonly TaskNode[]): string[] | undefined {
  const { left } = topologicalSort(tasks);
  const path = new Set<string>();
  for (let at = first(left.keys()); at !== undefined; at = first(left.get(at)?.values())) {
    if (path.has(at)) return [...[...path].slice([...path].indexOf(at)), at];
    path.add(at);
  }
  return undefined;
}

/** Repeatedly removes tasks without dependencies; the remaining tasks are in a cycle or depend on one. */
function topologicalSort(tasks: readonly TaskNode[]): { ordered: string[]; left: Map<string, Set<string>> } {
  const names = new Set(tasks.map(({ name }) => name));
  const left = new Map(
    tasks.map(({ name, depends_on }) => [name, new Set(depends_on.filter((other) => names.has(other)))]),
  );
  const waiters = new Map<string, string[]>();
  for (const [name, others] of left) {
    for (const other of others) waiters.set(other, (waiters.get(other) ?? []).concat(name));
  }
  const ordered = [...names].filter((name) => left.get(name)?.size === 0);
  // `ordered` grows during the iteration: tasks that became ready are appended.
  for (const name of ordered) {
    for (const waiter of waiters.get(name) ?? []) {
      left.get(waiter)?.delete(name);
      if (left.get(waiter)?.size === 0) ordered.push(waiter);
    }
    left.delete(name);
  }
  return { ordered, left };
}

const first = <T>(items: Iterator<T> | undefined): T | undefined => items?.next().value;
