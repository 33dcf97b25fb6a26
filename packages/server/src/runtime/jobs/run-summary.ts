import type { Run } from "@lakehelm/contract";
import { has } from "@lakehelm/contract/schema";

/** A run as lists show it, without the outputs of its tasks, which have up to 128 KiB each. */
export function listedRun(run: Run): Run {
  const { tasks } = run.metrics;
  if (!Array.isArray(tasks)) return run;
  return { ...run, metrics: { ...run.metrics, tasks: tasks.map(withoutOutput) } };
}

function withoutOutput(task: unknown): unknown {
  if (!has(task, "output")) return task;
  const { output: _, ...rest } = task;
  return rest;
}
