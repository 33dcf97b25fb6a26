import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import {
  environmentParameter,
  historyParameters,
  historyRange,
  historySearch,
  nextBefore,
  nextHistoryCursor,
} from "./lists.ts";
import {
  dateTime,
  environmentFilter,
  environmentId,
  exampleIds,
  exampleTime,
  nullableText,
} from "./shared.ts";

export const jobKind = () => s.literal("connector", "flow", "pipeline", "automation");
export const runStatus = () => s.literal("queued", "running", "succeeded", "failed", "cancelled", "skipped");

export const RunCause = s.model("RunCause", {
  trigger: s
    .literal("cron", "table_update", "file_arrival", "live", "manual", "retry", "automation")
    .describe(
      "What started the run: the job's trigger, a request (`manual`), a retry, or a task of an automation.",
    ),
  by: nullableText().describe("Who requested the run; null: the job's trigger."),
  time: dateTime().describe("The scheduled time, or the time of the request."),
  reason: nullableText().optional().describe("Why it was started, as sent."),
  parameters: s.map().optional().describe("Values for this run, as sent."),
  tables: s.list(s.string()).optional().describe("Tables that changed since the last run."),
  files: s.list(s.string()).optional().describe("Files that were added or changed since the last run."),
  catch_up: s
    .model("CatchUp", {
      missed: s.integer().describe("Number of scheduled times that were missed."),
      more: s.boolean().describe("True if there were more: counting stops at 10,000."),
      from: dateTime().describe("The first of them."),
      to: dateTime().describe("The last of them."),
    })
    .optional()
    .describe("Missed scheduled times that this run makes up for."),
  retry_of: s.string().optional().describe("Id of the run that this one repeats."),
  automation: s
    .model("CausingTask", {
      run_id: s.string().describe("Id of the automation's run."),
      task: s.string().describe("Name of the task."),
    })
    .optional()
    .describe("The automation's run and task that started this run."),
});
export type RunCause = s.Infer<typeof RunCause>;

export const Run = s.model("Run", {
  id: s.string().describe("UUID of the run."),
  job_id: s.string().describe("Id of its job, such as `connector-019f…`."),
  environment_id: environmentId(),
  kind: jobKind()
    .nullable()
    .describe("What it runs; null: an earlier version queued it, and its job was deleted."),
  name: nullableText().describe(
    "The name of the connector, flow, pipeline or automation when the run was queued. It stays when that is deleted. Null as for `kind`.",
  ),
  status: runStatus().describe(
    "`skipped`: the previous run had not ended at its scheduled time. The last four are final.",
  ),
  cause: RunCause.describe("What started it."),
  attempt: s.integer().describe("0 until the run starts."),
  queued_at: dateTime().describe("When it was requested or its trigger fired."),
  not_before: dateTime().nullable().describe("While the run is queued: its earliest start."),
  started_at: dateTime().nullable().describe("When its first attempt started; null: it has not started."),
  ended_at: dateTime().nullable().describe("When it ended; null: it has not ended."),
  error: nullableText().describe(
    "Why the run failed, was skipped or is retried; of a run that succeeded, the checks that failed with the severity `warn`.",
  ),
  metrics: s
    .map()
    .describe(
      "Counters such as rows, bytes and watermarks. They depend on the kind of job. `retries` lists the last 20 attempts that failed and were retried: `attempt`, `at`, `error`.",
    ),
  cancelled: s
    .model("RunCancel", {
      by: s.string().describe("Who requested it."),
      at: dateTime().describe("When it was requested."),
    })
    .nullable()
    .describe("Who requested the cancellation, and when."),
  quiet: s
    .model("QuietRuns", {
      runs: s.integer().describe("How many runs in a row moved nothing, this one included."),
      since: dateTime().describe("When the first of them was queued."),
    })
    .optional()
    .describe(
      "Only of a run of a connector or flow that a trigger started and that moved nothing: this record then stands for all such runs in a row, and has the log of the last one.",
    ),
});
export type Run = s.Infer<typeof Run>;

export const RunLine = s.model("RunLine", {
  n: s.integer().describe("Line number, from 1."),
  time: dateTime().describe("When it was written."),
  level: s.literal("debug", "info", "warn", "error").describe("How important the line is."),
  line: s.string().describe("The text, without a line break at its end. Secrets are masked."),
});
export type RunLine = s.Infer<typeof RunLine>;

export const RunRequest = s.model("RunRequest", {
  reason: nullableText().optional().describe("Why you run it, for people."),
  parameters: s
    .map()
    .optional()
    .describe(
      "Values for this run. Of a connector: `datasets` (ids or target names), `full_refresh`, `reset_watermark`, `retry_rejects`, `max_delete_share`, `window` (`from`, `to`). Of a flow: `business_date`, `full_refresh` (builds its table again from its SELECT), `discard_history` (consents that a full refresh loses the versions of a history), `max_row_count_drift`, `max_delete_share` (of a flow that deletes or closes rows, for this run). Others of them return 422. A parameter whose name is that of a secret returns 409: send a reference to the secret.",
    ),
});
export type RunRequest = s.Infer<typeof RunRequest>;

