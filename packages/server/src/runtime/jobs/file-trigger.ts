import { hash } from "node:crypto";
import type { JobTrigger } from "@lakehelm/contract";
import type { TriggeredRun } from "./due-job.ts";

export type FileArrivalTrigger = Extract<JobTrigger, { kind: "file_arrival" }>;

/** A file as one look has found it. */
export interface FoundFile {
  readonly path: string;
  readonly size: number;
  readonly modifiedMs: number;
}

/** The files that runs were queued for: a short hash of each, which is another when the file changes. */
export interface FilesSeen {
  readonly files?: readonly string[];
  readonly fired_at?: string;
}

/** Files that no run is for yet, by their hash: when each was first found as it is. */
export type Growing = ReadonlyMap<string, number>;

/** More than so many are left to the next run: a run carries the list of its files. */
const mostOfRun = 1000;

/** 72 bits: among a million files the chance that two share one is below 10⁻⁹. */
const markOf = ({ path, size, modifiedMs }: FoundFile) =>
  hash("sha256", `${size} ${modifiedMs} ${path}`, "base64url").slice(0, 12);

/** The files that have come or changed, and since when each has been as it is. */
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

/** What a job that waits for files makes of a look; undefined: nothing. */
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
  // Found in two looks at least: one look cannot tell a file that grows from one that is done.
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
    // Files that are gone, and what changed files were before, are forgotten here.
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
