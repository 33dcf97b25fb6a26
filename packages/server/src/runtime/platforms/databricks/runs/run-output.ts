import type { WorkspaceClient } from "../client/client.ts";
import { isWorkspaceError } from "../client/workspace-error.ts";
import {
  latestTasks,
  messageOf,
  stateOf,
  type WorkspaceRun,
  type WorkspaceTask,
  wordOf,
} from "./run-state.ts";

/** What a task left behind. */
export interface TaskOutput {
  readonly error?: string;
  readonly error_trace?: string;
  readonly logs?: string;
  readonly notebook_output?: { readonly result?: string; readonly truncated?: boolean };
}

/** The most tasks whose output is read: each takes a request. */
const mostTasks = 20;
const longestText = 4_000;
const mostLines = 500;

/** The outputs of a run's tasks by their keys, the failed ones first. What cannot be read is left out. */
export async function outputsOf(
  client: WorkspaceClient,
  { tasks = [] }: WorkspaceRun,
): Promise<ReadonlyMap<string, TaskOutput>> {
  const outputs = new Map<string, TaskOutput>();
  for (const { run_id, task_key = "" } of latest(tasks).slice(0, mostTasks)) {
    if (run_id === undefined) continue;
    try {
      // The output of the task, because a run with several tasks has no output of its own.
      outputs.set(task_key, await client.get<TaskOutput>("/api/2.2/jobs/runs/get-output", { run_id }));
    } catch (error) {
      if (!isWorkspaceError(error)) throw error;
    }
  }
  return outputs;
}

/** The last attempt at each task; failed ones first. */
function latest(tasks: readonly WorkspaceTask[]): WorkspaceTask[] {
  const hasFailed = (task: WorkspaceTask) => stateOf(task) === "failed";
  return latestTasks(tasks).sort((a, b) => Number(hasFailed(b)) - Number(hasFailed(a)));
}

/** Why a run failed: the errors of its failed tasks, or what the workspace says about the run. */
export function describedFailure(run: WorkspaceRun, outputs: ReadonlyMap<string, TaskOutput>): string {
  const failed = latest(run.tasks ?? []).filter((task) => stateOf(task) === "failed");
  const errors = failed.flatMap(({ task_key = "" }) => {
    const { error } = outputs.get(task_key) ?? {};
    return error ? [failed.length > 1 ? `${task_key}: ${error}` : error] : [];
  });
  const text =
    errors.length > 0 ? errors.join("\n") : (messageOf(run) ?? `The workspace says: ${wordOf(run)}.`);
  return text.slice(0, longestText);
}

/** What the tasks printed and returned, as lines of the run's log. */
export function outputLines(run: WorkspaceRun, outputs: ReadonlyMap<string, TaskOutput>): string[] {
  const lines = latest(run.tasks ?? []).flatMap((task) => {
    const { logs, notebook_output, error_trace } = outputs.get(task.task_key ?? "") ?? {};
    const texts = [logs, notebook_output?.result, error_trace].flatMap((text) => text?.split("\n") ?? []);
    return [`Task ${task.task_key}: ${wordOf(task)}.`, ...texts.filter((text) => text.trim() !== "")];
  });
  return lines.slice(0, mostLines).map((line) => line.slice(0, longestText));
}
