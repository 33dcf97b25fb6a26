import { type AnySchema, atMostOneOf, exactlyOneOf, type Infer, literal } from "@lakehelm/contract/schema";
import { clusterSchema } from "./cluster-schema.ts";
import { anyText, fields, flag, list, map, matching, text, whole } from "./schema-fields.ts";

/** Keys of tasks, environments and clusters that the Jobs API accepts. */
const key = matching(/^[A-Za-z0-9_-]{1,100}$/);

const pauseStatus = literal("PAUSED", "UNPAUSED");

const waits = { min_time_between_triggers_seconds: whole(60), wait_after_last_change_seconds: whole(60) };

const trigger = fields(
  {},
  {
    pause_status: pauseStatus,
    periodic: fields({ interval: whole(1), unit: literal("MINUTES", "HOURS", "DAYS", "WEEKS") }, {}),
    file_arrival: fields({ url: text }, waits),
    table_update: fields(
      { table_names: list(text) },
      { condition: literal("ANY_UPDATED", "ALL_UPDATED"), ...waits },
    ),
  },
  [exactlyOneOf("periodic", "file_arrival", "table_update")],
);

const source = literal("WORKSPACE");

const library = fields(
  {},
  {
    pypi: fields({ package: text }, { repo: text }),
    maven: fields({ coordinates: text }, { repo: text, exclusions: list(text) }),
    jar: text,
    whl: text,
  },
  [exactlyOneOf("pypi", "maven", "jar", "whl")],
);

const taskFields = {
  description: text,
  depends_on: list(fields({ task_key: key }, { outcome: literal("true", "false") })),
  run_if: literal(
    "ALL_SUCCESS",
    "ALL_DONE",
    "AT_LEAST_ONE_SUCCESS",
    "NONE_FAILED",
    "ALL_FAILED",
    "AT_LEAST_ONE_FAILED",
  ),
  notebook_task: fields({ notebook_path: text }, { base_parameters: map(anyText), source }),
  spark_python_task: fields({ python_file: text }, { parameters: list(anyText), source }),
  sql_task: fields(
    { warehouse_id: text, file: fields({ path: text }, { source }) },
    { parameters: map(anyText) },
  ),
  pipeline_task: fields({ pipeline_id: text }, { full_refresh: flag }),
  run_job_task: fields({ job_id: text }, { job_parameters: map(anyText) }),
  condition_task: fields(
    {
      op: literal(
        "EQUAL_TO",
        "NOT_EQUAL",
        "LESS_THAN",
        "LESS_THAN_OR_EQUAL",
        "GREATER_THAN",
        "GREATER_THAN_OR_EQUAL",
      ),
      left: anyText,
      right: anyText,
    },
    {},
  ),
  environment_key: key,
  job_cluster_key: key,
  existing_cluster_id: text,
  new_cluster: clusterSchema,
  libraries: list(library),
  max_retries: whole(),
  min_retry_interval_millis: whole(),
  retry_on_timeout: flag,
  timeout_seconds: whole(),
  disable_auto_optimization: flag,
};

const taskKinds = [
  "notebook_task",
  "spark_python_task",
  "sql_task",
  "pipeline_task",
  "run_job_task",
  "condition_task",
] as const;

const compute = atMostOneOf("environment_key", "job_cluster_key", "existing_cluster_id", "new_cluster");

/** The task that a for_each_task repeats, which cannot be a for_each_task itself. */
const repeatedTask = fields({ task_key: key }, taskFields, [exactlyOneOf(...taskKinds), compute]);

const task = fields(
  { task_key: key },
  {
    ...taskFields,
    for_each_task: fields({ inputs: text, task: repeatedTask }, { concurrency: whole(1) }),
  },
  [exactlyOneOf(...taskKinds, "for_each_task"), compute],
);

const addresses = list(text);

/** A job. The bundle's schema passes the fields that jobs and pipelines share. */
export const jobSchema = <R extends AnySchema, P extends AnySchema>(runAs: R, permissions: P) =>
  fields(
    { name: text, tasks: list(task) },
    {
      description: text,
      schedule: fields({ quartz_cron_expression: text, timezone_id: text }, { pause_status: pauseStatus }),
      trigger,
      continuous: fields({}, { pause_status: pauseStatus, task_retry_mode: literal("NEVER", "ON_FAILURE") }),
      parameters: list(fields({ name: matching(/^[A-Za-z0-9_.-]+$/), default: anyText }, {})),
      environments: list(
        fields(
          {
            environment_key: key,
            spec: fields({ environment_version: text }, { dependencies: list(text) }),
          },
          {},
        ),
      ),
      job_clusters: list(fields({ job_cluster_key: key, new_cluster: clusterSchema }, {})),
      max_concurrent_runs: whole(1),
      timeout_seconds: whole(),
      queue: fields({ enabled: flag }, {}),
      tags: map(anyText),
      performance_target: literal("STANDARD", "PERFORMANCE_OPTIMIZED"),
      email_notifications: fields(
        {},
        {
          on_start: addresses,
          on_success: addresses,
          on_failure: addresses,
          no_alert_for_skipped_runs: flag,
        },
      ),
      run_as: runAs,
      permissions,
    },
    [atMostOneOf("schedule", "trigger", "continuous")],
  );

export type TaskConfig = Infer<typeof task>;
