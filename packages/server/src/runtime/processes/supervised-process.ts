import { setTimeout as pause } from "node:timers/promises";
import type { AcquiredProcess } from "../../core/processes.ts";
import { DataFolderLost, type Observation, type Outcome } from "../platforms/platform.ts";
import { createLoans } from "./acquired-processes.ts";
import { endProcess, membersOf, startedBy } from "./end-process.ts";
import { lastWords, mostLines } from "./exit-message.ts";
import { answers } from "./health.ts";
import type { Launching, Life } from "./launcher.ts";
import type { ProcessLog } from "./log-file.ts";
import { type Marks, memoryOf, type Seen } from "./operating-system.ts";
import type { ProcessRecord, Start } from "./process-rows.ts";
import type { Pace } from "./timing.ts";

/** How to end a process: the maximum waits for its requests and for the process itself. */
interface Grace {
  readonly lentMs: number;
  readonly termMs: number;
  /** Whether another server, or the next start of this one, continues with it. */
  readonly isInterruption: boolean;
}

/** A supervised process: started, monitored, restarted. */
export interface Supervised {
  readonly record: ProcessRecord;
  readonly port: number | undefined;
  /** The outcome of its first start: it responds, or why it does not. */
  readonly first: Promise<Outcome>;
  lend(): AcquiredProcess | undefined;
  /** Periodically: checks its memory, its log, and whether an adopted process still runs. */
  look(all: readonly Seen[], marks: Marks): Promise<void>;
  /** Ends it permanently. */
  end(grace: Grace): Promise<void>;
}

interface SupervisedOptions {
  readonly launching: Launching;
  readonly log: ProcessLog;
  readonly pace: Pace;
  readonly memoryMb: number;
  readonly now: () => Date;
  readonly save: (record: ProcessRecord) => Promise<void>;
  readonly onSight: (id: string) => void;
  readonly onError: (error: unknown) => void;
  /**
   * If the first start of a deploy fails, it is not retried: the caller gets the reason. Processes that a server finds
   * at startup are retried.
   */
  readonly restsAfterFirst: boolean;
}

