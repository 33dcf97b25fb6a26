import { type FileHandle, mkdir, mkdtemp, readFile, readlink, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DataProblem } from "../../../protocol/problem.ts";
import { fileReason } from "../../file-errors.ts";
import { descriptors } from "../../opened-file.ts";
import { openPlainFile } from "../../plain-file.ts";
import type { SourceContext } from "../../source/context.ts";
import type { FileWork, ListedFile, OpenedFile } from "./file-store.ts";
import { withRealPaths } from "./real-paths.ts";
import { requireUnchanged, waitForLastLine } from "./settled-files.ts";

export interface PinningOptions extends Pick<SourceContext, "temporaryFolder" | "signal"> {
  /** Whether the files must stay as they were listed. */
  readonly isWhole: boolean;
  /** Whether a file can end with an incomplete line that looks complete. */
  readonly hasLines: boolean;
}

/** A group has at most this many files: a run of 30,000 files holds 1,000 of them open. */
const largestGroup = 1_000;

/**
 * Opens files in groups, and passes each group on with paths that keep leading to the opened files. Someone who can write
 * to the folder could otherwise replace one, or a folder above it, by a link before DuckDB opens it by its name. Each file
 * gets a link in a folder of our own, so that its name and extension stay the same.
 */
export async function withPinnedFiles(
  files: readonly ListedFile[],
  options: PinningOptions,
  work: FileWork,
): Promise<void> {
  const most = await mostPinned();
  const size = Math.min(largestGroup, Math.floor(most / 2));
  for (let at = 0; at < files.length; at += size) {
    const group = files.slice(at, at + size);
    await withPinnedGroup(group, most, options, work);
  }
}

async function withPinnedGroup(
  files: readonly ListedFile[],
  most: number,
  options: PinningOptions,
  work: FileWork,
): Promise<void> {
  const count = files.length;
  if (pinned + count > most)
    throw new DataProblem("The files cannot be read now: other runs hold too many files open. Try again.", {
      retryable: true,
    });
  pinned += count;
  await pinFiles(files, options, work).finally(() => {
    pinned -= count;
  });
}

/** The files that all runs of this process hold open. */
let pinned = 0;

/** Descriptors that stay free for databases, connections and other callers' runs. */
const reserved = 1_000;

/** How many files may be held open: most of what the process may open. */
async function mostPinned(): Promise<number> {
  const limits = process.platform === "linux" ? await readFile("/proc/self/limits", "utf8") : "";
  const [, limit = "1024"] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  return Math.max(Number(limit) - reserved, Math.floor(Number(limit) / 2));
}

async function pinFiles(
  files: readonly ListedFile[],
  { temporaryFolder, isWhole, hasLines, signal }: PinningOptions,
  work: FileWork,
): Promise<void> {
  await mkdir(temporaryFolder, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(temporaryFolder, "read-"));
  const handles: FileHandle[] = [];
  const opened: OpenedFile[] = [];
  try {
    for (const file of files) {
      const handle = await openListed(file);
      handles.push(handle);
      if (isWhole && hasLines) await waitForLastLine(handle, file, signal);
      opened.push({ ...file, path: await pinnedPath(folder, file, handle), realPath: file.path });
    }
    await work(opened);
    if (isWhole) for (const [at, file] of files.entries()) await checkUnchanged(handles[at], file);
  } catch (error) {
    throw withRealPaths(error, opened);
  } finally {
    await Promise.all(handles.map((handle) => handle.close()));
    await rm(folder, { recursive: true, force: true });
  }
}

const checkUnchanged = async (handle: FileHandle | undefined, file: ListedFile): Promise<void> =>
  handle && requireUnchanged(handle, file);

/** A link to the opened file. On systems other than Linux, the path of the file itself. */
async function pinnedPath(folder: string, file: ListedFile, handle: FileHandle): Promise<string> {
  if (process.platform !== "linux") return file.path;
  const path = join(folder, file.name);
  await mkdir(dirname(path), { recursive: true });
  await symlink(join(descriptors, String(handle.fd)), path);
  return path;
}

/** Throws a DataProblem if the path no longer leads to a regular file at the same place. */
async function openListed({ path, name }: ListedFile): Promise<FileHandle> {
  const handle = await openPlainFile(path).catch((error: unknown) => {
    if (error instanceof DataProblem) throw error;
    throw new DataProblem(`${path} cannot be read: ${fileReason(error)}.`, { cause: error });
  });
  if (process.platform !== "linux") return handle;
  if ((await readlink(join(descriptors, String(handle.fd)))) === path) return handle;
  await handle.close();
  throw new DataProblem(`${name} was replaced while it was opened. Try again.`);
}
