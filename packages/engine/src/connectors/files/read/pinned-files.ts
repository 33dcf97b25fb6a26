import { type FileHandle, mkdir, mkdtemp, readFile, readlink, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DataProblem } from "../../../protocol/problem.ts";
import { fileReason } from "../../file-errors.ts";
import { descriptors } from "../../opened-file.ts";
import { openPlainFile } from "../../plain-file.ts";
import type { FileWork, ListedFile, OpenedFile } from "./file-store.ts";
import { withRealPaths } from "./real-paths.ts";

/** A group has at most this many files: a run of 30,000 files holds 1,000 of them open. */
const largestGroup = 1_000;

/**
 * Opens files in groups, and passes each group on with paths that keep leading to the opened files. Someone who can write
 * to the folder could otherwise replace one, or a folder above it, by a link before DuckDB opens it by its name. Each file
 * gets a link in a folder of our own, so that its name and extension stay the same.
 */
export async function withPinnedFiles(
  files: readonly ListedFile[],
  temporary: string,
  work: FileWork,
): Promise<void> {
  const isLinux = process.platform === "linux";
  const most = isLinux ? await mostPinned() : Number.POSITIVE_INFINITY;
  const size = Math.min(largestGroup, Math.floor(most / 2));
  for (let at = 0; at < files.length; at += size) {
    const group = files.slice(at, at + size);
    if (isLinux) await withPinnedGroup(group, most, temporary, work);
    else await work(group.map((file) => ({ ...file, realPath: file.path })));
  }
}

async function withPinnedGroup(
  files: readonly ListedFile[],
  most: number,
  temporary: string,
  work: FileWork,
): Promise<void> {
  const count = files.length;
  if (pinned + count > most)
    throw new DataProblem("The files cannot be read now: other runs hold too many files open. Try again.", {
      retryable: true,
    });
  pinned += count;
  await pinFiles(files, temporary, work).finally(() => {
    pinned -= count;
  });
}

/** The files that all runs of this process hold open. */
let pinned = 0;

/** Descriptors that stay free for databases, connections and other callers' runs. */
const reserved = 1_000;

/** How many files may be held open: most of what the process may open. */
async function mostPinned(): Promise<number> {
  const [, limit = "1024"] =
    /^Max open files\s+(\d+)/m.exec(await readFile("/proc/self/limits", "utf8")) ?? [];
  return Math.max(Number(limit) - reserved, Math.floor(Number(limit) / 2));
}

async function pinFiles(files: readonly ListedFile[], temporary: string, work: FileWork): Promise<void> {
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(temporary, "read-"));
  const handles: FileHandle[] = [];
  const opened: OpenedFile[] = [];
  try {
    for (const file of files) {
      const handle = await openListed(file);
      handles.push(handle);
      const path = join(folder, file.name);
      await mkdir(dirname(path), { recursive: true });
      await symlink(join(descriptors, String(handle.fd)), path);
      opened.push({ ...file, path, realPath: file.path });
    }
    await work(opened);
  } catch (error) {
    throw withRealPaths(error, opened);
  } finally {
    await Promise.all(handles.map((handle) => handle.close()));
    await rm(folder, { recursive: true, force: true });
  }
}

/** Throws a DataProblem if the path no longer leads to a regular file at the same place. */
async function openListed({ path, name }: ListedFile): Promise<FileHandle> {
  const handle = await openPlainFile(path).catch((error: unknown) => {
    if (error instanceof DataProblem) throw error;
    throw new DataProblem(`${path} cannot be read: ${fileReason(error)}.`, { cause: error });
  });
  if ((await readlink(join(descriptors, String(handle.fd)))) === path) return handle;
  await handle.close();
  throw new DataProblem(`${name} was replaced while it was opened. Try again.`);
}
