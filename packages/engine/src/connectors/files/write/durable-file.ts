import { type FileHandle, lstat, mkdir, open, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { DataProblem } from "../../../protocol/problem.ts";
import { fileReason } from "../../file-errors.ts";
import { shareFile, shareFolder } from "../../file-modes.ts";
import { inFolder } from "../../opened-file.ts";
import { openPlainFile } from "../../plain-file.ts";

/** The name of a file until it is complete. Readers of `*.csv` do not see it. */
export const unfinishedPath = (path: string): string => `${path}.unfinished`;

/**
 * Creates a folder of a target if it does not exist. Throws a DataProblem if it is a link, which may lead out of the
 * folders that connectors can use.
 */
export async function createFolder(path: string): Promise<void> {
  try {
    const created = await mkdir(path, { recursive: true });
    if (created !== undefined) await shareFolder(path);
  } catch (error) {
    throw new DataProblem(`${path} cannot be created: ${fileReason(error)}.`, { cause: error });
  }
  if ((await lstat(path)).isDirectory()) return;
  throw new DataProblem(`${path} cannot be used: it is a link. Files are written to real folders only.`);
}

/** Whether there is a regular file at this path that is not reached through a link. */
export const fileExists = (path: string): Promise<boolean> =>
  Promise.all([realpath(path), lstat(path)]).then(
    ([real, found]) => real === path && found.isFile(),
    () => false,
  );

/** Renames a complete file to its final name. Readers see the old or the new file, also after a power failure. */
export async function commitFile(path: string): Promise<void> {
  await inTargetFolder(path, (pinned, folder) => commit(pinned, folder));
}

/** Writes a small file. */
export async function writeDurably(path: string, content: string): Promise<void> {
  await inTargetFolder(path, async (pinned, folder) => {
    // Always a new file: an existing one may be a link, a pipe, or a second name of a file elsewhere.
    await rm(unfinishedPath(pinned), { force: true });
    const handle = await open(unfinishedPath(pinned), "wx", 0o666);
    await handle.writeFile(content).finally(() => handle.close());
    await commit(pinned, folder);
  });
}

export async function removeDurably(path: string): Promise<void> {
  await inTargetFolder(path, async (pinned, folder) => {
    await rm(pinned, { force: true });
    await folder.sync();
  });
}

async function commit(path: string, folder: FileHandle): Promise<void> {
  await shareDurably(unfinishedPath(path));
  await rename(unfinishedPath(path), path);
  await folder.sync();
}

/** Changes a file by a path that stays in its folder, even if someone replaces the folder by a link meanwhile. */
async function inTargetFolder(
  path: string,
  change: (path: string, folder: FileHandle) => Promise<void>,
): Promise<void> {
  try {
    await inFolder(dirname(path), (folder, handle) => change(join(folder, basename(path)), handle));
  } catch (error) {
    const reason =
      error instanceof DataProblem
        ? "it, or a folder above it, is a link or no regular file"
        : fileReason(error);
    throw new DataProblem(`${path} could not be written: ${reason}.`, { cause: error });
  }
}

/** Works on the opened file, because its name may have become a link. */
async function shareDurably(path: string): Promise<void> {
  const handle = await openPlainFile(path);
  try {
    await shareFile(handle);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
