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

/** Without a change in the event stream, the run is read again after this time: its counters change meanwhile. */
const pauseMs = 1500;

/** Follows a run to its end: its log above, and on a terminal one line with its state below. */
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
    // The log ends with the run.
    const log = printLog();
    log.catch(() => changes.wake());
    let run: Run;
    let last = "";
    for (;;) {
      run = await client.getRun({ params, signal });
      if (isFinal(run)) break;
      line.show(summaryOf(run));
      // Without a terminal only a change of the state is worth a line.
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

/** Waits for an event, up to a time. The timer does not outlive the wait. */
async function atMost(ms: number, event: Promise<void>, signal: AbortSignal): Promise<void> {
  const done = new AbortController();
  try {
    await Promise.race([event, sleep(ms, undefined, { signal: AbortSignal.any([signal, done.signal]) })]);
  } finally {
    done.abort();
  }
}

/** Resolves whenever the event stream has something new about the run. Without the stream, never. */
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
  // A caller who may not read events still sees the run.
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
  // The log above has the whole error.
  const details = [tasks, counted, error && firstLine(error), handledOf(metrics)]
    .filter((text) => text)
    .join("; ");
  return oneLine(`${name ?? kind ?? "run"} ${status}${time}${details === "" ? "" : `: ${details}`}`);
}

/** Why a run with a failed task has succeeded. */
const handledOf = ({ handled_failures: handled }: Run["metrics"]): string =>
  Array.isArray(handled) ? handled.map((text) => firstLine(String(text))).join(" ") : "";

/** The tasks of an automation, or the tables of a pipeline, by their state. */
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
