import type { Dependencies } from "../../core/dependencies.ts";
import {
  type FileArrivalTrigger,
  type FilesSeen,
  type Growing,
  growingOf,
  lookAtFiles,
} from "./file-trigger.ts";
import type { JobRows } from "./job-rows.ts";
import { filesAt } from "./list-files.ts";
import type { WatchChange } from "./watch-change.ts";

/** A hanging network file system blocks at most this many threads. */
const looksAtOnce = 2;

/** A job with a file trigger, between two polls. */
interface Watched {
  readonly environmentId: string;
  readonly trigger: FileArrivalTrigger;
  nextLook: number;
  isLooking: boolean;
  growing: Growing;
  /** The problem that the job shows; null: unknown. */
  told: string | undefined | null;
}

export interface FileWatchOptions {
  readonly lookSeconds: number;
  readonly mayRun: (environmentId: string) => boolean;
  /** Resolves the path of a trigger on this machine; throws if it must not be read. */
  readonly resolvePath: (environmentId: string, path: string) => string;
  /** Monotonic clock in milliseconds, to measure a poll. */
  readonly stopwatch: () => number;
}

/** Polls for the jobs with a file trigger, each at its own time. */
export interface FileWatch {
  /** Polls the due jobs that are not being polled. Returns whether a run was queued. */
  look(): Promise<boolean>;
}

export function createFileWatch(
  { system }: Dependencies,
  rows: JobRows,
  watching: WatchChange,
  { lookSeconds, mayRun, resolvePath, stopwatch }: FileWatchOptions,
): FileWatch {
  let watched = new Map<string, Watched>();
  let stamp = "";
  let looking = 0;

  async function readJobs(now: number): Promise<void> {
    const found = await rows.filesStamp();
    if (found === stamp) return;
    stamp = found;
    const jobs = await rows.waitingForFiles();
    const next = new Map<string, Watched>();
    for (const [n, { id, environmentId, definition }] of jobs.entries()) {
      const { trigger } = definition;
      if (trigger.kind !== "file_arrival") continue;
      const known = watched.get(id);
      const isSame = known && JSON.stringify(known.trigger) === JSON.stringify(trigger);
      // New jobs are spread over the poll interval.
      const nextLook = now + Math.floor((lookSeconds * 1000 * n) / jobs.length);
      next.set(
        id,
        isSame
          ? known
          : { environmentId, trigger, nextLook, isLooking: false, growing: new Map(), told: null },
      );
    }
    watched = next;
  }

  async function tell(id: string, job: Watched, problem: string | undefined): Promise<void> {
    if (job.told === problem) return;
    await watching.tell(id, problem);
    job.told = problem;
  }

  async function lookAt(id: string, job: Watched): Promise<boolean> {
    job.isLooking = true;
    const began = stopwatch();
    try {
      const found = await filesAt(resolvePath(job.environmentId, job.trigger.path));
      await tell(id, job, undefined);
      return await watching.decide(id, (_, memory, now) => {
        const seen = memory as FilesSeen;
        job.growing = growingOf(found, seen, job.growing, now.getTime());
        return lookAtFiles(job.trigger, seen, found, job.growing, now);
      });
    } catch (error) {
      await tell(id, job, (error as Error).message);
      return false;
    } finally {
      // Polls of very many files are less frequent: they may take a tenth of the time at most.
      const wait = Math.max(lookSeconds * 1000, 10 * (stopwatch() - began));
      job.nextLook = system.now().getTime() + Math.ceil(wait);
      job.isLooking = false;
    }
  }

  return {
    async look() {
      const now = system.now().getTime();
      await readJobs(now);
      const due = [...watched].filter(
        ([, { nextLook, isLooking, environmentId }]) =>
          !isLooking && nextLook <= now && mayRun(environmentId),
      );
      let queued = false;
      const walk = async () => {
        looking += 1;
        for (let one = due.shift(); one; one = due.shift()) queued = (await lookAt(...one)) || queued;
        looking -= 1;
      };
      await Promise.all(Array.from({ length: looksAtOnce - looking }, walk));
      return queued;
    },
  };
}
