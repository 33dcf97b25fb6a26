import { setTimeout as pause } from "node:timers/promises";
import { counted } from "@lakehelm/contract/text";
import type { AcquiredProcess } from "../../core/processes.ts";
import type { OwnPorts } from "../outbound/own-ports.ts";
import { DataFolderLost, type Observation, type PlatformOutcome } from "../platforms/platform.ts";
import { exceededMemory } from "./confinement/program-groups.ts";
import { lastLines, maxLines } from "./exit-message.ts";
import { isHealthy } from "./health.ts";
import { createInFlightRequests } from "./in-flight-requests.ts";
import type { Launcher, ProcessInstance } from "./launcher.ts";
import type { ProcessLog } from "./log-file.ts";
import { type Marks, memoryOf, type OsProcess } from "./operating-system.ts";
import { endProcess, membersOf, startedBy } from "./process-end.ts";
import type { ProcessRecord, ProcessStart } from "./process-rows.ts";
import type { ProcessTiming } from "./timing.ts";

/** How to end a process: the maximum waits for its requests and for the process itself. */
interface EndOptions {
  readonly drainMs: number;
  readonly termMs: number;
  /** Whether another server, or this server after a restart, continues with the process. */
  readonly isInterruption: boolean;
}

/** A supervised process: started, monitored, restarted. */
export interface SupervisedProcess {
  readonly record: ProcessRecord;
  readonly port: number | undefined;
  /** The outcome of the first start: the process responds, or the reason why it does not. */
  readonly first: Promise<PlatformOutcome>;
  acquire(): AcquiredProcess | undefined;
  /** The size of its log when it was last checked, in bytes. */
  readonly logged: number;
  /** Called periodically: checks the memory, the log, and whether an adopted process still runs. */
  check(all: readonly OsProcess[], marks: Marks): Promise<void>;
  /** Ends it permanently. */
  end(endOptions: EndOptions): Promise<void>;
}

interface SupervisedOptions {
  readonly launcher: Launcher;
  readonly ownPorts: Pick<OwnPorts, "add" | "delete">;
  readonly log: ProcessLog;
  readonly timing: ProcessTiming;
  readonly memoryMb: number;
  readonly now: () => Date;
  readonly save: (record: ProcessRecord) => Promise<void>;
  readonly onObservation: (id: string) => void;
  readonly onError: (error: unknown) => void;
  /** Called when the process is ended because of its log. */
  readonly onLogBurst: () => void;
  /**
   * If the first start of a deploy fails, it is not retried: the caller gets the reason. Processes that a server finds
   * at startup are retried.
   */
  readonly stopsAfterFirst: boolean;
}

