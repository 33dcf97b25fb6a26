import { createHash, randomBytes } from "node:crypto";
import { type FileHandle, open, readdir, readFile, rename, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { EventKey } from "../events/chain.ts";
import { discard, hasCode, makeFolders } from "../files/disk.ts";
import { syncFolder } from "../files/sync-folder.ts";
import {
  type ArchiveEntry,
  isSignedEntry,
  manifestName,
  parseEntry,
  type RemovedRecords,
  type RetainedKind,
  type SignedEntry,
  signEntry,
} from "./archive-entry.ts";

/** Moments at which tests end the process. */
export type CrashPoint = "half written" | "written" | "half listed" | "listed" | "removed";

/** Files of removed records, one folder for each kind. Lakehelm never deletes one of them. */
export interface Archive {
  /** Writes a file and lists it in the manifest. Both are durable afterwards. */
  write(kind: RetainedKind, records: RemovedRecords, lines: readonly string[]): Promise<ArchiveEntry>;
  /** The last file in the manifest. */
  last(kind: RetainedKind): Promise<ArchiveEntry | undefined>;
  /** The lines of a file. Undefined if it is not as it was written. */
  lines(kind: RetainedKind, entry: ArchiveEntry): Promise<string[] | undefined>;
  /** The size of the files whose first record begins with this text. */
  bytes(kind: RetainedKind, first: string): Promise<number>;
}

interface ArchiveOptions {
  readonly folder: string;
  readonly key: EventKey;
  readonly now: () => Date;
  /** No file is written while the disk has less than this left. */
  readonly reserveBytes: number;
  readonly crashPoint?: ((point: CrashPoint) => Promise<void>) | undefined;
}

/** A file that is being written. Only one server writes, so what an earlier one left is deleted. */
const draftEnding = ".draft";

/** More than the last line of a manifest has. */
const tailBytes = 64 * 1024;

export function createArchive(options: ArchiveOptions): Archive {
  const { folder, key, now, reserveBytes, crashPoint = async () => {} } = options;
  const folderOf = (kind: RetainedKind) => join(folder, kind);
  const manifestOf = (kind: RetainedKind) => join(folderOf(kind), manifestName);

  async function requireSpace(bytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize - bytes >= reserveBytes) return;
    throw new Error(
      `The disk of ${folder} has less than ${Math.round(reserveBytes / 1024 / 1024)} MB left (PLATFORM_DISK_RESERVE_MB).`,
    );
  }

  async function prepare(kind: RetainedKind): Promise<void> {
    await makeFolders(folderOf(kind));
    for (const name of await readdir(folderOf(kind)))
      if (name.endsWith(draftEnding)) await rm(join(folderOf(kind), name), { force: true });
  }

  /** Writes a file under a temporary name, and renames it when it is durable. */
  async function writeFile(kind: RetainedKind, name: string, text: Buffer): Promise<void> {
    const draft = join(folderOf(kind), `${randomBytes(6).toString("hex")}${draftEnding}`);
    try {
      await withFile(draft, "wx", async (file) => {
        const half = text.length >> 1;
        await file.writeFile(text.subarray(0, half));
        await crashPoint("half written");
        await file.writeFile(text.subarray(half));
        await file.sync();
      });
      await rename(draft, join(folderOf(kind), name));
    } catch (error) {
      await discard(draft);
      throw error;
    }
    await syncFolder(folderOf(kind));
  }

  /** The last line of the manifest. Half a line is what a kill left of a file that does not count: it is cut off. */
  async function lastLine(kind: RetainedKind): Promise<SignedEntry | undefined> {
    let text: string;
    try {
      text = await withFile(manifestOf(kind), "r+", async (file) => {
        const { size } = await file.stat();
        const from = Math.max(0, size - tailBytes);
        const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
        const end = buffer.subarray(0, bytesRead).lastIndexOf(10) + 1;
        if (end === 0 && from > 0) throw new Error(`${manifestOf(kind)} was changed.`);
        if (from + end < size) {
          await file.truncate(from + end);
          await file.sync();
        }
        return buffer.toString("utf8", 0, end);
      });
    } catch (error) {
      if (hasCode(error, "ENOENT")) return undefined;
      throw error;
    }
    const lines = text.trimEnd().split("\n");
    const line = lines.at(-1);
    if (!line) return undefined;
    const entry = parseEntry(line);
    const before = lines.length > 1 ? parseEntry(lines.at(-2) ?? "") : undefined;
    if (!entry || !isSignedEntry(key, before?.mac ?? "", entry))
      throw new Error(
        `${manifestOf(kind)} was changed, or written with another secret key. Restore it, or move the folder away.`,
      );
    return entry;
  }

  async function list(kind: RetainedKind, entry: ArchiveEntry): Promise<void> {
    const before = await lastLine(kind);
    const line = Buffer.from(`${JSON.stringify(signEntry(key, before?.mac ?? "", entry))}\n`);
    await withFile(manifestOf(kind), "a", async (file) => {
      const half = line.length >> 1;
      await file.writeFile(line.subarray(0, half));
      await crashPoint("half listed");
      await file.writeFile(line.subarray(half));
      await file.sync();
    });
    if (!before) await syncFolder(folderOf(kind));
  }

  return {
    async bytes(kind, first) {
      let sum = 0;
      for (const name of await readdir(folderOf(kind)).catch(emptyIfMissing))
        if (name.startsWith(`${kind}-${first}`)) sum += (await stat(join(folderOf(kind), name))).size;
      return sum;
    },
    async write(kind, records, lines) {
      await prepare(kind);
      const text = Buffer.from(`${lines.join("\n")}\n`);
      await requireSpace(text.length);
      const sha256 = createHash("sha256").update(text).digest("hex");
      // The name depends on the content: the same name is the same file.
      const file = `${kind}-${labelOf(records.first)}-${labelOf(records.last)}-${sha256.slice(0, 12)}.jsonl`;
      await writeFile(kind, file, text);
      await crashPoint("written");
      const entry = { ...records, file, bytes: text.length, sha256, time: now().toISOString() };
      await list(kind, entry);
      await crashPoint("listed");
      return entry;
    },
    async last(kind) {
      const signed = await lastLine(kind);
      if (!signed) return undefined;
      const { mac: _, ...entry } = signed;
      return entry;
    },
    async lines(kind, { file, sha256 }) {
      try {
        const text = await readFile(join(folderOf(kind), file));
        if (createHash("sha256").update(text).digest("hex") !== sha256) return undefined;
        return text.toString("utf8").trimEnd().split("\n");
      } catch (error) {
        if (hasCode(error, "ENOENT")) return undefined;
        throw error;
      }
    },
  };
}

function emptyIfMissing(error: unknown): string[] {
  if (hasCode(error, "ENOENT")) return [];
  throw error;
}

/** Sequences of events sort like their files. */
const labelOf = (position: number | string): string => String(position).padStart(12, "0");

async function withFile<Result>(
  path: string,
  flags: string,
  use: (file: FileHandle) => Promise<Result>,
): Promise<Result> {
  const file = await open(path, flags, 0o600);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}
