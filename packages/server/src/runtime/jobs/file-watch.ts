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

/** A hanging network file system blocks the looks at it, and no more than so many threads. */
const looksAtOnce = 2;

/** A job that waits for files, between two looks. */
interface Watched {
  readonly environmentId: string;
  readonly trigger: FileArrivalTrigger;
  nextLook: number;
  isLooking: boolean;
  growing: Growing;
  /** The problem that the job shows; null: not known yet. */
  told: string | undefined | null;
}

export interface FileWatchOptions {
  readonly lookSeconds: number;
  readonly mayRun: (environmentId: string) => boolean;
  /** Where a path of a trigger is on this machine; throws where it may not be looked at. */
  readonly resolvePath: (environmentId: string, path: string) => string;
  /** Monotonic, in milliseconds: how long a look takes. */
  readonly stopwatch: () => number;
}

/** The jobs that wait for files: each looks by itself, at its own time. */
export interface FileWatch {
  /** Looks where it is time to, and where no look is still going on. Answers whether a run was queued. */
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
      // Those that are new are spread over the time between two looks.
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
      // A look at very many files is repeated less often: it gets a tenth of the time at the most.
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
