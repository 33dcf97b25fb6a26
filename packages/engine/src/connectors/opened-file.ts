import { readdirSync, readlinkSync } from "node:fs";
import { constants, type FileHandle, open, readlink } from "node:fs/promises";
import { join } from "node:path";
import { DataProblem } from "../protocol/problem.ts";

/** Where Linux shows the open files of this process. A path there leads to the open file, whatever its name means now. */
export const descriptors = "/proc/self/fd";

const replaced = (path: string) => new DataProblem(`${path} was replaced while it was opened. Try again.`);

/**
 * Throws a DataProblem unless this process has the file at this real path open. A library opens a file by its name, which
 * may lead elsewhere since it was checked: someone has replaced a folder above it by a link. Linux names the file that
 * was opened; other systems do not.
 */
export function requireOpened(path: string): void {
  if (process.platform === "linux" && !readdirSync(descriptors).some((name) => targetOf(name) === path))
    throw replaced(path);
}

function targetOf(name: string): string | undefined {
  try {
    return readlinkSync(join(descriptors, name));
  } catch {
    // Closed meanwhile.
    return undefined;
  }
}

/**
 * Runs work in a folder, by a path that keeps leading to it. Throws a DataProblem if the real path of the folder is no
 * longer this one. On other systems than Linux it is not checked.
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
