import { endpoint } from "../endpoint.ts";
import * as s from "../schema/index.ts";
import { listQuery, memoryListFields, nextCursor } from "./lists.ts";
import {
  exampleJobId,
  exampleRunId,
  jobKind,
  newestFirst,
  queuedRun,
  Run,
  RunPage,
  RunRequest,
  runPage,
  runStatus,
  statusFilter,
} from "./runs.ts";
import {
  createdAt,
  dateTime,
  environmentFilter,
  environmentId,
  exampleIds,
  exampleTime,
  nullableText,
  total,
} from "./shared.ts";

const seconds = () => s.integer({ ge: 0 });
const channels = () => s.list(s.string());

const triggerKinds: readonly unknown[] = ["cron", "table_update", "file_arrival", "live", "manual"];

export const JobTrigger = s.choice(
  "JobTrigger",
  (raw) => Math.max(0, triggerKinds.indexOf(s.has(raw, "kind") && raw.kind)),
  s.model("CronTrigger", {
    kind: s.literal("cron").describe("Fires by a cron expression."),
    cron: s.string().describe("Five fields, or six with seconds first."),
    timezone: s.string().describe("An IANA time zone: `Europe/Berlin`, `UTC`."),
  }),
  s.model("TableUpdateTrigger", {
    kind: s.literal("table_update").describe("Fires when tables have changed."),
    tables: s.list(s.string()).describe("The tables to watch, as `catalog.schema.table`."),
    condition: s
      .literal("any", "all")
      .describe("Whether any or all of the tables must have changed since the last run."),
    quiet_seconds: seconds().describe("Seconds without a change before the job runs."),
    minimum_seconds: seconds().describe("Minimum seconds between two runs."),
  }),
  s.model("FileArrivalTrigger", {
    kind: s.literal("file_arrival").describe("Fires when files are new or have changed."),
    path: s.string().describe("A folder (without its subfolders) or a glob: `/in/**/*.csv`."),
    quiet_seconds: seconds().describe("Seconds without a change before a file counts."),
    minimum_seconds: seconds().describe("Minimum seconds between two runs."),
  }),
  s.model("LiveTrigger", {
    kind: s.literal("live").describe("Fires when the last run has ended."),
    pause_seconds: seconds().describe("Pause after a successful run."),
    backoff_seconds: seconds().describe("Pause after the first failed run, doubled after each further one."),
    max_backoff_seconds: seconds().describe("The longest pause after failed runs."),
  }),
  s.model("ManualTrigger", { kind: s.literal("manual").describe("Fires only when you run the job.") }),
);
export type JobTrigger = s.Infer<typeof JobTrigger>;

export const JobDefinition = s.model("JobDefinition", {
  trigger: JobTrigger.describe("What starts its runs."),
  attempts: s
    .integer({ ge: 1 })
    .describe("Maximum number of attempts of a run. Only retryable errors are retried."),
  backoff_seconds: seconds().describe("Pause before the second attempt, doubled before each further one."),
  max_backoff_seconds: seconds().describe("The longest pause between two attempts."),
  timeout_seconds: s.integer({ ge: 1 }).describe("Time limit of one attempt."),
  overlap: s.boolean().describe("Whether two runs of the job may run at the same time."),
  notify: s
    .model("JobNotify", {
      on_success: channels().describe("Notified of every success."),
      on_failure: channels().describe("Notified when a run fails after its last attempt."),
      on_recovery: channels().describe("Notified of the first success after a failure."),
    })
    .optional()
    .describe("Channels to notify when a run ends, by `channel_id`."),
});
export type JobDefinition = s.Infer<typeof JobDefinition>;

export const JobPause = s.model("JobPause", {
  by: s.string().describe("Who paused it."),
  at: dateTime().describe("When it was paused."),
  reason: nullableText().describe("Why it was paused; null: nobody said."),
  until: dateTime().nullable().describe("When the pause ends by itself; null: when somebody resumes it."),
  missed: s.integer().describe("Number of scheduled runs missed during the pause."),
  last_missed: dateTime()
    .nullable()
    .describe("The last scheduled time that was missed during the pause; null: none."),
});
export type JobPause = s.Infer<typeof JobPause>;

export const Job = s.model("Job", {
  id: s
    .string()
    .describe(
      "Kind and id of its owner, such as `connector-019f…`; an automation has one for each environment.",
    ),
  environment_id: environmentId(),
  kind: jobKind().describe("The kind of resource that owns it."),
  subject: s.string().describe("The resource that owns the job: `connector/019f…`."),
  name: s.string().describe("Name of its owner."),
  definition: JobDefinition.describe("When it runs, and how failures are handled."),
  paused: JobPause.nullable().describe("Who paused it and what it missed since; null: it is not paused."),
  next_at: dateTime()
    .nullable()
    .describe("Time of the next scheduled run, unless the job is paused by then."),
  problem: nullableText().describe("Why the trigger does not work."),
  failures: s.integer().describe("Number of consecutive failed runs, up to the last."),
  last_run: s
    .model("JobLastRun", {
      id: s.string().describe("Id of the run."),
      status: runStatus().describe("The state of the run."),
      ended_at: dateTime().nullable().describe("When it ended; null: it has not ended."),
    })
    .nullable()
    .describe("Its newest run; null: it has never run."),
  created_at: createdAt(),
});
export type Job = s.Infer<typeof Job>;

const job = {
  id: exampleJobId,
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
  last_run: { id: exampleRunId, status: "succeeded", ended_at: exampleTime },
  created_at: exampleTime,
};
const shared = { tag: "Jobs and runs" } as const;
const oneJob = "/api/v1/jobs/{job_id}";

export const listJobs = endpoint({
  ...shared,
  method: "GET",
  path: "/api/v1/jobs",
  scope: "list",
  summary: "List the jobs, oldest first",
  access: "viewer",
  headers: environmentFilter,
  query: {
    ...listQuery(memoryListFields.jobs),
    kind: jobKind().optional().describe("Only jobs whose owner is of this kind."),
  },
  response: s.model("JobList", {
    jobs: s.list(Job).describe("The jobs on this page."),
    total: total(),
    next_cursor: nextCursor(),
  }),
  errors: [404],
  example: { response: { jobs: [job], total: 1 } },
});

export const getJob = endpoint({
  ...shared,
  method: "GET",
  path: oneJob,
  scope: "job",
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
  scope: "job",
  summary: "List a job's next scheduled times",
  description:
    "Computed from the cron expression in its time zone. A local time that a clock change skips fires once, right after the gap; a local time that occurs twice fires the first time. A schedule without fixed hours fires throughout.",
  access: "viewer",
  query: { count: s.integer({ ge: 1, le: 1000 }).default(10).describe("Number of times to return.") },
  response: s.model("Firings", {
    firings: s
      .list(dateTime())
      .describe(
        "The next times, in UTC, also of a paused job. Empty if the trigger is not a cron expression or never fires.",
      ),
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
  isBounded: true,
  ...shared,
  method: "POST",
  changes: "operation",
  path: `${oneJob}/runs`,
  scope: "job",
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
  scope: "job",
  summary: "List the runs of a job",
  access: "viewer",
  query: { ...newestFirst, ...statusFilter },
  response: RunPage,
  errors: [404],
  example: { response: runPage },
});
