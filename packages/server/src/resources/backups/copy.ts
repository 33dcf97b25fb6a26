import { constants } from "node:fs";
import { copyFile, type FileHandle, link, lstat, mkdir, open, readdir, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hasCode } from "../../core/files/disk.ts";
import { syncFolder } from "../../core/files/sync-folder.ts";

/** For many small files, the latency of the disk counts: several are copied at once. */
const atOnce = 8;

/** The paths of all files below a folder, relative to it. Links are left out. Empty if there is no such folder. */
export async function filesBelow(folder: string): Promise<string[]> {
  const found: string[] = [];
  const folders = [""];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    const entries = await readdir(join(folder, at), { withFileTypes: true }).catch((error) => {
      if (hasCode(error, "ENOENT")) return [];
      throw error;
    });
    for (const entry of entries) {
      if (entry.isDirectory()) folders.push(join(at, entry.name));
      else if (entry.isFile()) found.push(join(at, entry.name));
    }
  }
  return found.sort();
}

export async function sizeOf(path: string): Promise<number> {
  try {
    return (await lstat(path)).size;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return 0;
    throw error;
  }
}

/** Does the work for all items, up to eight at once. */
export async function forEach<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of left) await work(item);
    }),
  );
}

/** Copies a file with its mode and time. If the file system can, the copy shares blocks, which takes no time. */
export async function copyOne(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  const { atimeMs, mtimeMs } = await lstat(from);
  await utimes(to, atimeMs / 1000, mtimeMs / 1000);
}

/** A chunk of each file is compared at a time: large enough for a disk, small enough for the event loop. */
const chunkBytes = 4 * 1024 * 1024;

/** Makes an earlier copy equal to its file again: reads both, and writes only what differs. */
export async function refreshCopy(from: string, to: string): Promise<void> {
  const [source, copy] = [await open(from), await open(to, "r+")];
  try {
    const { size, atimeMs, mtimeMs } = await source.stat();
    const [now, before] = [Buffer.alloc(chunkBytes), Buffer.alloc(chunkBytes)];
    for (let at = 0; at < size; at += chunkBytes) {
      const length = Math.min(chunkBytes, size - at);
      const [read, known] = await Promise.all([
        readFully(source, now, length, at),
        readFully(copy, before, length, at),
      ]);
      const bytes = now.subarray(0, read);
      if (!bytes.equals(before.subarray(0, known))) await writeFully(copy, bytes, at);
    }
    await copy.truncate(size);
    await copy.utimes(atimeMs / 1000, mtimeMs / 1000);
  } finally {
    await Promise.all([source.close(), copy.close()]);
  }
}

/** Returns the number of bytes read, which is less than `length` only at the end of the file. */
export async function readFully(file: FileHandle, into: Buffer, length: number, at: number): Promise<number> {
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(into, done, length - done, at + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return done;
}

export async function writeFully(file: FileHandle, bytes: Buffer, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
  }
}

/** Copies the files below a folder for which `isCopied` is true. A file that is removed meanwhile is left out. */
export async function copyTree(
  from: string,
  to: string,
  signal: AbortSignal,
  isCopied: (path: string) => boolean = () => true,
): Promise<void> {
  await forEach((await filesBelow(from)).filter(isCopied), async (path) => {
    signal.throwIfAborted();
    await copyOne(join(from, path), join(to, path)).catch((error) => {
      if (!hasCode(error, "ENOENT")) throw error;
    });
  });
}

/**
 * Keeps the files below a folder as they are now, with hard links. A changed file is written as a new file, so a link
 * keeps the content. False if the file system has no hard links.
 */
export async function linkTree(from: string, to: string): Promise<boolean> {
  try {
    await forEach(await filesBelow(from), async (path) => {
      await mkdir(dirname(join(to, path)), { recursive: true, mode: 0o700 });
      await link(join(from, path), join(to, path)).catch((error) => {
        if (!hasCode(error, "ENOENT")) throw error;
      });
    });
    return true;
  } catch (error) {
    if (hasCode(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "EMLINK", "EXDEV", "ENOSYS")) return false;
    throw error;
  }
}

/** Syncs all files and folders, so that files and their names survive a power failure. */
export async function syncTree(folder: string): Promise<void> {
  const files = await filesBelow(folder);
  await forEach(files, async (path) => {
    const file = await open(join(folder, path), "r+");
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  });
  const folders = new Set([
    folder,
    ...files.flatMap((path) => parentsOf(path).map((at) => join(folder, at))),
  ]);
  await forEach([...folders], syncFolder);
}

function parentsOf(path: string): string[] {
  const parent = dirname(path);
  return parent === "." ? [] : [...parentsOf(parent), parent];
}
