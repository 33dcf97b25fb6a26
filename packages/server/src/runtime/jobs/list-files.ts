import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { findFiles, isGlob, splitGlob } from "@lakehelm/engine";
import type { FoundFile } from "./file-trigger.ts";

/** Node runs these calls on four shared threads: a slow disk must not occupy them all. */
const statsAtOnce = 2;

/**
 * The files at a path: the file itself, the files directly in a folder, or the matches of a glob. Polling, not file
 * system notifications, because network file systems send none. Throws with a message if a folder cannot be read.
 */
export async function filesAt(path: string): Promise<FoundFile[]> {
  const paths = await pathsAt(path);
  const found: FoundFile[] = [];
  let next = 0;
  async function walk(): Promise<void> {
    while (next < paths.length) {
      const file = await fileAt(paths[next++] as string);
      if (file) found.push(file);
    }
  }
  await Promise.all(Array.from({ length: statsAtOnce }, walk));
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function pathsAt(path: string): Promise<string[]> {
  const { folder, pattern } = isGlob(path) ? splitGlob(path) : { folder: path, pattern: undefined };
  try {
    if (pattern !== undefined) return (await findFiles(folder, pattern)).map((name) => join(folder, name));
    return (await readdir(folder)).map((name) => join(folder, name));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (pattern === undefined && code === "ENOTDIR") return [path];
    throw code === undefined ? error : new Error(`The folder ${folder} cannot be read: ${reasonOf(error)}.`);
  }
}

/** Links are ignored, because they may lead anywhere. So is a file deleted between listing and stat. */
async function fileAt(path: string): Promise<FoundFile | undefined> {
  try {
    const found = await lstat(path);
    return found.isFile() ? { path, size: found.size, modifiedMs: found.mtimeMs } : undefined;
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case "ENOENT":
      return "it does not exist";
    case "EACCES":
    case "EPERM":
      return "this server may not read it";
    case "ENOTDIR":
      return "it is not a folder";
    default:
      return (error as Error).message;
  }
}
