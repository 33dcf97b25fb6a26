import { hash } from "node:crypto";
import type { JobTrigger } from "@lakehelm/contract";
import type { TriggeredRun } from "./due-job.ts";

export type FileArrivalTrigger = Extract<JobTrigger, { kind: "file_arrival" }>;

/** A file as one poll found it. */
export interface FoundFile {
  readonly path: string;
  readonly size: number;
  readonly modifiedMs: number;
  /** In object storage: changes with the content. */
  readonly version?: string;
}

/** The files that already had a run: a short hash of each, which changes with the file. */
export interface FileTriggerMemory {
  readonly files?: readonly string[];
  readonly fired_at?: string;
}

/** Files without a run yet, by hash: when each was first observed in its current state. */
export type UnstableFiles = ReadonlyMap<string, number>;

/** Files per run; the rest is left to the next run, because a run carries the list of its files. */
const maxFilesPerRun = 1000;

/** 72 bits: for a million files the probability of a collision is below 10⁻⁹. */
const fingerprintOf = ({ path, size, modifiedMs, version = String(modifiedMs) }: FoundFile) =>
  hash("sha256", `${size} ${version} ${path}`, "base64url").slice(0, 12);

/** New and changed files, with the time since when each is unchanged. */
export function unstableFiles(
  found: readonly FoundFile[],
  memory: FileTriggerMemory,
  before: UnstableFiles,
  now: number,
): Map<string, number> {
  const known = new Set(memory.files);
  const unstable = new Map<string, number>();
  for (const file of found) {
    const fingerprint = fingerprintOf(file);
    if (!known.has(fingerprint)) unstable.set(fingerprint, Math.min(before.get(fingerprint) ?? now, now));
  }
  return unstable;
}

/** What a poll means for a job with a file trigger; undefined: nothing. */
export function evaluateFiles(
  { quiet_seconds, minimum_seconds }: FileArrivalTrigger,
  memory: FileTriggerMemory,
  found: readonly FoundFile[],
  unstable: UnstableFiles,
  now: Date,
): { readonly memory: FileTriggerMemory; readonly fired: TriggeredRun } | undefined {
  // A time in the future comes from a clock that was ahead, and is ignored.
  const firedAt = memory.fired_at === undefined ? Number.NaN : Date.parse(memory.fired_at);
  if (firedAt <= now.getTime() && now.getTime() < firedAt + minimum_seconds * 1000) return undefined;
  const known = new Set(memory.files);
  // Observed in at least two polls: one poll cannot tell a growing file from a complete one.
  const isDone = (since: number | undefined) =>
    since !== undefined && since < now.getTime() && now.getTime() - since >= quiet_seconds * 1000;
  const files = found.map((file) => ({ path: file.path, fingerprint: fingerprintOf(file) }));
  const ready = files
    .filter(({ fingerprint }) => !known.has(fingerprint) && isDone(unstable.get(fingerprint)))
    .slice(0, maxFilesPerRun);
  if (ready.length === 0) return undefined;
  const time = now.toISOString();
  const taken = new Set(ready.map(({ fingerprint }) => fingerprint));
  return {
    // Deleted files and earlier states of changed files are dropped here.
    memory: {
      files: files.map(({ fingerprint }) => fingerprint).filter((one) => known.has(one) || taken.has(one)),
      fired_at: time,
    },
    fired: {
      slot: `files/${time}`,
      cause: { trigger: "file_arrival", by: null, time, files: ready.map(({ path }) => path).sort() },
    },
  };
}
