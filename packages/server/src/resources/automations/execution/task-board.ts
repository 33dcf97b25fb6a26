import type { AutomationTask, Run } from "@lakehelm/contract";
import { singleFlight } from "../../../core/concurrency/single-flight.ts";
import { newTask, type TaskState } from "./task-state.ts";

/** How it is with the tasks of a run. Every change is on the disk before anything follows from it. */
export interface TaskBoard {
  of(name: string): TaskState;
  all(): TaskState[];
  set(name: string, change: Partial<TaskState>): Promise<void>;
  metrics(): Run["metrics"];
}

export function createTaskBoard(
  tasks: readonly AutomationTask[],
  about: Readonly<Record<string, unknown>>,
  before: readonly TaskState[],
  keep: (metrics: Run["metrics"]) => Promise<void>,
): TaskBoard {
  const known = new Map(before.map((state) => [state.name, state]));
  const states = new Map(tasks.map((task) => [task.name, known.get(task.name) ?? newTask(task)]));
  const all = () => [...states.values()];
  const metrics = () => ({ ...about, tasks: all() });
  // Changes of one moment are written together.
  const write = singleFlight(() => keep(metrics()));

  function of(name: string): TaskState {
    const state = states.get(name);
    if (!state) throw new Error(`There is no task "${name}".`);
    return state;
  }

  return {
    of,
    all,
    metrics,
    set(name, change) {
      states.set(name, { ...of(name), ...change });
      return write();
    },
  };
}
