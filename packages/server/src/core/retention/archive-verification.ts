import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
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

/** Longer than every record: the log of a deployment, the largest one, has 8 MiB, and JSON may write six characters for one. */
const maxLine = 64 * 1024 * 1024;

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
    problems.push(...(await fileProblems(folder, kind, entry, key)));
    before = entry;
  }
  const listed = new Set(entries.map(({ file }) => file));
  const files = (await readdir(folder)).filter((name) => name.endsWith(".jsonl") && name !== manifestName);
  return {
    kind,
    files: counted.length,
    records: counted.reduce((sum: number, { count }) => sum + count, 0),
    first: counted[0]?.first,
    last: before?.last,
    replaced: replaced.map(({ file }) => file).filter((file) => !counted.some((one) => one.file === file)),
    unlisted: files.filter((name) => !listed.has(name)),
    problems,
  };
}

async function readManifest(folder: string, key: EventKey | undefined) {
  const entries: SignedEntry[] = [];
  const problems: string[] = [];
  const isWhole = await endsWithNewline(join(folder, manifestName));
  if (isWhole === undefined) return { entries, problems: [`${manifestName} is missing.`] };
  const lines: string[] = [];
  for await (const line of linesOf(join(folder, manifestName), maxLine)) lines.push(line);
  // Half a line is what a kill left: the next run of retention cuts it off.
  if (!isWhole) lines.pop();
  let mac = "";
  for (const [n, line] of lines.entries()) {
    const entry = parseEntry(line);
    if (!entry || entry.file.includes("/") || (key && !isSignedEntry(key, mac, entry))) {
      problems.push(
        `Line ${n + 1} of ${manifestName} was changed, follows a removed one, or has another key.`,
      );
    }
    if (!entry || entry.file.includes("/")) continue;
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
  if (Number(entry.first) < next) return [`${entry.file} overlaps ${before.file}.`];
  return entry.chain?.previous === before.chain?.hash
    ? []
    : [`${entry.file} does not continue ${before.file}: it is of another log.`];
}

/** Checks a file line by line, so that its size does not matter. */
async function fileProblems(
  folder: string,
  kind: RetainedKind,
  entry: SignedEntry,
  key: EventKey | undefined,
): Promise<string[]> {
  const path = join(folder, entry.file);
  const sha256 = await hashOf(path);
  if (sha256 === undefined) return [`${entry.file} is missing.`];
  if (sha256 !== entry.sha256) return [`${entry.file} was changed: its SHA-256 is ${sha256}.`];
  let count = 0;
  let hash = entry.chain?.previous ?? "";
  for await (const line of linesOf(path, maxLine)) {
    count += 1;
    if (kind !== "events") continue;
    const event = parseEventText(line);
    const sequence = Number(entry.first) + count - 1;
    const isRight =
      event?.sequence === sequence && (!key || link(key, hash, sequence, event.body) === event.hash);
    if (!isRight) return [`${entry.file}: event ${sequence} was changed or removed.`];
    hash = event.hash;
  }
  if (count !== entry.count) return [`${entry.file} has ${count} records instead of ${entry.count}.`];
  return kind === "events" && hash !== entry.chain?.hash
    ? [`${entry.file} does not end with the hash in ${manifestName}.`]
    : [];
}

async function hashOf(path: string): Promise<string | undefined> {
  const hash = createHash("sha256");
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
    return hash.digest("hex");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
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
