import type { SettingsShape } from "./settings-difference.ts";

/**
 * The settings of jobs. The defaults are those that the service was seen to add; what it may add in the future is not
 * `watched`, and so never a difference.
 */
export const jobShape: SettingsShape = {
  watched: new Set([
    "schedule",
    "trigger",
    "continuous",
    "tasks",
    "tags",
    "parameters",
    "timeout_seconds",
    "max_concurrent_runs",
    "email_notifications",
    "webhook_notifications",
    "health",
    "git_source",
    "job_clusters",
    "environments",
  ]),
  defaults: {
    max_concurrent_runs: [1],
    pause_status: ["UNPAUSED"],
    run_if: ["ALL_SUCCESS"],
    source: ["WORKSPACE"],
    queue: [{ enabled: true }],
    performance_target: ["PERFORMANCE_OPTIMIZED"],
    no_alert_for_skipped_runs: [false],
    condition: ["ANY_UPDATED"],
    task_retry_mode: ["ON_FAILURE"],
    environment_version: ["1", "2", "3", "4"],
  },
  itemKeys: {
    tasks: "task_key",
    parameters: "name",
    environments: "environment_key",
    job_clusters: "job_cluster_key",
    depends_on: "task_key",
  },
  mayBeHidden: new Set(["run_as"]),
};
