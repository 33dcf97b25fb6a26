import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { counted } from "@lakehelm/contract/text";
import { type EventKey, link } from "../events/chain.ts";
import { parseEventText } from "../events/event-text.ts";
import { hasCode } from "../files/disk.ts";
import { linesOf } from "../files/lines.ts";
import {
  isSignedEntry,
  manifestName,
  parseEntry,
  type RetainedKind,
  retainedKinds,
  type SignedEntry,
} from "./archive-entry.ts";
import { readEntry } from "./entry-text.ts";

/** Longer than every line of a manifest. */
const maxLine = 64 * 1024;
/** The name of a month's folder, such as `2026-03`. */
const isMonth = (name: string): boolean => /^\d{4}-\d{2}$/.test(name);

/** What the archive has of one kind of records. */
export interface KindVerdict {
  readonly kind: RetainedKind;
  readonly files: number;
  readonly records: number;
  readonly first: number | string | undefined;
  readonly last: number | string | undefined;
  /** Files whose records a later file has too, after a restored backup: they do not count. */
  readonly replaced: readonly string[];
  /** Files that the manifest does not list: an interrupted write left them, and they do not count. */
  readonly unlisted: readonly string[];
  readonly problems: readonly string[];
}

/** Checks the files of an archive. Without the key, someone who can write to the folder can still forge all of it. */
export async function verifyArchive(folder: string, key: EventKey | undefined): Promise<KindVerdict[]> {
  const found = await readdir(folder);
  const kinds = retainedKinds.filter((kind) => found.includes(kind));
  const verdicts: KindVerdict[] = [];
  for (const kind of kinds) verdicts.push(await verifyKind(join(folder, kind), kind, key));
  return verdicts;
}

async function verifyKind(
  folder: string,
  kind: RetainedKind,
  key: EventKey | undefined,
): Promise<KindVerdict> {
  const { entries, problems } = await readManifest(folder, key);
  const { counted, replaced } = withoutReplaced(kind, entries);
  let before: SignedEntry | undefined;
  for (const entry of counted) {
    if (kind === "events") problems.push(...gapBetween(before, entry));
    problems.push(...(await entryProblems(folder, kind, entry, key)));
    before = entry;
  }
  const listed = new Set(entries.map(({ file }) => file));
  const countedFiles = new Set(counted.map(({ file }) => file));
  const replacedFiles = new Set(replaced.map(({ file }) => file));
  return {
    kind,
    files: countedFiles.size,
    records: counted.reduce((sum: number, { count }) => sum + count, 0),
    first: counted[0]?.first,
    last: before?.last,
    replaced: [...replacedFiles.difference(countedFiles)],
    unlisted: (await filesOf(folder)).filter((name) => !listed.has(name)),
    problems,
  };
}

async function filesOf(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  const ofMonths = await Promise.all(
    names
      .filter(isMonth)
      .map(async (month) => (await readdir(join(folder, month))).map((name) => `${month}/${name}`)),
  );
  return [...names, ...ofMonths.flat()].filter(
    (name) => /\.jsonl(?:\.gz)?$/.test(name) && name !== manifestName,
  );
}

async function readManifest(folder: string, key: EventKey | undefined) {
  const entries: SignedEntry[] = [];
  const problems: string[] = [];
  const isWhole = await endsWithNewline(join(folder, manifestName));
  if (isWhole === undefined) return { entries, problems: [`${manifestName} is missing.`] };
  const lines: string[] = [];
  for await (const line of linesOf(join(folder, manifestName), maxLine)) lines.push(line);
  // A kill leaves half a line: the next run of retention cuts it off.
  if (!isWhole) lines.pop();
  let mac = "";
  for (const [n, line] of lines.entries()) {
    const entry = parseEntry(line);
    if (!entry || (key && !isSignedEntry(key, mac, entry))) {
      problems.push(
        `Line ${n + 1} of ${manifestName} was changed, follows a removed one, or has another key.`,
      );
    }
    if (!entry) continue;
    mac = entry.mac;
    entries.push(entry);
  }
  return { entries, problems };
}

/** After a restored backup, the same range of events is archived again: the later file counts. */
function withoutReplaced(
  kind: RetainedKind,
  entries: readonly SignedEntry[],
): { readonly counted: readonly SignedEntry[]; readonly replaced: readonly SignedEntry[] } {
  if (kind !== "events") return { counted: entries, replaced: [] };
  const counted: SignedEntry[] = [];
  const replaced: SignedEntry[] = [];
  for (const entry of entries) {
    for (let last = counted.at(-1); last && last.first >= entry.first; last = counted.at(-1)) {
      replaced.push(last);
      counted.pop();
    }
    counted.push(entry);
  }
  return { counted, replaced };
}

function gapBetween(before: SignedEntry | undefined, entry: SignedEntry): string[] {
  if (!before) return [];
  const next = Number(before.last) + 1;
  if (Number(entry.first) > next) return [`Events ${next} to ${Number(entry.first) - 1} are missing.`];
  if (Number(entry.first) < next) return [`${entry.file} overlaps ${before.file} at event ${entry.first}.`];
  return entry.chain?.previous === before.chain?.hash
    ? []
    : [`${entry.file} does not continue ${before.file} at event ${entry.first}: it is of another log.`];
}

/** Checks an entry in memory: it is at most as large as a batch. */
async function entryProblems(
  folder: string,
  kind: RetainedKind,
  entry: SignedEntry,
  key: EventKey | undefined,
): Promise<string[]> {
  const text = await readEntry(folder, entry);
  const records = `${entry.file}, ${entry.first} to ${entry.last},`;
  if (text === "missing") return [`${entry.file} is missing.`];
  if (text === "changed") return [`${records} was changed: its SHA-256 is another one.`];
  const lines = text.toString("utf8").trimEnd().split("\n");
  if (lines.length !== entry.count)
    return [`${records} has ${counted(lines.length, "record")} instead of ${entry.count}.`];
  if (kind !== "events") return [];
  let hash = entry.chain?.previous ?? "";
  for (const [n, line] of lines.entries()) {
    const event = parseEventText(line);
    const sequence = Number(entry.first) + n;
    const isRight =
      event?.sequence === sequence && (!key || link(key, hash, sequence, event.body) === event.hash);
    if (!isRight) return [`${entry.file}: event ${sequence} was changed or removed.`];
    hash = event.hash;
  }
  return hash === entry.chain?.hash ? [] : [`${records} does not end with the hash in ${manifestName}.`];
}

/** Undefined if there is no file. */
async function endsWithNewline(path: string): Promise<boolean | undefined> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
  try {
    const { size } = await file.stat();
    if (size === 0) return true;
    return (await file.read(Buffer.alloc(1), 0, 1, size - 1)).buffer[0] === 10;
  } finally {
    await file.close();
  }
}