export const exampleJobId = `connector-${exampleIds.connector}`;
export const exampleRunId = "019f0000-0000-7000-8000-00000000000f";
const run = {
  id: exampleRunId,
  job_id: exampleJobId,
  environment_id: exampleIds.environment,
  kind: "connector",
  name: "orders-to-crm",
  status: "succeeded",
  cause: { trigger: "cron", by: null, time: "2026-03-01T05:00:00.000Z" },
  attempt: 1,
  queued_at: "2026-03-01T05:00:00.012Z",
  not_before: null,
  started_at: "2026-03-01T05:00:00.020Z",
  ended_at: exampleTime,
  error: null,
  metrics: { read: 1200, inserted: 40, updated: 3 },
  cancelled: null,
};
/** The example of endpoints that request a run. */
export const queuedRun = {
  ...run,
  status: "queued",
  attempt: 0,
  started_at: null,
  ended_at: null,
  metrics: {},
};

export const newestFirst = {
  before: s.string().optional().describe("Only runs older than the run with this id."),
  limit: s.integer({ ge: 1, le: 1000 }).default(100).describe("Maximum number of runs to return."),
  ...historyParameters,
  ...historyRange,
  owner: s.string({ min: 1, max: 1000 }).optional().describe("Only runs that this caller requested."),
  search: historySearch("the name or id of the job, who requested it, the reason or the error"),
};
export const statusFilter = { status: runStatus().optional().describe("Only runs in this state.") };
export const RunPage = s.model("RunPage", {
  runs: s.list(Run).describe("Without the `output` of tasks. Read the run itself to get it."),
  next_before: nullableText().describe(nextBefore),
  next_cursor: nextHistoryCursor(),
});
export const runPage = { runs: [run], next_before: null, next_cursor: null };

const shared = { tag: "Jobs and runs" } as const;
const oneRun = "/api/v1/runs/{run_id}";

export const listRuns = endpoint({
  ...shared,
  method: "GET",
  path: "/api/v1/runs",
  scope: "list",
  summary: "List the runs",
  access: "viewer",
  headers: environmentFilter,
  query: {
    ...newestFirst,
    ...statusFilter,
    name: s
      .string({ min: 1, max: 1000 })
      .optional()
      .describe("Only runs with exactly this `name`, also if what they ran was deleted since."),
    job: s.string().optional().describe("Only runs of the job with this id."),
    ...environmentParameter,
  },
  response: RunPage,
  errors: [404],
  example: { response: runPage },
});

export const getRun = endpoint({
  ...shared,
  method: "GET",
  path: oneRun,
  scope: "run",
  summary: "Read a run",
  access: "viewer",
  response: Run,
  errors: [404],
  example: { response: run },
});

export const readRunLog = endpoint({
  ...shared,
  method: "GET",
  path: `${oneRun}/log`,
  scope: "run",
  summary: "Read or follow a run's log",
  description:
    "With `Accept: text/event-stream` it sends the lines after `after` (or `Last-Event-ID`) as `line` events, then new lines, and an `end` event when the run has ended.",
  access: "viewer",
  query: {
    after: s
      .integer({ ge: 0, le: Number.MAX_SAFE_INTEGER })
      .default(0)
      .describe("Only lines after this line number."),
    limit: s.integer({ ge: 1, le: 10_000 }).default(1000).describe("Maximum number of lines to return."),
    search: s
      .string({ min: 1, max: 200 })
      .optional()
      .describe(
        "Only lines that contain this text, in any case. One request examines up to 50,000 lines: continue with `next_after` until it is `last`. Not for a stream.",
      ),
  },
  headers: { "Last-Event-ID": "The id of the last line that you received: the stream resumes after it." },
  response: s.model("RunLog", {
    lines: s.list(RunLine).describe("The lines on this page, oldest first."),
    next_after: s.integer().describe("`after` of the next page."),
    last: s.integer().describe("Number of the last line so far; 0: there is none."),
    left_out: s
      .model("LinesLeftOut", {
        after: s.integer().describe("The line after which they are missing. It says so."),
        lines: s.integer().describe("How many numbers of lines are missing."),
      })
      .nullable()
      .describe(
        "A log keeps its first and its last 5,000 lines, or 512 KiB of each. Null: none of its lines is missing.",
      ),
    ended: s.boolean().describe("The run has ended, and no more lines will follow."),
  }),
  streams: "text/event-stream",
  errors: [404],
  example: {
    response: {
      lines: [{ n: 1, time: exampleTime, level: "info", line: "orders: 43 rows moved" }],
      next_after: 1,
      last: 1,
      left_out: null,
      ended: true,
    },
  },
});

export const cancelRun = endpoint({
  isBounded: true,
  ...shared,
  method: "POST",
  changes: "operation",
  path: `${oneRun}/cancel`,
  scope: "run",
  summary: "Cancel a run",
  description:
    "A queued run is cancelled at once, a running one when its work has stopped. Cancelling twice changes nothing.",
  access: "operator",
  response: Run,
  errors: [404, 409],
  example: {
    response: {
      ...queuedRun,
      status: "cancelled",
      ended_at: exampleTime,
      cancelled: { by: "ada", at: exampleTime },
    },
  },
});

export const retryRun = endpoint({
  isBounded: true,
  ...shared,
  method: "POST",
  changes: "operation",
  path: `${oneRun}/retry`,
  scope: "run",
  summary: "Retry a run",
  description:
    "Starts a new run with the same cause. The run must have failed, or have been cancelled or skipped.",
  access: "operator",
  response: Run,
  errors: [404, 409],
  creates: true,
  example: {
    response: {
      ...queuedRun,
      not_before: exampleTime,
      cause: { trigger: "retry", by: "ada", time: exampleTime, retry_of: exampleRunId },
    },
  },
});
