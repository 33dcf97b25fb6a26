import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import { type FileHandle, lstat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { WorkspaceFile } from "@lakehelm/contract";
import { diskProblem, openFile, readFolder } from "../../core/files/disk.ts";
import type { ListRequest } from "../../core/store/list-request.ts";

/** The paths of all files below a folder that begin with `prefix`, unordered. Links are not followed. */
export async function* filesBelow(folder: string, prefix = "", at = ""): AsyncGenerator<string> {
  for (const entry of await readFolder(join(folder, at))) {
    const path = at === "" ? entry.name : `${at}/${entry.name}`;
    if (entry.isFile() && path.startsWith(prefix)) yield path;
    // Only folders that lead to the prefix or are below it.
    const leads = `${path}/`.startsWith(prefix) || prefix.startsWith(`${path}/`);
    if (entry.isDirectory() && leads) yield* filesBelow(folder, prefix, path);
  }
}

/** Sorted by code units: the same order on every machine. */
export async function sortedFiles(folder: string, prefix: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const path of filesBelow(folder, prefix)) paths.push(path);
  return paths.sort();
}

/** Whether a page of files depends on when they changed. */
export const needsTimes = ({ updated_after, updated_before, sort }: ListRequest): boolean =>
  updated_after !== undefined || updated_before !== undefined || (sort?.endsWith("updated") ?? false);

/** When each file changed. Files that were removed meanwhile are left out. */
export async function withTimes(
  folder: string,
  paths: readonly string[],
): Promise<Pick<WorkspaceFile, "path" | "updated_at">[]> {
  const found: Pick<WorkspaceFile, "path" | "updated_at">[] = [];
  for (const path of paths) {
    const stats = await lstat(join(folder, path)).catch(() => undefined);
    if (stats) found.push({ path, updated_at: timeOf(stats) });
  }
  return found;
}

export interface OpenedFile {
  readonly file: WorkspaceFile;
  /** Closes the file at its end, or when it is destroyed. */
  readonly bytes: Readable;
}

interface WorkspaceReader {
  /** The metadata of a file; undefined if it does not exist or is not a file. */
  describe(folder: string, path: string): Promise<WorkspaceFile | undefined>;
  /** The metadata and bytes of the same file, even if it is replaced concurrently. */
  open(folder: string, path: string): Promise<OpenedFile | undefined>;
}

/** The number of cached hashes: 10,000 take about 2 MB. */
const maxHashes = 10_000;

/** Reads files; a hash is computed once until the file changes. */
export function createWorkspaceReader(): WorkspaceReader {
  const hashes = new Map<string, string>();

  async function sha256Of(handle: FileHandle, stats: Stats): Promise<string> {
    const identity = [stats.dev, stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(":");
    const known = hashes.get(identity);
    if (known !== undefined) return known;
    const sum = createHash("sha256");
    for await (const chunk of handle.createReadStream({ autoClose: false, start: 0 })) sum.update(chunk);
    const sha256 = sum.digest("hex");
    hashes.set(identity, sha256);
    const [oldest] = hashes.keys();
    if (hashes.size > maxHashes && oldest !== undefined) hashes.delete(oldest);
    return sha256;
  }

  async function known(folder: string, path: string) {
    const handle = await openFile(join(folder, path));
    if (!handle) return undefined;
    try {
      const stats = await handle.stat();
      if (stats.isFile()) return { handle, file: fileOf(path, stats, await sha256Of(handle, stats)) };
    } catch (error) {
      await handle.close();
      throw diskProblem(error);
    }
    await handle.close();
    return undefined;
  }

  return {
    async describe(folder, path) {
      const found = await known(folder, path);
      await found?.handle.close();
      return found?.file;
    },
    async open(folder, path) {
      const found = await known(folder, path);
      return found && { file: found.file, bytes: found.handle.createReadStream({ start: 0 }) };
    },
  };
}

const fileOf = (path: string, stats: Stats, sha256: string): WorkspaceFile => ({
  path,
  size: stats.size,
  sha256,
  updated_at: timeOf(stats),
});

/** The time is rounded: one that was set to the millisecond is read back slightly lower. */
const timeOf = ({ mtimeMs }: Stats): string => new Date(Math.round(mtimeMs)).toISOString();
