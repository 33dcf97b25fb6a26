import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { dateTime, environmentFilter, exampleIds, exampleTime, paging } from "./shared.ts";

const text = () => s.string().nullable();
const seconds = () => s.integer({ ge: 0 });
const channels = () => s.list(s.string());

const triggerKinds: readonly unknown[] = ["cron", "table_update", "file_arrival", "live", "manual"];

export const JobTrigger = s.choice(
  "JobTrigger",
  (raw) => Math.max(0, triggerKinds.indexOf(s.has(raw, "kind") && raw.kind)),
  s.model("CronTrigger", {
    kind: s.literal("cron"),
    cron: s.string().describe("Five fields, or six with seconds first."),
    timezone: s.string().describe("An IANA time zone: `Europe/Berlin`, `UTC`."),
  }),
  s.model("TableUpdateTrigger", {
    kind: s.literal("table_update"),
    tables: s.list(s.string()).describe("`catalog.schema.table`"),
    condition: s
      .literal("any", "all")
      .describe("Whether any or all of the tables must have changed since the last run."),
    quiet_seconds: seconds().describe("Seconds without a change before the job runs."),
    minimum_seconds: seconds().describe("Minimum seconds between two runs."),
  }),
  s.model("FileArrivalTrigger", {
    kind: s.literal("file_arrival"),
    path: s.string().describe("A folder (without its subfolders) or a glob: `/in/**/*.csv`."),
    quiet_seconds: seconds().describe("Seconds without a change before a file counts."),
    minimum_seconds: seconds().describe("Minimum seconds between two runs."),
  }),
  s.model("LiveTrigger", {
    kind: s.literal("live"),
    pause_seconds: seconds().describe("Pause after a successful run."),
    backoff_seconds: seconds().describe("Pause after the first failed run, doubled after each further one."),
    max_backoff_seconds: seconds(),
  }),
  s.model("ManualTrigger", { kind: s.literal("manual") }),
);
export type JobTrigger = s.Infer<typeof JobTrigger>;

export const JobDefinition = s.model("JobDefinition", {
  trigger: JobTrigger,
  attempts: s
    .integer({ ge: 1 })
    .describe("Maximum number of attempts of a run. Only retryable errors are retried."),
  backoff_seconds: seconds().describe("Pause before the second attempt, doubled before each further one."),
  max_backoff_seconds: seconds(),
  timeout_seconds: s.integer({ ge: 1 }).describe("Time limit of one attempt."),
  overlap: s.boolean().describe("Whether two runs of the job may run at the same time."),
  notify: s
    .model("JobNotify", { on_success: channels(), on_failure: channels(), on_recovery: channels() })
    .optional()
    .describe("Channels to notify when a run ends, by `channel_id`."),
});
export type JobDefinition = s.Infer<typeof JobDefinition>;

const kind = () => s.literal("connector", "flow", "pipeline", "automation");
const status = () => s.literal("queued", "running", "succeeded", "failed", "cancelled", "skipped");

export const JobPause = s.model("JobPause", {
  by: s.string(),
  at: dateTime(),
  reason: text(),
  until: dateTime().nullable(),
  missed: s.integer().describe("Number of scheduled runs missed during the pause."),
  last_missed: dateTime().nullable(),
});
export type JobPause = s.Infer<typeof JobPause>;

export const Job = s.model("Job", {
  id: s.string(),
  environment_id: s.string(),
  kind: kind(),
  subject: s.string().describe("The resource that owns the job: `connector/019f…`."),
  name: s.string(),
  definition: JobDefinition,
  paused: JobPause.nullable(),
  next_at: dateTime()
    .nullable()
    .describe("Time of the next scheduled run, unless the job is paused by then."),
  problem: text().describe("Why the trigger does not work."),
  failures: s.integer().describe("Number of consecutive failed runs, up to the last."),
  last_run: s
    .model("JobLastRun", { id: s.string(), status: status(), ended_at: dateTime().nullable() })
    .nullable(),
  created_at: dateTime(),
});
export type Job = s.Infer<typeof Job>;