export function supervise(
  from: ProcessRecord,
  adopted: Life | undefined,
  options: SupervisedOptions,
): Supervised {
  const { launching, log, pace, now } = options;
  const ending = new AbortController();
  const first = Promise.withResolvers<Outcome>();
  first.promise.catch(() => {});
  let record = from;
  let life: Life | undefined;
  let isUp = false;
  let grace: Grace = { lentMs: 0, termMs: pace.termMs, isInterruption: false };
  const loans = createLoans();
  /** Why it was restarted last. */
  let lastEnd: string | undefined;

  async function save(change: Partial<ProcessRecord>): Promise<void> {
    record = { ...record, ...change };
    await options.save(record);
  }
  async function see(sight: Observation): Promise<void> {
    await save({ sight });
    options.onSight(record.id);
  }
  /** A log that cannot be written or read does not stop the process. */
  const note = (line: string) => log.note(`${now().toISOString()} ${line}`).catch(options.onError);

  async function began(start: Start): Promise<void> {
    await save({ start });
    if (start.pid === null) await note(`starting with port ${start.port}`);
  }

  async function keep(): Promise<void> {
    let found = adopted;
    for (;;) {
      const why = await live(found);
      found = undefined;
      if (ending.signal.aborted || !(await goesOn(why))) return;
    }
  }

  /** From its start to its end; returns why it ended. */
  async function live(found: Life | undefined): Promise<string> {
    let mine: Life;
    try {
      mine = found ?? (await launching.launch(record, log, began));
    } catch (error) {
      return `It could not be started: ${(error as Error).message}`;
    }
    life = mine;
    if (ending.signal.aborted) mine.over.abort("It was stopped.");
    const why = (await untilItAnswers(mine)) ?? (await untilItEnds(mine));
    isUp = false;
    if (ending.signal.aborted) await loans.returned(grace.lentMs);
    await endProcess(mine.known, ending.signal.aborted || !mine.over.signal.aborted ? grace.termMs : 0);
    mine.token.stop();
    life = undefined;
    await note(ending.signal.aborted ? "stopped" : why);
    return why;
  }

  async function untilItAnswers({ port, manifest, over }: Life): Promise<string | undefined> {
    const until = performance.now() + pace.startMs;
    while (!over.signal.aborted) {
      const isWell = await answers(port, manifest.healthPath, pace.healthTimeoutMs);
      if (over.signal.aborted) break;
      if (isWell) {
        isUp = true;
        first.resolve({ done: true, reference: null });
        const times = record.ends.length;
        const message =
          lastEnd === undefined ? null : `${lastEnd} Started again for the ${ordinal(times)} time.`;
        await see({ observed_state: "running", message });
        return undefined;
      }
      if (performance.now() > until) {
        return `It did not answer GET ${manifest.healthPath} at its port within ${pace.startMs / 1000} s.`;
      }
      await nap(pace.startLookMs, over.signal);
    }
    return over.signal.reason;
  }

  async function untilItEnds({ port, manifest, over }: Life): Promise<string> {
    let misses = 0;
    while (misses < pace.misses) {
      await nap(pace.healthMs, over.signal);
      if (over.signal.aborted) return over.signal.reason;
      misses = (await answers(port, manifest.healthPath, pace.healthTimeoutMs)) ? 0 : misses + 1;
    }
    return over.signal.aborted
      ? over.signal.reason
      : `It did not answer GET ${manifest.healthPath} ${pace.misses} times in a row.`;
  }

  /** After an unexpected end: waits for the next start, or gives up. */
  async function goesOn(why: string): Promise<boolean> {
    const since = new Date(now().getTime() - pace.windowMs).toISOString();
    const ends = [...record.ends.filter((time) => time > since), now().toISOString()];
    const isFirst = record.sight === null;
    await save({ ends });
    const { lines } = await log.read(undefined, mostLines).catch(() => ({ lines: [] }));
    const reason = `${why}${lastWords(lines)}`;
    first.resolve({ done: false, reason });
    if (isFirst && options.restsAfterFirst) {
      await see({ observed_state: "failed", message: reason });
      return false;
    }
    if (ends.length >= pace.mostEnds) {
      const often = `It ended ${ends.length} times within ${pace.windowMs / 60_000} minutes, and rests until it is started again. `;
      await see({ observed_state: "failed", message: `${often}${reason}` });
      return false;
    }
    lastEnd = why;
    const waitMs = Math.min(pace.longestBackoffMs, pace.backoffMs * 2 ** (ends.length - 1));
    const again = `It is started again in ${waitMs / 1000} s, for the ${ordinal(ends.length)} time.`;
    await see({ observed_state: "pending", message: `${why} ${again}` });
    await nap(waitMs, ending.signal);
    return !ending.signal.aborted;
  }

  const kept = keep().catch(options.onError);

  return {
    get record() {
      return record;
    },
    get port() {
      return life?.port;
    },
    first: first.promise,
    lend: () => (isUp && life && !ending.signal.aborted ? loans.lend(life.port) : undefined),
    async look(all, marks) {
      const mine = life;
      if (!mine || mine.over.signal.aborted) return;
      if (mine.isAdopted && !membersOf(all, mine.known).some(({ pid }) => pid === mine.known.pid)) {
        return mine.over.abort("It ended.");
      }
      const limit = mine.manifest.memoryMb ?? options.memoryMb;
      const used = Math.round((await memoryOf(startedBy(all, marks, mine.known))) / 1024 / 1024);
      if (used > limit)
        mine.over.abort(`It used ${used} MB, more than its limit of ${limit} MB, and was ended.`);
      await log.trim();
    },
    async end(given) {
      grace = given;
      if (given.isInterruption)
        first.reject(new DataFolderLost("This server gave it up before it was started."));
      first.resolve({ done: false, reason: "It was stopped while it was being started." });
      ending.abort();
      life?.over.abort("It was stopped.");
      await kept;
    },
  };
}

/** Ends early with the signal; does not keep the server process alive. */
const nap = (ms: number, signal: AbortSignal) => pause(ms, undefined, { signal, ref: false }).catch(() => {});

function ordinal(n: number): string {
  const ending = n % 100 >= 11 && n % 100 <= 13 ? undefined : ["st", "nd", "rd"][(n % 10) - 1];
  return `${n}${ending ?? "th"}`;
}
