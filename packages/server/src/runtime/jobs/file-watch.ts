import { isS3Path } from "@lakehelm/engine";
import type { Dependencies } from "../../core/dependencies.ts";
import { createNews } from "../../core/store/other-servers.ts";
import {
  evaluateFiles,
  type FileArrivalTrigger,
  type FileTriggerMemory,
  type FoundFile,
  type UnstableFiles,
  unstableFiles,
} from "./file-trigger.ts";
import type { JobRows } from "./job-rows.ts";
import { filesAt } from "./list-files.ts";
import type { IsActive } from "./scheduler.ts";
import type { WatchChange } from "./watch-change.ts";

/** A hanging network file system blocks at most this many threads. */
const pollsAtOnce = 2;

/** A job with a file trigger, between two polls. */
interface WatchedJob {
  readonly environmentId: string;
  readonly subject: string;
  readonly trigger: FileArrivalTrigger;
  nextPoll: number;
  isPolling: boolean;
  unstable: UnstableFiles;
  /** The problem that the job shows; null: unknown. */
  reported: string | undefined | null;
}

export interface FileWatchOptions {
  readonly pollSeconds: number;
  readonly mayRun: (environmentId: string) => boolean;
  readonly isActive: IsActive;
  /** Resolves the path of a trigger on this machine; throws if it must not be read. */
  readonly resolvePath: (environmentId: string, path: string) => Promise<string>;
  /** The files in object storage that a job waits for. Their credentials are those of its connector. */
  readonly remoteFiles: (subject: string, path: string) => Promise<readonly FoundFile[]>;
  /** Monotonic clock in milliseconds, to measure a poll. */
  readonly stopwatch: () => number;
}

/** Polls for the jobs with a file trigger, each at its own time. */
export interface FileWatch {
  /** Polls the due jobs that are not being polled. Returns whether a run was queued. */
  poll(): Promise<boolean>;
}

export function createFileWatch(
  { store, system }: Dependencies,
  rows: JobRows,
  changes: WatchChange,
  { pollSeconds, mayRun, isActive, resolvePath, remoteFiles, stopwatch }: FileWatchOptions,
): FileWatch {
  let watched = new Map<string, WatchedJob>();
  let stamp = "";
  let polling = 0;
  const hasNews = createNews(store.engine);

  async function readJobs(now: number): Promise<void> {
    if (!hasNews()) return;
    const found = await rows.filesStamp();
    if (found === stamp) return;
    stamp = found;
    const jobs = await rows.waitingForFiles();
    const next = new Map<string, WatchedJob>();
    for (const [n, { id, environmentId, subject, definition }] of jobs.entries()) {
      const { trigger } = definition;
      if (trigger.kind !== "file_arrival") continue;
      const known = watched.get(id);
      const isSame = known && JSON.stringify(known.trigger) === JSON.stringify(trigger);
      // New jobs are spread over the poll interval.
      const nextPoll = now + Math.floor((pollSeconds * 1000 * n) / jobs.length);
      next.set(
        id,
        isSame
          ? known
          : {
              environmentId,
              subject,
              trigger,
              nextPoll: nextPoll,
              isPolling: false,
              unstable: new Map(),
              reported: null,
            },
      );
    }
    watched = next;
  }

  async function reportProblem(id: string, job: WatchedJob, problem: string | undefined): Promise<void> {
    if (job.reported === problem) return;
    await changes.reportProblem(id, problem);
    job.reported = problem;
  }

  async function pollJob(id: string, job: WatchedJob): Promise<boolean> {
    job.isPolling = true;
    const began = stopwatch();
    try {
      if (!(await isActive(job.environmentId))) return false;
      const { path } = job.trigger;
      const found = isS3Path(path)
        ? await remoteFiles(job.subject, path)
        : await filesAt(await resolvePath(job.environmentId, path));
      await reportProblem(id, job, undefined);
      return await changes.decide(id, (_, memory, now) => {
        const known = memory as FileTriggerMemory;
        job.unstable = unstableFiles(found, known, job.unstable, now.getTime());
        return evaluateFiles(job.trigger, known, found, job.unstable, now);
      });
    } catch (error) {
      await reportProblem(id, job, (error as Error).message);
      return false;
    } finally {
      // Polls of very many files are less frequent: they may take a tenth of the time at most.
      const wait = Math.max(pollSeconds * 1000, 10 * (stopwatch() - began));
      job.nextPoll = system.monotonicMs() + Math.ceil(wait);
      job.isPolling = false;
    }
  }

  return {
    async poll() {
      const now = system.monotonicMs();
      await readJobs(now);
      const due = [...watched].filter(
        ([, { nextPoll, isPolling, environmentId }]) =>
          !isPolling && nextPoll <= now && mayRun(environmentId),
      );
      let queued = false;
      const walk = async () => {
        polling += 1;
        for (let one = due.shift(); one; one = due.shift()) queued = (await pollJob(...one)) || queued;
        polling -= 1;
      };
      await Promise.all(Array.from({ length: pollsAtOnce - polling }, walk));
      return queued;
    },
  };
}
