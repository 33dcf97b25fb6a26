import type { AutomationTask } from "@lakehelm/contract";
import type { System } from "../../../core/system.ts";
import type { RunControl } from "../../../runtime/jobs/executor.ts";
import { readinessOf } from "./readiness.ts";
import { isOver } from "./task-state.ts";
import type { TaskStates } from "./task-states.ts";

interface TaskLoop {
  readonly tasks: readonly AutomationTask[];
  /** How many tasks may be in progress at the same time. */
  readonly mostAtOnce: number;
  readonly states: TaskStates;
  readonly system: Pick<System, "now" | "monotonicMs">;
  readonly control: Pick<RunControl, "signal" | "line">;
}

/** Performs each task as soon as it is ready, independent tasks concurrently up to the limit, until all have ended. */
export async function runTasks(
  loop: TaskLoop,
  perform: (task: AutomationTask) => Promise<void>,
): Promise<void> {
  const active = new Map<string, Promise<void>>();
  const start = (task: AutomationTask) =>
    perform(task).finally(() => {
      active.delete(task.name);
    });
  try {
    for (;;) {
      loop.control.signal.throwIfAborted();
      for (const task of startedFirst(await readyTasks(loop), loop)) {
        if (active.size >= loop.mostAtOnce) break;
        if (!active.has(task.name)) active.set(task.name, start(task));
      }
      if (active.size === 0) return;
      await Promise.race(active.values());
    }
  } finally {
    await Promise.allSettled(active.values());
  }
}

/** After a crash, tasks that were in progress continue before other tasks start. */
const startedFirst = (ready: readonly AutomationTask[], { states }: Pick<TaskLoop, "states">) => {
  const isStarted = ({ name }: AutomationTask) => states.of(name).attempt > 0;
  return [...ready.filter(isStarted), ...ready.filter((task) => !isStarted(task))];
};

const sentences = {
  upstream_failed: "a task that it depends on has failed.",
  run_if: "the results of the tasks that it depends on do not match its run_if.",
};

/** Skips tasks that can no longer run, repeatedly, and returns the tasks that are ready. */
async function readyTasks({ tasks, states, system, control }: TaskLoop): Promise<AutomationTask[]> {
  for (;;) {
    const left = tasks.filter(({ name }) => !isOver(states.of(name)));
    const decisions = left.map((task) => ({ task, readiness: readinessOf(task, states.of) }));
    const skipped = decisions.flatMap(({ task: { name }, readiness }) =>
      typeof readiness === "string" ? [] : [{ name, reason: readiness.skipped }],
    );
    if (skipped.length === 0)
      return decisions.flatMap(({ task, readiness }) => (readiness === "run" ? [task] : []));
    const ended_at = system.now().toISOString();
    await Promise.all(
      skipped.map(({ name, reason }) => {
        control.line("info", `Task "${name}" is skipped: ${sentences[reason]}`);
        return states.set(name, { status: "skipped", reason, ended_at });
      }),
    );
  }
}
