import type { AutomationTask } from "@lakehelm/contract";
import type { System } from "../../../core/system.ts";
import type { RunControl } from "../../../runtime/jobs/executor.ts";
import { verdictOn } from "./readiness.ts";
import type { TaskBoard } from "./task-board.ts";
import { isOver } from "./task-state.ts";

interface Loop {
  readonly tasks: readonly AutomationTask[];
  readonly board: TaskBoard;
  readonly system: Pick<System, "now">;
  readonly working: Pick<RunControl, "signal" | "line">;
}

/** Performs each task as soon as it is ready, independent tasks concurrently, until all have ended. */
export async function runTasks(loop: Loop, perform: (task: AutomationTask) => Promise<void>): Promise<void> {
  const going = new Map<string, Promise<void>>();
  const begin = (task: AutomationTask) =>
    perform(task).finally(() => {
      going.delete(task.name);
    });
  try {
    for (;;) {
      loop.working.signal.throwIfAborted();
      for (const task of await due(loop)) if (!going.has(task.name)) going.set(task.name, begin(task));
      if (going.size === 0) return;
      await Promise.race(going.values());
    }
  } finally {
    await Promise.allSettled(going.values());
  }
}

const sentences = {
  upstream_failed: "a task that it depends on has failed.",
  run_if: "the tasks that it depends on have not ended as its run_if wants.",
};

/** Skips tasks that can no longer run, repeatedly, and returns the tasks that are ready. */
async function due({ tasks, board, system, working }: Loop): Promise<AutomationTask[]> {
  for (;;) {
    const left = tasks.filter(({ name }) => !isOver(board.of(name)));
    const verdicts = left.map((task) => ({ task, verdict: verdictOn(task, board.of) }));
    const skipped = verdicts.flatMap(({ task: { name }, verdict }) =>
      typeof verdict === "string" ? [] : [{ name, reason: verdict.skipped }],
    );
    if (skipped.length === 0)
      return verdicts.flatMap(({ task, verdict }) => (verdict === "run" ? [task] : []));
    const ended_at = system.now().toISOString();
    await Promise.all(
      skipped.map(({ name, reason }) => {
        working.line("info", `Task "${name}" is skipped: ${sentences[reason]}`);
        return board.set(name, { status: "skipped", reason, ended_at });
      }),
    );
  }
}
