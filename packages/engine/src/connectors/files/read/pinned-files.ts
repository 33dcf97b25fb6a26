import { type FileHandle, mkdir, mkdtemp, readFile, readlink, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DataProblem } from "../../../protocol/problem.ts";
import { fileReason } from "../../file-errors.ts";
import { descriptors } from "../../opened-file.ts";
import { openPlainFile } from "../../plain-file.ts";
import type { FileListing, ListedFile } from "./file-listing.ts";

/**
 * Opens the files of a listing, and passes them on with paths that keep leading to the opened files. Someone who can
 * write to the folder could otherwise replace one, or a folder above it, by a link before DuckDB opens it by its name.
 * Each file gets a link in a folder of our own, so that its name and extension stay the same.
 */
export async function withPinnedFiles<Result>(
  listing: FileListing,
  temporary: string,
  work: (listing: FileListing) => Promise<Result>,
): Promise<Result> {
  if (process.platform !== "linux") return work(listing);
  const count = listing.files.length;
  const most = await mostPinned();
  if (count > most)
    throw new DataProblem(
      `${listing.folder} has ${count} files to read at once, and this server can open ${most}. Read fewer with a pattern, or raise its limit of open files (ulimit -n).`,
    );
  if (pinned + count > most)
    throw new DataProblem(
      `${listing.folder} cannot be read now: other runs hold too many files open. Try again.`,
      {
        retryable: true,
      },
    );
  pinned += count;
  return pinFiles(listing, temporary, work).finally(() => {
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

async function pinFiles<Result>(
  listing: FileListing,
  temporary: string,
  work: (listing: FileListing) => Promise<Result>,
): Promise<Result> {
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(temporary, "read-"));
  const handles: FileHandle[] = [];
  try {
    const files: ListedFile[] = [];
    for (const file of listing.files) {
      const handle = await openListed(file);
      handles.push(handle);
      const path = join(folder, file.name);
      await mkdir(dirname(path), { recursive: true });
      await symlink(join(descriptors, String(handle.fd)), path);
      files.push({ ...file, path });
    }
    return await work({ folder, files });
  } catch (error) {
    throw withRealPaths(error, folder, listing.folder);
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

/** An error of DuckDB names the links. */
function withRealPaths(error: unknown, folder: string, realFolder: string): unknown {
  if (!(error instanceof Error) || !error.message.includes(folder)) return error;
  const message = error.message.replaceAll(folder, realFolder);
  return error instanceof DataProblem
    ? new DataProblem(message, { cause: error })
    : new Error(message, { cause: error });
}
