import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { defaultLimits } from "../protocol/limits.ts";
import { DataProblem } from "../protocol/problem.ts";
import type { RequestKind } from "../protocol/requests.ts";
import { freeMb, spillFolder } from "../warehouse/warehouse.ts";
import type { EngineProcessOptions } from "./messages.ts";

export interface GuardedRequest {
  readonly kind: RequestKind;
  readonly environments: ReadonlySet<string>;
  readonly controller: AbortController;
}

const checkMs = 500;
/** Requests that write tables. */
const writers: ReadonlySet<RequestKind> = new Set(["transfer", "capture", "flow", "pipeline", "script"]);

export interface DiskGuard {
  /** Throws a DataProblem if a request of this kind would write to a disk that is nearly full. */
  require(kind: RequestKind): Promise<void>;
  /** Watches the disk while requests are active. */
  resume(): void;
}

/**
 * Refuses and stops requests that fill the disk before it is full: the control database, which may be on the same disk, must be
 * able to write. Runs are stopped, and queries that spill.
 */
export function guardDisk(options: EngineProcessOptions, active: () => Iterable<GuardedRequest>): DiskGuard {
  const { diskReserveMb, spillFolder: elsewhere } = { ...defaultLimits, ...options.limits };
  const folders = elsewhere === undefined ? [options.folder] : [options.folder, elsewhere];
  let isWatching = false;

  /** Undefined if there is enough space. */
  async function shortage(): Promise<DataProblem | undefined> {
    // A folder that does not exist yet is not checked.
    const free = Math.min(
      ...(await Promise.all(folders.map((folder) => freeMb(folder).catch(() => Infinity)))),
    );
    return free < diskReserveMb ? nearlyFull(free, diskReserveMb) : undefined;
  }

  async function check(): Promise<void> {
    const problem = await shortage();
    if (!problem) return;
    for (const request of active()) {
      if (writers.has(request.kind) || (await isSpilling(options, request.environments)))
        request.controller.abort(problem);
    }
  }
  const resume = () => {
    if (isWatching) return;
    isWatching = true;
    setTimeout(async () => {
      await check().catch(() => {});
      isWatching = false;
      if ([...active()].length > 0) resume();
    }, checkMs).unref();
  };
  return {
    resume,
    async require(kind) {
      const problem = writers.has(kind) ? await shortage() : undefined;
      if (problem) throw problem;
    },
  };
}

async function isSpilling(
  options: EngineProcessOptions,
  environments: ReadonlySet<string>,
): Promise<boolean> {
  for (const environment of environments) {
    const folder = join(options.folder, environment);
    const files = await readdir(spillFolder({ folder, limits: options.limits ?? {} })).catch(() => []);
    if (files.length > 0) return true;
  }
  return false;
}

/**
 * Retryable: the server starts no attempt before there is enough space. A run that fills the disk itself has as many
 * attempts as any other run.
 */
const nearlyFull = (free: number, reserveMb: number): DataProblem =>
  new DataProblem(
    `The disk of the data folder has ${Math.floor(free)} MB of free space, less than the ${reserveMb} MB that must stay free (PLATFORM_DISK_RESERVE_MB), so the request was stopped and nothing was written. Free some space, then run it again.`,
    { retryable: true },
  );

/** The operating system's words for a disk without space, or a quota that is used up. */
const fullDisk =
  /No space left on device|Disk quota exceeded|\b(?:ENOSPC|EDQUOT)\b|not enough space on the disk/i;

/** Undefined if the error has another cause. */
export const diskProblemOf = (text: string): string | undefined =>
  fullDisk.test(text)
    ? "The disk of the data folder is full, so nothing was written. Free some space, then run it again."
    : undefined;
