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
  /** Of events: the hash before the first one, the hash of the last one, and the latest time of all removed events. */
  readonly chain?: { readonly previous: string; readonly hash: string; readonly time: string };
}

/** A file of the archive, as a line of the manifest describes it. */
export interface ArchiveEntry extends RemovedRecords {
  /** The path of the file in the folder of its kind. */
  readonly file: string;
  /**
   * Where the compressed records begin in the file. Absent: the records are the whole file, as earlier versions wrote
   * it.
   */
  readonly offset?: number;
  /** The size of the records in the file. */
  readonly bytes: number;
  /** The size of their text. */
  readonly text_bytes?: number;
  /** The SHA-256 of their text. */
  readonly sha256: string;
  readonly time: string;
}

export const manifestName = "manifest.jsonl";

/** A file of a day, in the folder of its month: `2026-03/runs-2026-03-01.jsonl.gz`. A day has more than one if they are large. */
export const dayFile = (kind: RetainedKind, time: Date, part: number): string => {
  const day = time.toISOString().slice(0, 10);
  return `${day.slice(0, 7)}/${kind}-${day}${part === 1 ? "" : `-${part}`}.jsonl.gz`;
};

/** Neither form of a path leads out of the folder. */
const isFileName = (name: string): boolean => /^(?:\d{4}-\d{2}\/)?[^/]+$/.test(name) && !name.includes("..");

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
    const isEntry = typeof entry?.file === "string" && typeof entry.mac === "string";
    return isEntry && isFileName(entry.file) ? entry : undefined;
  } catch {
    return undefined;
  }
}
