import type { AutomationTask, Job } from "@lakehelm/contract";
import type { TaskOutput } from "./run-output.ts";
import { latestTasks, messageOf, stateOf, type WorkspaceTask } from "./run-state.ts";

/** The kind of the job with this id in the workspace; undefined: it is not one of ours. */
type KindOf = (jobId: string) => Promise<Job["kind"] | undefined>;

/** The tasks of an automation's run in the same form as those that run here: `metrics.tasks`. */
export async function automationTasks(
  tasks: readonly WorkspaceTask[],
  outputs: ReadonlyMap<string, TaskOutput>,
  kindOf: KindOf,
): Promise<object[]> {
  const shown: object[] = [];
  for (const task of latestTasks(tasks)) {
    // In a workspace a condition is a task of its own.
    if (task.condition_task) continue;
    const { task_key: name = "", attempt_number = 0 } = task;
    const state = stateOf(task);
    const { error } = outputs.get(name) ?? {};
    shown.push({
      name,
      kind: await taskKind(task.for_each_task?.task ?? task, kindOf),
      status: state,
      reason: null,
      attempt: task.start_time ? attempt_number + 1 : 0,
      started_at: timeOf(task.start_time),
      ended_at: timeOf(task.end_time),
      run_id: null,
      error: state === "failed" ? (error ?? messageOf(task) ?? null) : null,
      output: null,
    });
  }
  return shown;
}

async function taskKind(
  {
    notebook_task,
    pipeline_task,
    run_job_task,
  }: Pick<WorkspaceTask, "notebook_task" | "pipeline_task" | "run_job_task">,
  kindOf: KindOf,
): Promise<AutomationTask["kind"]> {
  if (pipeline_task) return "pipeline";
  if (run_job_task) return (await kindOf(run_job_task.job_id ?? "")) ?? "automation";
  const [, kind] =
    /\/src\/(sql|http|agent|python|shell)_task$/.exec(notebook_task?.notebook_path ?? "") ?? [];
  return (kind as AutomationTask["kind"] | undefined) ?? "sql";
}

const timeOf = (ms: number | undefined) => (ms ? new Date(ms).toISOString() : null);