export const RunCause = s.model("RunCause", {
  trigger: s.literal("cron", "table_update", "file_arrival", "live", "manual", "retry", "automation"),
  by: text().describe("Who requested the run; null: the job's trigger."),
  time: dateTime().describe("The scheduled time, or the time of the request."),
  reason: text().optional(),
  parameters: s.map().optional(),
  tables: s.list(s.string()).optional().describe("Tables that changed since the last run."),
  files: s.list(s.string()).optional().describe("Files that were added or changed since the last run."),
  catch_up: s
    .model("CatchUp", {
      missed: s.integer(),
      more: s.boolean().describe("True if there were more: counting stops at 10,000."),
      from: dateTime(),
      to: dateTime(),
    })
    .optional()
    .describe("Missed scheduled times that this run makes up for."),
  retry_of: s.string().optional(),
  automation: s
    .model("CausingTask", { run_id: s.string(), task: s.string() })
    .optional()
    .describe("The automation's run and task that started this run."),
});
export type RunCause = s.Infer<typeof RunCause>;

export const Run = s.model("Run", {
  id: s.string(),
  job_id: s.string(),
  environment_id: s.string(),
  status: status(),
  cause: RunCause,
  attempt: s.integer().describe("0 until the run starts."),
  queued_at: dateTime(),
  not_before: dateTime().nullable().describe("While the run is queued: its earliest start."),
  started_at: dateTime().nullable(),
  ended_at: dateTime().nullable(),
  error: text().describe("Why the run failed, was skipped or is retried."),
  metrics: s.map().describe("Counters such as rows, bytes and watermarks. They depend on the kind of job."),
  cancelled: s
    .model("RunCancel", { by: s.string(), at: dateTime() })
    .nullable()
    .describe("Who requested the cancellation, and when."),
});
export type Run = s.Infer<typeof Run>;

export const RunLine = s.model("RunLine", {
  n: s.integer().describe("Line number, from 1."),
  time: dateTime(),
  level: s.literal("debug", "info", "warn", "error"),
  line: s.string(),
});
export type RunLine = s.Infer<typeof RunLine>;

export const RunRequest = s.model("RunRequest", {
  reason: text().optional(),
  parameters: s
    .map()
    .optional()
    .describe(
      "Passed to the run unchanged. A parameter whose name is that of a secret returns 409: send a reference to the secret.",
    ),
});
export type RunRequest = s.Infer<typeof RunRequest>;

const jobId = `connector-${exampleIds.connector}`;
const runId = "019f0000-0000-7000-8000-00000000000f";
const job = {
  id: jobId,
  environment_id: exampleIds.environment,
  kind: "connector",
  subject: `connector/${exampleIds.connector}`,
  name: "orders-to-crm",
  definition: {
    trigger: { kind: "cron", cron: "0 6 * * *", timezone: "Europe/Berlin" },
    attempts: 3,
    backoff_seconds: 10,
    max_backoff_seconds: 300,
    timeout_seconds: 3600,
    overlap: false,
  },
  paused: null,
  next_at: "2026-03-02T05:00:00.000Z",
  problem: null,
  failures: 0,
  last_run: { id: runId, status: "succeeded", ended_at: exampleTime },
  created_at: exampleTime,
};
const run = {
  id: runId,
  job_id: jobId,
  environment_id: exampleIds.environment,
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
};
export const RunPage = s.model("RunPage", {
  runs: s.list(Run).describe("Without the `output` of tasks. Read the run itself to get it."),
  next_before: text().describe("`before` of the next page; null: this is the last page."),
});
export const runPage = { runs: [run], next_before: null };

const shared = { tag: "Jobs and runs" } as const;
const oneJob = "/api/v1/jobs/{job_id}";
const oneRun = "/api/v1/runs/{run_id}";

