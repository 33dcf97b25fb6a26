import type { AutomationTask, Run } from "@lakehelm/contract";
import { type Infer, integer, list, literal, map, model, string } from "@lakehelm/contract/schema";

const text = () => string().nullable();

/** How it is with a task of a run: `metrics.tasks` of the run is the list of them, in the order of the definition. */
const TaskState = model("TaskState", {
  name: string(),
  kind: literal("sql", "flow", "connector", "pipeline", "http", "agent"),
  status: literal("waiting", "running", "succeeded", "failed", "skipped", "cancelled"),
  /** Why it was skipped: something before it failed, its `run_if` did not hold, or its condition. */
  reason: literal("upstream_failed", "run_if", "condition").nullable(),
  /** Which one it is at, or will begin with; 0 before the first. */
  attempt: integer(),
  started_at: text(),
  ended_at: text(),
  /** The run that it stands for, of the connector, flow or pipeline. */
  run_id: text(),
  error: text(),
  output: map().nullable(),
});
export type TaskState = Infer<typeof TaskState>;

const Kept = model("KeptTasks", { release_id: string(), tasks: list(TaskState) });

/** What an earlier attempt at the run has written; undefined where none has come so far. */
export const keptIn = ({ metrics }: Pick<Run, "metrics">): Infer<typeof Kept> | undefined =>
  "tasks" in metrics ? Kept.check(metrics, [], []) : undefined;

export const newTask = ({ name, kind }: Pick<AutomationTask, "name" | "kind">): TaskState => ({
  name,
  kind,
  status: "waiting",
  reason: null,
  attempt: 0,
  started_at: null,
  ended_at: null,
  run_id: null,
  error: null,
  output: null,
});

export const hasFailed = ({ status, reason }: Pick<TaskState, "status" | "reason">): boolean =>
  status === "failed" || reason === "upstream_failed";

export const isOver = ({ status }: Pick<TaskState, "status">): boolean =>
  status !== "waiting" && status !== "running";
