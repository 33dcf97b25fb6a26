import type { AutomationTask, Run } from "@lakehelm/contract";
import { boolean, type Infer, integer, list, literal, map, model, string } from "@lakehelm/contract/schema";

const text = () => string().nullable();

/** The state of one item of a task with `for_each`. */
const ItemState = model("ItemState", {
  /** The beginning of the item as text. */
  item: string(),
  /** Stopped items are `cancelled`, and repeated by the next attempt. */
  status: literal("waiting", "running", "succeeded", "failed", "cancelled"),
  /** The attempt of the task that last executed it. */
  attempt: integer(),
  run_id: string().optional(),
  error: string().optional(),
  /** The item would fail again, so it is not retried. */
  permanent: boolean().optional(),
});
export type ItemState = Infer<typeof ItemState>;

/** The state of a task in a run; `metrics.tasks` of the run lists them in definition order. */
const TaskState = model("TaskState", {
  name: string(),
  kind: literal("sql", "flow", "connector", "pipeline", "http", "agent", "automation", "python", "shell"),
  status: literal("waiting", "running", "succeeded", "failed", "skipped", "cancelled"),
  /** Why it was skipped: an earlier failure, its `run_if`, or its condition. */
  reason: literal("upstream_failed", "run_if", "condition").nullable(),
  /** The current or next attempt; 0 before the first. */
  attempt: integer(),
  started_at: text(),
  ended_at: text(),
  /** The child run of a connector, flow, pipeline or automation task. */
  run_id: text(),
  error: text(),
  output: map().nullable(),
  /** For a `python` or `shell` task: how often this attempt has started the program. */
  starts: integer().optional(),
  /** For a task with `for_each`: its items, in the order of the list. */
  items: list(ItemState).optional(),
  /** The last 20 attempts that failed and were retried. */
  retries: list(model("TaskRetry", { attempt: integer(), at: string(), error: string() })).optional(),
});
export type TaskState = Infer<typeof TaskState>;
export type TaskOutput = NonNullable<TaskState["output"]>;

const StoredTasks = model("StoredTasks", { release_id: string(), tasks: list(TaskState) });

/** The task states that an earlier attempt at the run has written, if any. */
export const storedTasks = ({ metrics }: Pick<Run, "metrics">): Infer<typeof StoredTasks> | undefined =>
  "tasks" in metrics ? StoredTasks.check(metrics, [], []) : undefined;

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
