import { shown } from "@lakehelm/contract/text";
import { parseQuartz, timezoneProblem } from "@lakehelm/schedule";
import type { JobConfig, PipelineConfig } from "./bundle.ts";
import type { TaskConfig } from "./job-schema.ts";

/** Mistakes that the schema does not find, and for which the deployment or a run would fail. */
export function jobProblems(location: string, job: JobConfig): string[] {
  const { tasks, schedule } = job;
  const environments = (job.environments ?? []).map((one) => one.environment_key);
  const clusters = (job.job_clusters ?? []).map((one) => one.job_cluster_key);
  const problems = [
    ...duplicates(
      tasks.map((task) => task.task_key),
      "task",
    ),
    ...duplicates(environments, "environment"),
    ...duplicates(clusters, "job cluster"),
    ...duplicates(
      (job.parameters ?? []).map(({ name }) => name),
      "parameter",
    ),
    ...tasks
      .flatMap(innerTasks)
      .flatMap((task) => taskProblems(task, new Set(environments), new Set(clusters))),
    ...orderProblems(tasks),
    ...(job.continuous ? continuousProblems(job) : []),
    ...(schedule ? scheduleProblems(schedule) : []),
  ];
  return problems.map((problem) => `${location}: ${problem}`);
}

export function pipelineProblems(location: string, pipeline: PipelineConfig): string[] {
  const problems = [
    ...(pipeline.serverless && pipeline.clusters ? ["A serverless pipeline has no clusters."] : []),
    ...(pipeline.schema ? [] : ["The schema that its tables belong to is missing."]),
  ];
  return problems.map((problem) => `${location}: ${problem}`);
}

/** The task itself, or the task that it repeats. */
export const innerTasks = (task: TaskConfig): TaskConfig[] => [task.for_each_task?.task ?? task];

function taskProblems(
  task: TaskConfig,
  environments: ReadonlySet<string>,
  clusters: ReadonlySet<string>,
): string[] {
  const { task_key: key, environment_key: environment, job_cluster_key: cluster } = task;
  const problems: string[] = [];
  if (environment !== undefined && !environments.has(environment)) {
    problems.push(`Task ${key} names the environment ${shown(environment)}, which the job does not have.`);
  }
  if (cluster !== undefined && !clusters.has(cluster)) {
    problems.push(`Task ${key} names the job cluster ${shown(cluster)}, which the job does not have.`);
  }
  const serverless = !cluster && !task.existing_cluster_id && !task.new_cluster;
  if (serverless && task.libraries) {
    problems.push(
      `Task ${key} runs on serverless compute, which takes dependencies of an environment, not libraries.`,
    );
  }
  if (serverless && task.spark_python_task && environment === undefined) {
    problems.push(`Task ${key} runs a Python file on serverless compute and needs an environment_key.`);
  }
  if (task.notebook_task && environment !== undefined) {
    problems.push(`Task ${key} runs a notebook, for which the Jobs API refuses an environment_key.`);
  }
  const needsNone = task.sql_task || task.pipeline_task || task.run_job_task || task.condition_task;
  if (!serverless && needsNone) {
    problems.push(`Task ${key} does not run on a cluster and must not name one.`);
  }
  return problems;
}

/** A continuous job runs all the time: it has no queue and no timeout, and it retries by itself. */
const continuousProblems = ({ tasks, queue, timeout_seconds }: JobConfig): string[] => [
  ...(queue || timeout_seconds ? ["A continuous job has no queue and no timeout."] : []),
  ...tasks
    .filter(({ max_retries }) => max_retries !== undefined)
    .map(({ task_key }) => `Task ${task_key} has retries, which a continuous job does not support.`),
];

/** Tasks that depend on unknown tasks, or on each other. */
function orderProblems(tasks: readonly TaskConfig[]): string[] {
  const problems: string[] = [];
  const pending = new Map(
    tasks.map((task) => [task.task_key, (task.depends_on ?? []).map((one) => one.task_key)]),
  );
  for (const [key, others] of pending) {
    for (const other of others.filter((name) => !pending.has(name))) {
      problems.push(`Task ${key} depends on ${shown(other)}, which the job does not have.`);
    }
  }
  if (problems.length > 0) return problems;
  for (let done = true; done; ) {
    done = false;
    for (const [key, others] of pending) {
      if (others.some((other) => pending.has(other))) continue;
      pending.delete(key);
      done = true;
    }
  }
  return pending.size > 0 ? [`The tasks ${[...pending.keys()].join(", ")} wait for each other.`] : [];
}

function scheduleProblems(schedule: NonNullable<JobConfig["schedule"]>): string[] {
  const read = parseQuartz(schedule.quartz_cron_expression);
  const zone = timezoneProblem(schedule.timezone_id);
  return [...("problem" in read ? [read.problem] : []), ...(zone === undefined ? [] : [zone])];
}

const duplicates = (names: readonly string[], noun: string) =>
  [...new Set(names.filter((name, at) => names.indexOf(name) < at))].map(
    (name) => `Duplicate ${noun} ${shown(name)}.`,
  );
