import { hash } from "node:crypto";
import type { JobTrigger } from "@lakehelm/contract";
import type { TriggeredRun } from "./due-job.ts";

export type FileArrivalTrigger = Extract<JobTrigger, { kind: "file_arrival" }>;

/** A file as one poll found it. */
export interface FoundFile {
  readonly path: string;
  readonly size: number;
  readonly modifiedMs: number;
}

/** The files that already had a run: a short hash of each, which changes with the file. */
export interface FilesSeen {
  readonly files?: readonly string[];
  readonly fired_at?: string;
}

/** Files without a run yet, by hash: when each was first seen in its current state. */
export type Growing = ReadonlyMap<string, number>;

/** Files per run; the rest is left to the next run, because a run carries the list of its files. */
const mostOfRun = 1000;

/** 72 bits: for a million files the probability of a collision is below 10⁻⁹. */
const markOf = ({ path, size, modifiedMs }: FoundFile) =>
  hash("sha256", `${size} ${modifiedMs} ${path}`, "base64url").slice(0, 12);

/** New and changed files, with the time since when each is unchanged. */
export function growingOf(
  found: readonly FoundFile[],
  seen: FilesSeen,
  before: Growing,
  now: number,
): Map<string, number> {
  const known = new Set(seen.files);
  const growing = new Map<string, number>();
  for (const file of found) {
    const mark = markOf(file);
    if (!known.has(mark)) growing.set(mark, before.get(mark) ?? now);
  }
  return growing;
}

/** What a poll means for a job with a file trigger; undefined: nothing. */
export function lookAtFiles(
  { quiet_seconds, minimum_seconds }: FileArrivalTrigger,
  seen: FilesSeen,
  found: readonly FoundFile[],
  growing: Growing,
  now: Date,
): { readonly memory: FilesSeen; readonly fired: TriggeredRun } | undefined {
  const earliest = seen.fired_at === undefined ? 0 : Date.parse(seen.fired_at) + minimum_seconds * 1000;
  if (now.getTime() < earliest) return undefined;
  const known = new Set(seen.files);
  // Seen in at least two polls: one poll cannot tell a growing file from a complete one.
  const isDone = (since: number | undefined) =>
    since !== undefined && since < now.getTime() && now.getTime() - since >= quiet_seconds * 1000;
  const marked = found.map((file) => ({ path: file.path, mark: markOf(file) }));
  const arrived = marked
    .filter(({ mark }) => !known.has(mark) && isDone(growing.get(mark)))
    .slice(0, mostOfRun);
  if (arrived.length === 0) return undefined;
  const time = now.toISOString();
  const taken = new Set(arrived.map(({ mark }) => mark));
  return {
    // Deleted files and earlier states of changed files are dropped here.
    memory: {
      files: marked.map(({ mark }) => mark).filter((mark) => known.has(mark) || taken.has(mark)),
      fired_at: time,
    },
    fired: {
      slot: `files/${time}`,
      cause: { trigger: "file_arrival", by: null, time, files: arrived.map(({ path }) => path).sort() },
    },
  };
}
