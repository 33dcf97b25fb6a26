import type { Job, Run } from "@lakehelm/contract";

/** Something that a person should look at, with its cause. */
export interface AttentionItem {
  readonly job: Job;
  readonly what: "failing" | "late" | "problem" | "paused";
  readonly cause: string;
  /** Since when. */
  readonly since: string | null;
  /** The newest run that failed. */
  readonly runId: string | undefined;
}

/** A job is late if its time was due this long ago and nothing has started. */
const lateMs = 5 * 60_000;
const order = ["failing", "problem", "late", "paused"];

/** What needs attention, the most urgent first. */
export function attentionOf(jobs: readonly Job[], runs: readonly Run[], nowMs: number): AttentionItem[] {
  const byJob = Map.groupBy(runs, ({ job_id }) => job_id);
  const items = jobs.flatMap((job) => itemsOf(job, byJob.get(job.id) ?? [], nowMs));
  return items.sort((one, other) => order.indexOf(one.what) - order.indexOf(other.what));
}

function itemsOf(job: Job, runs: readonly Run[], nowMs: number): AttentionItem[] {
  if (job.failures > 0) return [failing(job, runs)];
  if (job.problem !== null)
    return [{ job, what: "problem", cause: job.problem, since: null, runId: undefined }];
  if (job.paused) {
    const { by, reason, at } = job.paused;
    return [
      {
        job,
        what: "paused",
        cause: `Paused by ${by}${reason ? `: ${reason}` : "."}`,
        since: at,
        runId: undefined,
      },
    ];
  }
  if (job.next_at !== null && nowMs - Date.parse(job.next_at) > lateMs) {
    const cause = "Its scheduled time has passed and it has not started: the server may be busy or paused.";
    return [{ job, what: "late", cause, since: job.next_at, runId: undefined }];
  }
  return [];
}

/** Failing since the first of the failed runs in a row, as far back as they are known. */
function failing(job: Job, runs: readonly Run[]): AttentionItem {
  const ended = runs.filter(({ status }) => status === "failed" || status === "succeeded");
  const success = ended.findIndex(({ status }) => status === "succeeded");
  const failed = success < 0 ? ended : ended.slice(0, success);
  const [newest] = failed;
  return {
    job,
    what: "failing",
    cause: newest?.error ?? "Its last run failed.",
    since: failed.at(-1)?.queued_at ?? job.last_run?.ended_at ?? null,
    runId: newest?.id ?? job.last_run?.id,
  };
}