export function supervise(
  from: ProcessRecord,
  adopted: ProcessInstance | undefined,
  options: SupervisedOptions,
): SupervisedProcess {
  const { launcher, log, timing, now } = options;
  const ending = new AbortController();
  const first = Promise.withResolvers<PlatformOutcome>();
  first.promise.catch(() => {});
  let record = from;
  let instance: ProcessInstance | undefined;
  let isUp = false;
  let logged = 0;
  let endOptions: EndOptions = { drainMs: 0, termMs: timing.termMs, isInterruption: false };
  const inFlight = createInFlightRequests();
  let trimming: Promise<void> | undefined;
  /** Why the process ended before its last restart. */
  let lastEnd: string | undefined;

  async function save(change: Partial<ProcessRecord>): Promise<void> {
    record = { ...record, ...change };
    await options.save(record);
  }
  async function observe(observation: Observation): Promise<void> {
    await save({ observation });
    options.onObservation(record.id);
  }
  /** A log that cannot be written or read does not stop the process. */
  const note = (line: string) => log.note(`${now().toISOString()} ${line}`).catch(options.onError);

  const limitOf = ({ manifest }: ProcessInstance) => manifest.memoryMb ?? options.memoryMb;

  const trim = (seen: number) =>
    log
      .trim(() => ending.signal.aborted, seen)
      .catch(options.onError)
      .finally(() => {
        trimming = undefined;
      });

  async function saveStart(start: ProcessStart): Promise<void> {
    await save({ start });
    if (start.pid === null) await note(`starting with port ${start.port}`);
  }

  async function run(): Promise<void> {
    let found = adopted;
    for (;;) {
      const why = await runOnce(found);
      found = undefined;
      if (ending.signal.aborted || !(await restarts(why))) return;
    }
  }

  /** Runs the process from its start to its end; returns why it ended. */
  async function runOnce(found: ProcessInstance | undefined): Promise<string> {
    let current: ProcessInstance;
    try {
      current = found ?? (await launcher.launch(record, log, saveStart));
    } catch (error) {
      return `It could not be started: ${(error as Error).message}`;
    }
    instance = current;
    options.ownPorts.add(current.port);
    if (ending.signal.aborted) current.ended.abort("It was stopped.");
    const end = (await waitUntilHealthy(current)) ?? (await waitUntilEnded(current));
    const why = (await exceededMemory(current.identity.group))
      ? `It used more than its limit of ${limitOf(current)} MB, and was ended.`
      : end;
    isUp = false;
    if (ending.signal.aborted) await inFlight.drained(endOptions.drainMs);
    await endProcess(
      current.identity,
      ending.signal.aborted || !current.ended.signal.aborted ? endOptions.termMs : 0,
    );
    current.token.stop();
    options.ownPorts.delete(current.port);
    instance = undefined;
    await note(ending.signal.aborted ? "stopped" : why);
    return why;
  }

  async function waitUntilHealthy({ port, manifest, ended }: ProcessInstance): Promise<string | undefined> {
    const until = performance.now() + timing.startMs;
    while (!ended.signal.aborted) {
      const isUpNow = await isHealthy(port, manifest.healthPath, timing.healthTimeoutMs);
      if (ended.signal.aborted) break;
      if (isUpNow) {
        isUp = true;
        first.resolve({ done: true, reference: null });
        const times = record.ends.length;
        const message = lastEnd === undefined ? null : `${lastEnd} It was restarted (restart ${times}).`;
        await observe({ observed_state: "running", message });
        return undefined;
      }
      if (performance.now() > until) {
        return `It did not answer GET ${manifest.healthPath} on its port within ${timing.startMs / 1000} s.`;
      }
      await sleep(timing.startPollMs, ended.signal);
    }
    return ended.signal.reason;
  }

  async function waitUntilEnded({ port, manifest, ended }: ProcessInstance): Promise<string> {
    let misses = 0;
    while (misses < timing.maxMisses) {
      await sleep(timing.healthMs, ended.signal);
      if (ended.signal.aborted) return ended.signal.reason;
      misses = (await isHealthy(port, manifest.healthPath, timing.healthTimeoutMs)) ? 0 : misses + 1;
    }
    return ended.signal.aborted
      ? ended.signal.reason
      : `It did not answer GET ${manifest.healthPath} ${counted(timing.maxMisses, "time")} in a row.`;
  }

  /** After an unexpected end: waits for the next start, or gives up. */
  async function restarts(why: string): Promise<boolean> {
    const since = new Date(now().getTime() - timing.windowMs).toISOString();
    const ends = [...record.ends.filter((time) => time > since), now().toISOString()];
    const isFirst = record.observation === null;
    await save({ ends });
    const { lines } = await log.read(undefined, maxLines).catch(() => ({ lines: [] }));
    const reason = `${why}${lastLines(lines)}`;
    first.resolve({ done: false, reason });
    if (isFirst && options.stopsAfterFirst) {
      await observe({ observed_state: "failed", message: reason });
      return false;
    }
    if (ends.length >= timing.maxEnds) {
      const often = `It ended ${counted(ends.length, "time")} within ${counted(timing.windowMs / 60_000, "minute")} and will not be restarted until you start it. `;
      await observe({ observed_state: "failed", message: `${often}${reason}` });
      return false;
    }
    lastEnd = why;
    const waitMs = Math.min(timing.maxBackoffMs, timing.backoffMs * 2 ** (ends.length - 1));
    const again = `It is restarted in ${waitMs / 1000} s (restart ${ends.length}).`;
    await observe({ observed_state: "pending", message: `${why} ${again}` });
    await sleep(waitMs, ending.signal);
    return !ending.signal.aborted;
  }

  const running = run().catch(options.onError);

  return {
    get record() {
      return record;
    },
    get port() {
      return instance?.port;
    },
    first: first.promise,
    get logged() {
      return logged;
    },
    acquire: () => (isUp && instance && !ending.signal.aborted ? inFlight.acquire(instance.port) : undefined),
    async check(all, marks) {
      const current = instance;
      if (!current || current.ended.signal.aborted) return;
      if (
        current.isAdopted &&
        !membersOf(all, current.identity).some(({ pid }) => pid === current.identity.pid)
      ) {
        return current.ended.abort("It ended.");
      }
      const limit = limitOf(current);
      const used = Math.round((await memoryOf(startedBy(all, marks, current.identity))) / 1024 / 1024);
      if (used > limit)
        current.ended.abort(`It used ${used} MB, more than its limit of ${limit} MB, and was ended.`);
      logged = await log.size();
      // Archiving may take seconds: the other processes are checked meanwhile.
      if (!ending.signal.aborted) trimming ??= trim(logged);
      if (logged <= maxLogBurst) return;
      options.onLogBurst();
      current.ended.abort(`It wrote ${Math.round(logged / megabyte)} MB to its log at once, and was ended.`);
    },
    async end(how) {
      endOptions = how;
      if (how.isInterruption)
        first.reject(
          new DataFolderLost("This server lost the lease of the data folder before the process was started."),
        );
      first.resolve({ done: false, reason: "It was stopped while it was being started." });
      ending.abort();
      instance?.ended.abort("It was stopped.");
      await running;
      // After this, the next server writes to the archive.
      await trimming;
    },
  };
}

const megabyte = 1024 * 1024;

/**
 * The limit for output between two checks. The log keeps 10 MB, but a fast writer could fill the disk before the next
 * check.
 */
export const maxLogBurst = 256 * megabyte;

/** Ends early with the signal; does not keep the server process alive. */
const sleep = (ms: number, signal: AbortSignal) =>
  pause(ms, undefined, { signal, ref: false }).catch(() => {});
