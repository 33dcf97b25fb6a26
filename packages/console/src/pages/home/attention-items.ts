import type { Job, RefusedResource, Run } from "@lakehelm/contract";
import { duration } from "../../format/time.ts";

/** A job that a user should look at, with the cause. */
export interface AttentionItem {
  readonly job: Job;
  readonly what: "failing" | "late" | "problem" | "paused";
  readonly cause: string;
  /** When the problem began. */
  readonly since: string | null;
  /** When the pause ends by itself. */
  readonly until: string | null;
  /** The run that failed or is waiting. */
  readonly runId: string | undefined;
}

/** A job is late if a run was due this long ago and has not started. */
const lateMs = 5 * 60_000;
const order = ["failing", "problem", "late", "paused"];

/** The jobs that need attention, the most urgent first. */
export function attentionOf(jobs: readonly Job[], runs: readonly Run[], nowMs: number): AttentionItem[] {
  const byJob = Map.groupBy(runs, ({ job_id }) => job_id);
  const items = jobs.flatMap((job) => itemOf(job, byJob.get(job.id) ?? [], nowMs) ?? []);
  return items.sort((one, other) => order.indexOf(one.what) - order.indexOf(other.what));
}

/** The number of items that are shown in all, and at first, so that the content below the list stays in reach. */
export const mostShown = 200;
const mostAtFirst = 6;
/** The number of refused resources that are shown at first, so that they do not hide other items. */
const mostRefusedAtFirst = 3;

interface ShownItems {
  readonly failing: readonly AttentionItem[];
  readonly refused: readonly RefusedResource[];
  readonly others: readonly AttentionItem[];
}

/** The items that the page shows, in order. Failures come first, because those jobs worked before. */
export function shownOf(
  items: readonly AttentionItem[],
  refused: readonly RefusedResource[],
  isWhole: boolean,
): ShownItems {
  const [most, mostRefused] = isWhole ? [mostShown, mostShown] : [mostAtFirst, mostRefusedAtFirst];
  const failing = items.filter(({ what }) => what === "failing").slice(0, most);
  const left = most - failing.length;
  const someRefused = refused.slice(0, Math.min(left, mostRefused));
  const others = items.filter(({ what }) => what !== "failing").slice(0, left - someRefused.length);
  return { failing, refused: someRefused, others };
}

function itemOf(job: Job, runs: readonly Run[], nowMs: number): AttentionItem | undefined {
  const none = { job, since: null, until: null, runId: undefined };
  if (job.failures > 0) return { ...none, ...failing(job, runs) };
  const [newest] = runs.filter(({ status }) => status === "failed" || status === "succeeded");
  // A run that succeeded has an error message if its checks failed.
  if (newest?.status === "succeeded" && newest.error !== null) {
    const { error: cause, queued_at: since, id: runId } = newest;
    return { ...none, what: "problem", cause, since, runId };
  }
  if (job.problem !== null) return { ...none, what: "problem", cause: job.problem };
  if (job.paused) {
    const { by, reason, at, until, missed } = job.paused;
    const skipped =
      missed > 0 ? ` ${missed} scheduled ${missed === 1 ? "run was" : "runs were"} skipped.` : "";
    const cause = `Paused by ${by}${reason ? `: ${withoutDot(reason)}` : ""}.${skipped}`;
    return { ...none, what: "paused", cause, since: at, until };
  }
  const waiting = runs.find((run) => isStuck(run, nowMs));
  if (waiting) {
    const waited = duration(nowMs - Date.parse(waiting.not_before ?? waiting.queued_at));
    const cause = `Its run has waited in the queue for ${waited}: all run slots are busy, or the server is paused.`;
    return { ...none, what: "late", cause, since: waiting.queued_at, runId: waiting.id };
  }
  if (job.next_at !== null && nowMs - Date.parse(job.next_at) > lateMs) {
    const cause = "Its scheduled time has passed and it has not started: the server may be busy or paused.";
    return { ...none, what: "late", cause, since: job.next_at };
  }
  return undefined;
}

/** Whether a queued run could have started long ago. */
const isStuck = ({ status, queued_at, not_before }: Run, nowMs: number) =>
  status === "queued" && nowMs - Date.parse(not_before ?? queued_at) > lateMs;

/**
 * A failing job, since the first of its consecutive failed runs among the known runs. Runs that succeeded may be
 * missing.
 */
function failing(job: Job, runs: readonly Run[]): Pick<AttentionItem, "what" | "cause" | "since" | "runId"> {
  const ended = runs.filter(({ status }) => status === "failed" || status === "succeeded");
  const success = ended.findIndex(({ status }) => status === "succeeded");
  const failed = (success < 0 ? ended : ended.slice(0, success)).slice(0, job.failures);
  const [newest] = failed;
  return {
    what: "failing",
    cause: newest?.error ?? "Its last run failed.",
    since: failed.at(-1)?.queued_at ?? job.last_run?.ended_at ?? null,
    runId: newest?.id ?? job.last_run?.id,
  };
}

const withoutDot = (text: string) => (text.endsWith(".") ? text.slice(0, -1) : text);
