import type { Run } from "@lakehelm/contract";
import { InvalidRequest, Problem } from "../../../core/errors.ts";
import type { ChangeContext } from "../../../core/store/store.ts";
import { Stopped } from "../../../runtime/jobs/attempt-outcome.ts";
import type { Jobs } from "../../../runtime/jobs/jobs.ts";
import { waitForRun } from "../../../runtime/jobs/wait-for-run.ts";
import { PermanentError } from "./permanent-error.ts";
import { storedTasks, type TaskState } from "./task-state.ts";

type ChildKind = "connector" | "flow" | "pipeline" | "automation";

/** The job id of a resource with this name in an environment; undefined if it does not exist. */
type JobOf = (kind: ChildKind, name: string, environmentId: string) => Promise<string | undefined>;

export interface ChildRun {
  readonly kind: ChildKind;
  readonly reference: string;
  readonly environment: { readonly id: string; readonly name: string };
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The automation's run, task (with the number of its item) and attempt: they identify the child run. */
  readonly runId: string;
  readonly task: string;
  readonly attempt: number;
}

export interface ChildRunDependencies {
  readonly jobs: Pick<Jobs, "rules" | "rows" | "log">;
  readonly jobOf: JobOf;
  readonly context: () => ChangeContext;
}

/**
 * Runs the job of another resource and waits until that run has ended. After a crash, the same child run is found
 * instead of a second one being started.
 */
export async function runChild(
  { jobs, jobOf, context }: ChildRunDependencies,
  child: ChildRun,
  signal: AbortSignal,
  found: (runId: string) => Promise<void>,
): Promise<TaskState["output"]> {
  const { kind, reference, environment, parameters, runId, task, attempt } = child;
  const what = `the ${kind} "${reference}"`;
  const jobId = await jobOf(kind, reference, environment.id);
  const job = jobId === undefined ? undefined : await jobs.rows.get(jobId);
  if (!job || job.environmentId !== environment.id) {
    throw new PermanentError(`There is no job of ${what} in the environment "${environment.name}".`);
  }
  const requestContext = context();
  const queued = await jobs.rules
    .runOnce(
      job,
      `automation/${runId}/${task}/${attempt}`,
      {
        trigger: "automation",
        by: null,
        time: requestContext.time,
        parameters,
        automation: { run_id: runId, task: taskName(task) },
      },
      requestContext,
    )
    .catch((error) => {
      if (!(error instanceof InvalidRequest)) throw error;
      throw new PermanentError(`${error.loc.slice(1).join(".")}: ${error.message}`);
    });
  await found(queued.id);
  const run = await endOf(jobs, queued.id, context, signal);
  if (run?.status === "succeeded") return kind === "automation" ? taskStatuses(run) : { ...run.metrics };
  throw new Error(`The run ${queued.id} of ${what} ${endingOf(run)}`);
}

/** The name of the task, without the number of an item. */
const taskName = (task: string) => task.split("/", 1)[0] ?? task;

/** Only the status of each task: their outputs stay in the record of the child run. */
const taskStatuses = (run: Run): TaskState["output"] => ({
  version: run.metrics.version ?? null,
  tasks: Object.fromEntries((storedTasks(run)?.tasks ?? []).map(({ name, status }) => [name, status])),
});

function endingOf(run: Run | undefined): string {
  if (!run) return "no longer exists.";
  if (run.status === "cancelled") return `was cancelled${run.cancelled ? ` by ${run.cancelled.by}` : ""}.`;
  return `failed: ${run.error}`;
}

async function endOf(
  jobs: ChildRunDependencies["jobs"],
  id: string,
  context: () => ChangeContext,
  signal: AbortSignal,
) {
  try {
    return await waitForRun(jobs.log, () => jobs.rules.find(id), id, signal);
  } catch (error) {
    // The next attempt, here or on another server, finds the child run.
    const isLeft = error instanceof Stopped && (error.reason === "stopping" || error.reason === "lost");
    if (!isLeft) await cancelRun(jobs, id, context());
    throw error;
  }
}

/** Does nothing if the run has already ended. */
export async function cancelRun(
  { rules }: Pick<Jobs, "rules">,
  id: string,
  context: ChangeContext,
): Promise<void> {
  await rules.cancel(id, context).catch((error) => {
    if (!(error instanceof Problem)) throw error;
  });
}
