import { setTimeout as sleep } from "node:timers/promises";
import type { Run } from "@lakehelm/contract";
import { openSession, type Session } from "../connection/session.ts";
import { Failure } from "../failure.ts";
import { type GlobalOptions, outputOf } from "../globals.ts";
import { type Io, tell } from "../io.ts";
import { oneLine } from "../output/escape.ts";
import { type OutputOptions, printValue } from "../output/print.ts";
import { createStatusLine } from "../output/status-line.ts";
import { firstLine } from "../output/table.ts";
import { lastRun, lineText } from "./logs.ts";

export async function watch(io: Io, run: string, globals: GlobalOptions): Promise<void> {
  const session = await openSession(io, globals);
  await watchRun(session, await lastRun(session, run), outputOf(globals));
}

const isFinal = ({ status }: Run) => status !== "queued" && status !== "running";

/** Without an event, the run is read again after this time, because its counters change without events. */
const pauseMs = 1500;

/** Follows a run to its end: prints its log, and on a terminal shows its state in a line below. */
export async function watchRun(session: Session, run_id: string, output: OutputOptions): Promise<void> {
  const { client, io } = session;
  const { signal } = io;
  const params = { run_id };
  const changes = followChanges(session, run_id);
  const isForPeople = output.output === "table" && output.query === undefined;
  const line = createStatusLine(io, isForPeople);
  const ended = new AbortController();
  const printLog = async () => {
    const lines = client.followLog("readRunLog", {
      params,
      after: 0,
      signal: AbortSignal.any([signal, ended.signal]),
    });
    for await (const entry of lines) {
      await line.print(lineText(entry));
      changes.wake();
    }
  };
  try {
    // The log ends when the run ends.
    const log = printLog();
    log.catch(() => changes.wake());
    let run: Run;
    let last = "";
    for (;;) {
      run = await client.getRun({ params, signal });
      if (isFinal(run)) break;
      line.show(summaryOf(run));
      // Without a terminal, a line is printed only if the state has changed.
      if (isForPeople && !line.isAnimated && run.status !== last) io.stderr.write(`${summaryOf(run)}\n`);
      last = run.status;
      await atMost(pauseMs, changes.next(), signal);
    }
    await log;
    line.clear();
    if (isForPeople) await tell(io, `${summaryOf(run)}\n`);
    else await printValue(io, run, output);
    if (run.status !== "succeeded")
      throw new Failure(`The run ${run_id} ${run.status === "failed" ? "has failed" : `is ${run.status}`}.`);
  } finally {
    line.clear();
    ended.abort();
    changes.stop();
  }
}

/** Waits for an event for at most this time. The timer ends with the wait. */
async function atMost(ms: number, event: Promise<void>, signal: AbortSignal): Promise<void> {
  const done = new AbortController();
  try {
    await Promise.race([event, sleep(ms, undefined, { signal: AbortSignal.any([signal, done.signal]) })]);
  } finally {
    done.abort();
  }
}

/** Waits for events about the run. Without the event stream, the wait never ends. */
function followChanges({ client, io }: Session, runId: string) {
  const ended = new AbortController();
  const signal = AbortSignal.any([io.signal, ended.signal]);
  let resume = () => {};
  let isNew = false;
  const wake = () => {
    isNew = true;
    resume();
  };
  const follow = async () => {
    for await (const _event of client.followEvents({ subject: `run/${runId}`, signal })) wake();
  };
  // A caller who may not read events can still watch the run.
  follow().catch(() => {});
  return {
    async next(): Promise<void> {
      if (!isNew)
        await new Promise<void>((resolve) => {
          resume = resolve;
        });
      isNew = false;
    },
    wake,
    stop: () => ended.abort(),
  };
}

/** `orders-in succeeded after 2.1 s: read 1200, inserted 40`. */
function summaryOf({ name, kind, status, started_at, ended_at, metrics, error }: Run): string {
  const began = started_at === null ? undefined : Date.parse(started_at);
  const end = ended_at === null ? Date.now() : Date.parse(ended_at);
  const time = began === undefined ? "" : ` after ${((end - began) / 1000).toFixed(1)} s`;
  const counters = Object.entries(metrics).filter(([, value]) => typeof value === "number");
  const counted = counters.map(([key, value]) => `${key} ${value}`).join(", ");
  const tasks = tasksOf(metrics);
  // The error is complete in the log above.
  const details = [tasks, counted, error && firstLine(error), handledOf(metrics)]
    .filter((text) => text)
    .join("; ");
  return oneLine(`${name ?? kind ?? "run"} ${status}${time}${details === "" ? "" : `: ${details}`}`);
}

/** Why a run with a failed task has succeeded. */
const handledOf = ({ handled_failures: handled }: Run["metrics"]): string =>
  Array.isArray(handled) ? handled.map((text) => firstLine(String(text))).join(" ") : "";

/** Counts the tasks of an automation, or the tables of a pipeline, by state. */
function tasksOf(metrics: Run["metrics"]): string {
  const parts = metrics.tasks ?? metrics.tables;
  if (typeof parts !== "object" || parts === null) return "";
  const counts = new Map<string, number>();
  for (const part of Object.values(parts)) {
    const state =
      (part as { status?: unknown; state?: unknown } | null)?.status ??
      (part as { state?: unknown } | null)?.state;
    if (typeof state === "string") counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  const states = [...counts].map(([state, count]) => `${count} ${state}`).join(", ");
  return states === "" ? "" : `${metrics.tasks ? "tasks" : "tables"} ${states}`;
}
