import type { AutomationTask, Run } from "@lakehelm/contract";
import { singleFlight } from "../../../core/concurrency/single-flight.ts";
import { newTask, type TaskState } from "./task-state.ts";

/** The task states of a run. Every change is durable before the run continues. */
export interface TaskStates {
  of(name: string): TaskState;
  all(): TaskState[];
  set(name: string, change: Partial<TaskState>): Promise<void>;
  metrics(): Run["metrics"];
}

export function createTaskStates(
  tasks: readonly AutomationTask[],
  about: Readonly<Record<string, unknown>>,
  before: readonly TaskState[],
  keep: (metrics: Run["metrics"]) => Promise<void>,
): TaskStates {
  const known = new Map(before.map((state) => [state.name, state]));
  const states = new Map(tasks.map((task) => [task.name, known.get(task.name) ?? newTask(task)]));
  const all = () => [...states.values()];
  const metrics = () => ({ ...about, tasks: all() });
  // Concurrent changes share one write.
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
