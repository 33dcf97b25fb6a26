import { type FileHandle, open, stat, statfs, truncate } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { EventKey } from "../events/chain.ts";
import { hasCode, makeFolders } from "../files/disk.ts";
import { syncFolder } from "../files/sync-folder.ts";
import {
  type ArchiveEntry,
  dayFile,
  isSignedEntry,
  manifestName,
  parseEntry,
  type RemovedRecords,
  type RetainedKind,
  type SignedEntry,
  signEntry,
} from "./archive-entry.ts";
import { createArchiveIndex } from "./archive-index.ts";
import { pack, readEntry, sha256Of } from "./entry-text.ts";

/** Moments at which tests end the process. */
export type CrashPoint = "half written" | "written" | "half listed" | "listed" | "removed";

/** Files of removed records, one folder for each kind. Lakehelm only appends to them, and never deletes one. */
export interface Archive {
  /** Appends to the file of the day, and a line to the manifest. Both are durable afterwards. */
  write(kind: RetainedKind, records: RemovedRecords, lines: readonly string[]): Promise<ArchiveEntry>;
  /** The last entry of the manifest. */
  last(kind: RetainedKind): Promise<ArchiveEntry | undefined>;
  /** The lines of an entry. Undefined if they were changed. */
  lines(kind: RetainedKind, entry: ArchiveEntry): Promise<string[] | undefined>;
  /** How much text of a process the archive has. */
  bytesOf(process: string): Promise<number>;
}

interface ArchiveOptions {
  readonly folder: string;
  readonly key: EventKey;
  readonly now: () => Date;
  /** No file is written while the disk has less than this left. */
  readonly reserveBytes: number;
  readonly crashPoint?: ((point: CrashPoint) => Promise<void>) | undefined;
}

/** A day with more has several files. */
const mostFileBytes = 256 * 1024 * 1024;

/** More than the last line of a manifest has. */
const tailBytes = 64 * 1024;

export function createArchive(options: ArchiveOptions): Archive {
  const { folder, key, now, reserveBytes, crashPoint = async () => {} } = options;
  const folderOf = (kind: RetainedKind) => join(folder, kind);
  const index = createArchiveIndex(folderOf);
  /** Kinds whose last write has succeeded. */
  const whole = new Set<RetainedKind>();
  const manifestOf = (kind: RetainedKind) => join(folderOf(kind), manifestName);

  async function requireSpace(bytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize - bytes >= reserveBytes) return;
    throw new Error(
      `The disk of ${folder} has less than ${Math.round(reserveBytes / 1024 / 1024)} MB left (PLATFORM_DISK_RESERVE_MB).`,
    );
  }

  /**
   * Where the next records of a kind go: after the listed records of the day's file. Anything after those was left by a
   * kill. A file that was moved away, or is shorter than the manifest says, is not continued.
   */
  async function nextPlace(kind: RetainedKind, bytes: number) {
    const ends = await index.ends(kind);
    for (let part = 1; ; part += 1) {
      const file = dayFile(kind, now(), part);
      const end = ends.get(file) ?? 0;
      const size = await sizeOf(join(folderOf(kind), file));
      if ((size ?? 0) >= end && (end === 0 || end + bytes <= mostFileBytes)) return { file, offset: end };
    }
  }

  /**
   * Cuts off what a kill left after the listed records of a file, so that the whole file can be read and has each
   * record once.
   */
  async function cutOff(kind: RetainedKind): Promise<void> {
    if (whole.delete(kind)) return;
    for (const [file, end] of await index.ends(kind)) {
      const path = join(folderOf(kind), file);
      if (((await sizeOf(path)) ?? 0) > end) await truncate(path, end);
    }
  }

  async function append(path: string, offset: number, bytes: Buffer): Promise<void> {
    await makeFolders(dirname(path));
    const isNew = (await sizeOf(path)) === undefined;
    await withFile(path, isNew ? "wx" : "r+", async (file) => {
      await file.truncate(offset);
      const half = bytes.length >> 1;
      await file.write(bytes, 0, half, offset);
      await crashPoint("half written");
      await file.write(bytes, half, bytes.length - half, offset + half);
      await file.sync();
    });
    if (isNew) for (const parent of [dirname(path), dirname(dirname(path))]) await syncFolder(parent);
  }

  /** The last line of the manifest. Half a line was left by a kill, for records that do not count: it is cut off. */
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
    bytesOf: (process) => index.bytesOf(process),
    async write(kind, records, lines) {
      await makeFolders(folderOf(kind));
      const text = Buffer.from(`${lines.join("\n")}\n`);
      const packed = await pack(text);
      await requireSpace(packed.length);
      // Cuts off half a line at the end, which the index must not see.
      await lastLine(kind);
      await cutOff(kind);
      const { file, offset } = await nextPlace(kind, packed.length);
      await append(join(folderOf(kind), file), offset, packed);
      await crashPoint("written");
      const entry: ArchiveEntry = {
        ...records,
        ...{ file, offset, bytes: packed.length, text_bytes: text.length, sha256: sha256Of(text) },
        time: now().toISOString(),
      };
      await list(kind, entry);
      await crashPoint("listed");
      whole.add(kind);
      return entry;
    },
    async last(kind) {
      const signed = await lastLine(kind);
      if (!signed) return undefined;
      const { mac: _, ...entry } = signed;
      return entry;
    },
    async lines(kind, entry) {
      const text = await readEntry(folderOf(kind), entry);
      return typeof text === "string" ? undefined : text.toString("utf8").trimEnd().split("\n");
    },
  };
}

/** Undefined if there is no such file. */
async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

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
