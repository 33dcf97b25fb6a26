import type { RunCause } from "@lakehelm/contract";

interface OldState {
  readonly life_cycle_state?: string;
  readonly result_state?: string;
  readonly state_message?: string;
}

interface NewState {
  readonly state?: string;
  readonly termination_details?: { readonly code?: string; readonly message?: string };
}

export interface WorkspaceTask {
  readonly task_key?: string;
  readonly run_id?: string;
  readonly attempt_number?: number;
  readonly state?: OldState;
  readonly status?: NewState;
  readonly start_time?: number;
  readonly end_time?: number;
  readonly condition_task?: object;
  readonly notebook_task?: { readonly notebook_path?: string };
  readonly pipeline_task?: object;
  readonly run_job_task?: { readonly job_id?: string };
  readonly for_each_task?: { readonly task?: WorkspaceTask };
}

/** A run as a workspace shows it: the fields that we read. Times are milliseconds, 0 if they are not known yet. */
export interface WorkspaceRun extends WorkspaceTask {
  readonly job_id?: string;
  readonly trigger?: string;
  readonly creator_user_name?: string;
  readonly run_page_url?: string;
  readonly tasks?: readonly WorkspaceTask[];
}

export type RunResult = "succeeded" | "failed" | "cancelled" | "skipped";

type Stateful = Pick<WorkspaceRun, "state" | "status" | "end_time">;

/**
 * Waiting, running, or how the run ended. `status` counts before the older `state`. An unknown word is no error: the
 * service may add some.
 */
export function stateOf(run: Stateful): "waiting" | "running" | RunResult {
  if (!hasEnded(run)) {
    const word = run.status?.state ?? run.state?.life_cycle_state ?? "";
    return ["QUEUED", "PENDING", "BLOCKED", "WAITING", "WAITING_FOR_RETRY"].includes(word)
      ? "waiting"
      : "running";
  }
  const code = run.status?.termination_details?.code;
  return results[code ?? run.state?.result_state ?? run.state?.life_cycle_state ?? ""] ?? "failed";
}

export function hasEnded({ state, status, end_time = 0 }: Stateful): boolean {
  const word = status?.state;
  if (word !== undefined && knownStates.has(word)) return word === "TERMINATED";
  const old = state?.life_cycle_state;
  if (old !== undefined && oldEnds.has(old)) return true;
  return word !== undefined || old === undefined ? end_time > 0 : false;
}

/** The last attempt at each task, in the order of the tasks. */
export function latestTasks(tasks: readonly WorkspaceTask[]): WorkspaceTask[] {
  const byKey = new Map<string, WorkspaceTask>();
  for (const task of tasks.toSorted((a, b) => (a.attempt_number ?? 0) - (b.attempt_number ?? 0))) {
    byKey.set(task.task_key ?? "", task);
  }
  return [...byKey.values()];
}

/** The workspace's own word for the state, for people. */
export const wordOf = ({ state, status }: Stateful): string =>
  status?.termination_details?.code ??
  status?.state ??
  state?.result_state ??
  state?.life_cycle_state ??
  "UNKNOWN";

export const messageOf = ({ state, status }: Stateful): string | undefined =>
  status?.termination_details?.message || state?.state_message || undefined;

const knownStates = new Set([
  "QUEUED",
  "PENDING",
  "RUNNING",
  "BLOCKED",
  "WAITING",
  "TERMINATING",
  "TERMINATED",
]);
const oldEnds = new Set(["TERMINATED", "SKIPPED", "INTERNAL_ERROR"]);

const results: Readonly<Record<string, RunResult>> = {
  SUCCESS: "succeeded",
  SUCCESS_WITH_FAILURES: "succeeded",
  USER_CANCELED: "cancelled",
  CANCELED: "cancelled",
  UPSTREAM_CANCELED: "cancelled",
  SKIPPED: "skipped",
  EXCLUDED: "skipped",
  MAX_CONCURRENT_RUNS_EXCEEDED: "skipped",
  MAX_JOB_QUEUE_SIZE_EXCEEDED: "skipped",
  MAXIMUM_CONCURRENT_RUNS_REACHED: "skipped",
};

const triggers: Readonly<Record<string, RunCause["trigger"]>> = {
  PERIODIC: "cron",
  FILE_ARRIVAL: "file_arrival",
  TABLE: "table_update",
  CONTINUOUS: "live",
  CONTINUOUS_RESTART: "live",
  RUN_JOB_TASK: "automation",
};

/** Whether a request started the run: perhaps one of ours, whose answer has not arrived yet. */
export const wasRequested = ({ trigger = "" }: WorkspaceRun): boolean => !Object.hasOwn(triggers, trigger);

/** What started a run that we did not start. */
export function causeOf(run: WorkspaceRun, now: Date): RunCause {
  const time = run.start_time ? new Date(run.start_time).toISOString() : now.toISOString();
  const trigger = triggers[run.trigger ?? ""];
  if (trigger) return { trigger, by: null, time };
  return {
    trigger: "manual",
    by: run.creator_user_name ?? null,
    time,
    reason: "It was started in the workspace.",
  };
}