export const listJobs = endpoint({
  ...shared,
  method: "GET",
  path: "/api/v1/jobs",
  summary: "List the jobs, oldest first",
  access: "viewer",
  headers: environmentFilter,
  query: { ...paging, kind: kind().optional() },
  response: s.model("JobList", { jobs: s.list(Job), total: s.integer() }),
  errors: [404],
  example: { response: { jobs: [job], total: 1 } },
});

export const getJob = endpoint({
  ...shared,
  method: "GET",
  path: oneJob,
  summary: "Read a job",
  access: "viewer",
  response: Job,
  errors: [404],
  example: { response: job },
});

export const listFirings = endpoint({
  ...shared,
  method: "GET",
  path: `${oneJob}/firings`,
  summary: "List a job's next scheduled times",
  description:
    "Computed from the cron expression in its time zone. A local time that a clock change skips fires once, right after the gap; a local time that occurs twice fires the first time. A schedule without fixed hours fires throughout.",
  access: "viewer",
  query: { count: s.integer({ ge: 1, le: 1000 }).default(10).describe("Number of times to return.") },
  response: s.model("Firings", {
    firings: s.list(dateTime()),
    sentence: s.string().describe("The trigger in words."),
  }),
  errors: [404],
  example: {
    response: {
      firings: ["2026-03-02T05:00:00.000Z"],
      sentence: 'By the cron expression "0 6 * * *" in Europe/Berlin.',
    },
  },
});

export const runJob = endpoint({
  ...shared,
  method: "POST",
  path: `${oneJob}/runs`,
  summary: "Run a job now",
  description:
    "Also runs a paused job. If the job is running, the new run waits until that run ends, unless the job allows runs to overlap.",
  access: "operator",
  body: RunRequest,
  bodyOptional: true,
  response: Run,
  errors: [404, 409],
  creates: true,
  example: {
    body: { reason: "after the repair" },
    response: {
      ...queuedRun,
      not_before: exampleTime,
      cause: { trigger: "manual", by: "ada@example.com", time: exampleTime, reason: "after the repair" },
    },
  },
});

export const listRunsOfJob = endpoint({
  ...shared,
  method: "GET",
  path: `${oneJob}/runs`,
  summary: "List the runs of a job, newest first",
  access: "viewer",
  query: { ...newestFirst, status: status().optional() },
  response: RunPage,
  errors: [404],
  example: { response: runPage },
});

export const listRuns = endpoint({
  ...shared,
  method: "GET",
  path: "/api/v1/runs",
  summary: "List the runs, newest first",
  access: "viewer",
  headers: environmentFilter,
  query: {
    ...newestFirst,
    status: status().optional(),
    job: s.string().optional().describe("Only runs of the job with this id."),
  },
  response: RunPage,
  errors: [404],
  example: { response: runPage },
});

export const getRun = endpoint({
  ...shared,
  method: "GET",
  path: oneRun,
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
  summary: "Read or follow a run's log",
  description:
    "With `Accept: text/event-stream` it sends the lines after `after` (or `Last-Event-ID`) as `line` events, then new lines, and an `end` event when the run has ended.",
  access: "viewer",
  query: {
    after: s.integer({ ge: 0 }).default(0).describe("Only lines after this line number."),
    limit: s.integer({ ge: 1, le: 10_000 }).default(1000).describe("Maximum number of lines to return."),
  },
  headers: { "Last-Event-ID": "The id of the last line that you received: the stream resumes after it." },
  response: s.model("RunLog", {
    lines: s.list(RunLine),
    next_after: s.integer().describe("`after` of the next page."),
    ended: s.boolean().describe("The run has ended, and no more lines will follow."),
  }),
  streams: "text/event-stream",
  errors: [404],
  example: {
    response: {
      lines: [{ n: 1, time: exampleTime, level: "info", line: "orders: 43 rows moved" }],
      next_after: 1,
      ended: true,
    },
  },
});

export const cancelRun = endpoint({
  ...shared,
  method: "POST",
  path: `${oneRun}/cancel`,
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
  ...shared,
  method: "POST",
  path: `${oneRun}/retry`,
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
      cause: { trigger: "retry", by: "ada", time: exampleTime, retry_of: runId },
    },
  },
});
