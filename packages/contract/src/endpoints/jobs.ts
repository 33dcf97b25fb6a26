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
    timezone: s.string().describe("A name of the IANA list: `Europe/Berlin`, `UTC`."),
  }),
  s.model("TableUpdateTrigger", {
    kind: s.literal("table_update"),
    tables: s.list(s.string()).describe("`catalog.schema.table`"),
    condition: s.literal("any", "all").describe("Which of them must have changed since the last run."),
    quiet_seconds: seconds().describe("How long nothing must have changed before it runs."),
    minimum_seconds: seconds().describe("The least distance between two runs."),
  }),
  s.model("FileArrivalTrigger", {
    kind: s.literal("file_arrival"),
    path: s.string().describe("A folder (the files in it, not deeper), or a glob: `/in/**/*.csv`."),
    quiet_seconds: seconds().describe("A file counts when it has not changed for so long."),
    minimum_seconds: seconds().describe("The least distance between two runs."),
  }),
  s.model("LiveTrigger", {
    kind: s.literal("live"),
    pause_seconds: seconds().describe("After a run that succeeded."),
    backoff_seconds: seconds().describe("After the first that failed; then twice as long each time."),
    max_backoff_seconds: seconds(),
  }),
  s.model("ManualTrigger", { kind: s.literal("manual") }),
);
export type JobTrigger = s.Infer<typeof JobTrigger>;

export const JobDefinition = s.model("JobDefinition", {
  trigger: JobTrigger,
  attempts: s.integer({ ge: 1 }).describe("How often a run is tried while what is wrong may pass."),
  backoff_seconds: seconds().describe("Before the second attempt; then twice as long each time."),
  max_backoff_seconds: seconds(),
  timeout_seconds: s.integer({ ge: 1 }).describe("How long one attempt may take."),
  overlap: s.boolean().describe("Whether two of its runs may go on at once."),
  notify: s
    .model("JobNotify", { on_success: channels(), on_failure: channels(), on_recovery: channels() })
    .optional()
    .describe("Channels that its definition names for the ends of its runs, by their `channel_id`."),
});
export type JobDefinition = s.Infer<typeof JobDefinition>;

const kind = () => s.literal("connector", "flow", "pipeline", "automation");
const status = () => s.literal("queued", "running", "succeeded", "failed", "cancelled", "skipped");

export const JobPause = s.model("JobPause", {
  by: s.string(),
  at: dateTime(),
  reason: text(),
  until: dateTime().nullable(),
  missed: s.integer().describe("How many runs it would have had meanwhile."),
  last_missed: dateTime().nullable(),
});
export type JobPause = s.Infer<typeof JobPause>;

export const Job = s.model("Job", {
  id: s.string(),
  environment_id: s.string(),
  kind: kind(),
  subject: s.string().describe("Whose it is: `connector/019f…`."),
  name: s.string(),
  definition: JobDefinition,
  paused: JobPause.nullable(),
  next_at: dateTime().nullable().describe("When it runs next by the clock, unless it is paused by then."),
  problem: text().describe("What keeps its trigger from working."),
  failures: s.integer().describe("How many of its last runs failed in a row."),
  last_run: s
    .model("JobLastRun", { id: s.string(), status: status(), ended_at: dateTime().nullable() })
    .nullable(),
  created_at: dateTime(),
});
export type Job = s.Infer<typeof Job>;

export const RunCause = s.model("RunCause", {
  trigger: s.literal("cron", "table_update", "file_arrival", "live", "manual", "retry", "automation"),
  by: text().describe("Who asked for it; null: its trigger."),
  time: dateTime().describe("The slot that it stands for, or when it was asked for."),
  reason: text().optional(),
  parameters: s.map().optional(),
  tables: s.list(s.string()).optional().describe("Those that have changed since the last run."),
  files: s.list(s.string()).optional().describe("Those that have come or changed since the last run."),
  catch_up: s
    .model("CatchUp", {
      missed: s.integer(),
      more: s.boolean().describe("There were more: counting stops at 10,000."),
      from: dateTime(),
      to: dateTime(),
    })
    .optional()
    .describe("Slots that were missed, and that this one run stands for."),
  retry_of: s.string().optional(),
  automation: s
    .model("CausingTask", { run_id: s.string(), task: s.string() })
    .optional()
    .describe("The run of an automation, and the task in it, that this run is for."),
});
export type RunCause = s.Infer<typeof RunCause>;

export const Run = s.model("Run", {
  id: s.string(),
  job_id: s.string(),
  environment_id: s.string(),
  status: status(),
  cause: RunCause,
  attempt: s.integer().describe("0 until it has started."),
  queued_at: dateTime(),
  not_before: dateTime().nullable().describe("While it is queued: when it may start."),
  started_at: dateTime().nullable(),
  ended_at: dateTime().nullable(),
  error: text().describe("Why it failed, was skipped or is tried again."),
  metrics: s.map().describe("Rows, bytes, watermarks: what its kind of job counts."),
  cancelled: s
    .model("RunCancel", { by: s.string(), at: dateTime() })
    .nullable()
    .describe("Who asked to cancel it, and when."),
});
export type Run = s.Infer<typeof Run>;

export const RunLine = s.model("RunLine", {
  n: s.integer().describe("Its place in the log, from 1."),
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
    .describe("Handed to the run as they are. A secret, by its key, is 409: send its reference."),
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
/** An example for whoever answers with a run that was asked for. */
export const queuedRun = {
  ...run,
  status: "queued",
  attempt: 0,
  started_at: null,
  ended_at: null,
  metrics: {},
};

export const newestFirst = {
  before: s.string().optional().describe("Only runs older than this one: the id of a run."),
  limit: s.integer({ ge: 1, le: 1000 }).default(100).describe("How many to return at the most."),
};
export const RunPage = s.model("RunPage", {
  runs: s.list(Run).describe("Without `output` of their tasks, which the run itself has."),
  next_before: text().describe("The `before` of the next page; null: this was the last."),
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
  summary: "When a job runs next",
  description:
    "By its cron expression, in its time zone. A local time that a change of the clocks leaves out fires once, right after the gap; one that comes twice fires the first time. A schedule that names no hours goes on through both.",
  access: "viewer",
  query: { count: s.integer({ ge: 1, le: 1000 }).default(10) },
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
    "Also one that is paused. If a run of it is going on, this one waits for its end, unless the job lets its runs overlap.",
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
  query: { ...newestFirst, status: status().optional(), job: s.string().optional().describe("A job's id.") },
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
  summary: "Read a run's log, or follow it",
  description:
    "With `Accept: text/event-stream` it sends the lines after `after` (or after `Last-Event-ID`) as events `line`, then those that come, and ends with an event `end` when the run has ended.",
  access: "viewer",
  query: {
    after: s.integer({ ge: 0 }).default(0).describe("Only lines behind this one."),
    limit: s.integer({ ge: 1, le: 10_000 }).default(1000),
  },
  headers: { "Last-Event-ID": "Where a follower goes on: the id of the last line it has seen." },
  response: s.model("RunLog", {
    lines: s.list(RunLine),
    next_after: s.integer().describe("The `after` of the next page."),
    ended: s.boolean().describe("The run has ended: no further lines come."),
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
    "A queued one is cancelled at once; a running one when its work has stopped. Cancelling twice changes nothing.",
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
  summary: "Run what failed once more",
  description: "A new run with the same cause, for one that has failed, was cancelled or was skipped.",
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
