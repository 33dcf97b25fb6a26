import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readdir, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { conflict, Problem, unavailable } from "../errors.ts";
import { syncFolder } from "./sync-folder.ts";

/** What exists at a path below a folder. */
type Found =
  | { readonly kind: "file"; readonly path: string; readonly stats: Stats }
  | { readonly kind: "folder" | "nothing"; readonly path: string }
  /** A parent of the path is a file. */
  | { readonly kind: "blocked"; readonly path: string; readonly by: string };

/** Checks each path segment, so that no symbolic link leads out of the folder. */
export async function locate(folder: string, names: readonly string[]): Promise<Found> {
  const path = join(folder, ...names);
  for (let depth = 1; depth <= names.length; depth++) {
    const part = names.slice(0, depth);
    const stats = await lookAt(join(folder, ...part));
    if (!stats) return { kind: "nothing", path };
    const isLast = depth === names.length;
    if (stats.isFile() && isLast) return { kind: "file", path, stats };
    if (stats.isFile()) return { kind: "blocked", path, by: part.slice(1).join("/") };
    if (!stats.isDirectory()) throw conflict(`"${part.slice(1).join("/")}" is neither a file nor a folder.`);
  }
  return { kind: "folder", path };
}

/** Undefined if nothing exists there. */
export async function lookAt(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
    throw diskProblem(error);
  }
}

/** Follows no symbolic link, not even one created since the file was located. */
export async function openFile(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "ELOOP")) return undefined;
    throw diskProblem(error);
  }
}

/**
 * Like `openFile`, for a folder that a caller's program can write: opening a named pipe there would block a thread of
 * the server until the pipe gets a writer.
 */
export async function openPlain(path: string): Promise<FileHandle | undefined> {
  const nonBlocking = constants.O_NONBLOCK ?? 0;
  const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | nonBlocking).catch(
    (error) => {
      if (hasCode(error, "ENOENT", "ENOTDIR", "ELOOP", "ENXIO")) return undefined;
      throw diskProblem(error);
    },
  );
  if (!handle || (await handle.stat()).isFile()) return handle;
  await handle.close();
  return undefined;
}

/** Writes a complete, durable file, or none. */
export async function writeWhole(path: string, bytes: Uint8Array, time: Date): Promise<void> {
  try {
    const handle = await open(path, "wx", 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.utimes(time, time);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await syncFolder(dirname(path));
  } catch (error) {
    await discard(path);
    throw diskProblem(error);
  }
}

/** Removes a staged file. If that fails, the next start removes it. */
export const discard = (path: string) => rm(path, { force: true }).catch(() => {});

/** Creates the parent folders durably. */
export async function makeFolders(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  const above = dirname(first);
  for (let made = dirname(path); made.length >= above.length; made = dirname(made)) await syncFolder(made);
}

/** Removes the folders at and below `path` that hold no file. */
export async function removeEmptyFolders(path: string): Promise<void> {
  const entries = await readFolder(path);
  for (const entry of entries) if (entry.isDirectory()) await removeEmptyFolders(join(path, entry.name));
  await removeIfEmpty(path);
}

/** Removes the empty parent folders of a deleted file, up to but not including `folder`. */
export async function removeEmptyParents(folder: string, names: readonly string[]): Promise<void> {
  for (let depth = names.length - 1; depth > 0; depth--) {
    if (!(await removeIfEmpty(join(folder, ...names.slice(0, depth))))) return;
  }
}

async function removeIfEmpty(path: string): Promise<boolean> {
  try {
    await rmdir(path);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return true;
    if (hasCode(error, "ENOTEMPTY", "EEXIST", "ENOTDIR", "EBUSY")) return false;
    throw diskProblem(error);
  }
}

/** Empty if the path is not a folder or no longer exists. */
export async function readFolder(path: string) {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return [];
    throw diskProblem(error);
  }
}

export const hasCode = (error: unknown, ...codes: string[]) =>
  error instanceof Error && "code" in error && codes.includes(String(error.code));

export const isDiskFull = (error: unknown) => hasCode(error, "ENOSPC", "EDQUOT");
export const diskFull = (cause: unknown) => unavailable("The disk is full: nothing was written.", cause);

/** A file system error as an error for the caller. */
export function diskProblem(error: unknown): unknown {
  if (error instanceof Problem) return error;
  if (isDiskFull(error)) return diskFull(error);
  if (hasCode(error, "ENAMETOOLONG")) return conflict("The path is too long for this server's disk.");
  if (error instanceof Error && "syscall" in error) {
    return unavailable("The server cannot use its disk at the moment.", error);
  }
  return error;
}
