import { glob, readdir, stat } from "node:fs/promises";
import { join, sep } from "node:path";
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

const isGlob = (path: string) => /[*?[\]{}]/.test(path);

/** Everything up to the last separator. */
const parentOf = (path: string) =>
  path.slice(0, Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1) || ".";

async function pathsAt(path: string): Promise<string[]> {
  const folder = isGlob(path) ? parentOf(path.slice(0, path.search(/[*?[\]{}]/))) : path;
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    if (folder === path && (error as NodeJS.ErrnoException).code === "ENOTDIR") return [path];
    throw new Error(`The folder ${folder} cannot be read: ${reasonOf(error)}.`);
  }
  if (!isGlob(path)) return names.map((name) => join(path, name));
  return Array.fromAsync(glob(path.split(sep).join("/")));
}

/** A file deleted between listing and stat is ignored. */
async function fileAt(path: string): Promise<FoundFile | undefined> {
  try {
    const found = await stat(path);
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
