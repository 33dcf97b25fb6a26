import { readdirSync, readlinkSync } from "node:fs";
import { constants, type FileHandle, open, readlink } from "node:fs/promises";
import { join } from "node:path";
import { DataProblem } from "../protocol/problem.ts";

/**
 * Where Linux lists the open files of this process. A path in it leads to the open file, even if its name now leads
 * elsewhere.
 */
export const descriptors = "/proc/self/fd";

const replaced = (path: string) => new DataProblem(`${path} was replaced while it was opened. Try again.`);

/**
 * Throws a DataProblem unless this process has the file at this real path open. A library opens a file by its name,
 * which may lead elsewhere if a folder above it was replaced by a link after the check. Linux tells which file was
 * opened; other systems do not.
 */
export function requireOpened(path: string): void {
  if (process.platform === "linux" && !readdirSync(descriptors).some((name) => targetOf(name) === path))
    throw replaced(path);
}

function targetOf(name: string): string | undefined {
  try {
    return readlinkSync(join(descriptors, name));
  } catch {
    // The descriptor was closed meanwhile.
    return undefined;
  }
}

/**
 * Runs work in a folder, by a path that leads to this folder even if its name leads elsewhere later. Throws a
 * DataProblem if the real path of the folder has changed. On systems other than Linux the folder is not checked.
 */
export async function inFolder<Result>(
  folder: string,
  work: (path: string, handle: FileHandle) => Promise<Result>,
): Promise<Result> {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    if (process.platform !== "linux") return await work(folder, handle);
    const pinned = join(descriptors, String(handle.fd));
    if ((await readlink(pinned)) !== folder) throw replaced(folder);
    return await work(pinned, handle);
  } finally {
    await handle.close();
  }
}
