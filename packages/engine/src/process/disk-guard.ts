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

/**
 * Stops requests that fill the disk before it is full: the control database, which may be on the same disk, must be able
 * to write. Runs are stopped, and queries that spill.
 */
export function guardDisk(options: EngineProcessOptions, active: () => Iterable<GuardedRequest>): () => void {
  const { diskReserveMb, spillFolder: elsewhere } = { ...defaultLimits, ...options.limits };
  const folders = elsewhere === undefined ? [options.folder] : [options.folder, elsewhere];
  let isWatching = false;

  async function check(): Promise<void> {
    const free = await Promise.all(folders.map(freeMb));
    if (Math.min(...free) < diskReserveMb) {
      for (const request of active()) {
        if (writers.has(request.kind) || (await isSpilling(options, request.environments)))
          request.controller.abort(diskFull(diskReserveMb));
      }
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
  return resume;
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

const diskFull = (reserveMb: number): DataProblem =>
  new DataProblem(`The request was stopped because the disk has less than ${reserveMb} MB of free space.`, {
    retryable: true,
  });
