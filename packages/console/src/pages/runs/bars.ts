import type { Run } from "@lakehelm/contract";

/** A line of the timeline of a run. */
export interface Bar {
  readonly key: string;
  readonly title: string;
  readonly status: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly note?: string | undefined;
}

interface Retry {
  readonly attempt?: unknown;
  readonly at?: unknown;
  readonly error?: unknown;
}
interface Task {
  readonly name?: unknown;
  readonly status?: unknown;
  readonly started_at?: unknown;
  readonly ended_at?: unknown;
  readonly error?: unknown;
}

/** A bar for the time in the queue, for each attempt, and for each task. */
export function barsOf(run: Run, nowMs: number): Bar[] {
  const queued = Date.parse(run.queued_at);
  const ended = run.ended_at === null ? nowMs : Date.parse(run.ended_at);
  const started = run.started_at === null ? ended : Date.parse(run.started_at);
  const bars: Bar[] = [
    {
      key: "queue",
      title: "In the queue",
      status: "queued",
      fromMs: queued,
      toMs: Math.max(queued, started),
    },
  ];
  if (run.started_at === null) return bars;
  let from = started;
  for (const { attempt, at, error } of listOf<Retry>(run.metrics.retries)) {
    const to = typeof at === "string" ? Date.parse(at) : Number.NaN;
    if (Number.isNaN(to)) continue;
    bars.push({
      key: `attempt ${attempt}`,
      title: `Attempt ${attempt}`,
      status: "failed",
      fromMs: from,
      toMs: to,
      note: textOf(error),
    });
    from = to;
  }
  const title = run.attempt > 1 ? `Attempt ${run.attempt}` : "Run";
  bars.push({
    key: "last",
    title,
    status: run.status,
    fromMs: from,
    toMs: Math.max(from, ended),
    note: run.error ?? undefined,
  });
  for (const task of listOf<Task>(run.metrics.tasks)) {
    const start = typeof task.started_at === "string" ? Date.parse(task.started_at) : Number.NaN;
    if (Number.isNaN(start)) continue;
    const end = typeof task.ended_at === "string" ? Date.parse(task.ended_at) : ended;
    bars.push({
      key: `task ${task.name}`,
      title: String(task.name),
      status: String(task.status ?? "running"),
      fromMs: start,
      toMs: Math.max(start, end),
      note: textOf(task.error),
    });
  }
  return bars;
}

const listOf = <T>(value: unknown): readonly T[] => (Array.isArray(value) ? (value as T[]) : []);
const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);
