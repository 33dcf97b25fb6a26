import { type EventKey, isArchiveLine, signArchiveLine } from "../events/chain.ts";

/** What retention removes. */
export const retainedKinds = [
  "events",
  "runs",
  "run_logs",
  "deployment_logs",
  "deliveries",
  "process_logs",
] as const;
export type RetainedKind = (typeof retainedKinds)[number];

/** Records that are removed together. Of events, `first` and `last` are sequences; otherwise ids. */
export interface RemovedRecords {
  readonly first: number | string;
  readonly last: number | string;
  readonly count: number;
  /** Of events: the hash before the first one, that of the last one, and the latest time of all removed ones. */
  readonly chain?: { readonly previous: string; readonly hash: string; readonly time: string };
}

/** A file of the archive, as a line of the manifest describes it. */
export interface ArchiveEntry extends RemovedRecords {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly time: string;
}

export const manifestName = "manifest.jsonl";

/** An entry with its MAC, which covers the MAC of the line before: a removed line is noticed. */
export type SignedEntry = ArchiveEntry & { readonly mac: string };

export function signEntry(key: EventKey, previous: string, entry: ArchiveEntry): SignedEntry {
  return { ...entry, mac: signArchiveLine(key, previous, JSON.stringify(entry)) };
}

export function isSignedEntry(key: EventKey, previous: string, { mac, ...entry }: SignedEntry): boolean {
  return isArchiveLine(key, previous, JSON.stringify(entry), mac);
}

/** Undefined if the line is not an entry. */
export function parseEntry(line: string): SignedEntry | undefined {
  try {
    const entry = JSON.parse(line) as SignedEntry;
    return typeof entry?.file === "string" && typeof entry.mac === "string" ? entry : undefined;
  } catch {
    return undefined;
  }
}
