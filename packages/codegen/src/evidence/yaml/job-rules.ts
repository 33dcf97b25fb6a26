import { shown } from "@lakehelm/contract/text";
import { parseQuartz, timezoneProblem } from "@lakehelm/schedule";
import type { Job, Pipeline } from "./bundle.ts";
import type { Task } from "./job-schema.ts";

/** What fits the schema and still cannot run: the mistakes that otherwise show when a bundle is deployed. */
export function jobProblems(place: string, job: Job): string[] {
  const { tasks, schedule } = job;
  const environments = (job.environments ?? []).map((one) => one.environment_key);
  const clusters = (job.job_clusters ?? []).map((one) => one.job_cluster_key);
  const problems = [
    ...twice(
      tasks.map((task) => task.task_key),
      "task",
    ),
    ...twice(environments, "environment"),
    ...twice(clusters, "job cluster"),
    ...twice(
      (job.parameters ?? []).map(({ name }) => name),
      "parameter",
    ),
    ...tasks.flatMap((task) => taskProblems(task, new Set(environments), new Set(clusters))),
    ...orderProblems(tasks),
    ...(schedule ? scheduleProblems(schedule) : []),
  ];
  return problems.map((problem) => `${place}: ${problem}`);
}

export function pipelineProblems(place: string, pipeline: Pipeline): string[] {
  const problems = [
    ...(pipeline.serverless && pipeline.clusters ? ["A serverless pipeline has no clusters."] : []),
    ...(pipeline.schema ? [] : ["The schema that its tables belong to is missing."]),
  ];
  return problems.map((problem) => `${place}: ${problem}`);
}

function taskProblems(
  task: Task,
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
  const needsNone = task.sql_task || task.pipeline_task || task.run_job_task || task.condition_task;
  if (!serverless && needsNone) {
    problems.push(`Task ${key} brings its own compute and has no cluster.`);
  }
  return problems;
}

/** Tasks that wait for what is not there, or for each other. */
function orderProblems(tasks: readonly Task[]): string[] {
  const problems: string[] = [];
  const waiting = new Map(
    tasks.map((task) => [task.task_key, (task.depends_on ?? []).map((one) => one.task_key)]),
  );
  for (const [key, others] of waiting) {
    for (const other of others.filter((name) => !waiting.has(name))) {
      problems.push(`Task ${key} depends on ${shown(other)}, which the job does not have.`);
    }
  }
  if (problems.length > 0) return problems;
  for (let done = true; done; ) {
    done = false;
    for (const [key, others] of waiting) {
      if (others.some((other) => waiting.has(other))) continue;
      waiting.delete(key);
      done = true;
    }
  }
  return waiting.size > 0 ? [`The tasks ${[...waiting.keys()].join(", ")} wait for each other.`] : [];
}

function scheduleProblems(schedule: NonNullable<Job["schedule"]>): string[] {
  const read = parseQuartz(schedule.quartz_cron_expression);
  const zone = timezoneProblem(schedule.timezone_id);
  return [...("problem" in read ? [read.problem] : []), ...(zone === undefined ? [] : [zone])];
}

const twice = (names: readonly string[], noun: string) =>
  [...new Set(names.filter((name, at) => names.indexOf(name) < at))].map(
    (name) => `The ${noun} ${shown(name)} is there twice.`,
  );
