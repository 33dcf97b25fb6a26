import { closeSync, constants, openSync } from "node:fs";
import { chmod, lstat, mkdir, opendir } from "node:fs/promises";
import { join } from "node:path";

/** What a start did about a folder that other users of the machine could read or write. */
export interface FolderClosing {
  /** The mode that the folder or a file in it had, such as `755`. */
  readonly mode: string;
  /** The path that had this mode. */
  readonly path: string;
  /** The number of files and folders that are closed now. */
  readonly closed: number;
  /** Why some files or folders could not be closed. */
  readonly problem: string | undefined;
}

/**
 * The group may have the execute bit of a folder: programs that run as other users pass through it to their own
 * folders, but cannot list it.
 */
const isOpen = (mode: number) =>
  (mode & ((mode & constants.S_IFMT) === constants.S_IFDIR ? 0o067 : 0o077)) !== 0;
/** The folder, its entries and their entries are checked; everything below only if one of them is open. */
const checkedDepth = 2;

/**
 * Creates a folder that only the server's user can use. One that exists is closed, with everything in it: folders get the
 * mode 0700, files 0600, or 0700 if they can be executed. Returns undefined if nothing was open.
 */
export async function closeFolder(folder: string): Promise<FolderClosing | undefined> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for await (const { path, mode } of entriesOf(folder, checkedDepth)) {
    if (isOpen(mode)) {
      return { mode: (mode & 0o777).toString(8), path, ...(await closeAll(folder)) };
    }
  }
  return undefined;
}

async function closeAll(folder: string): Promise<Pick<FolderClosing, "closed" | "problem">> {
  let closed = 0;
  let problem: string | undefined;
  for await (const { path, mode } of entriesOf(folder, Number.POSITIVE_INFINITY)) {
    if (!isOpen(mode)) continue;
    try {
      await chmod(path, mode & 0o700);
      closed += 1;
    } catch (error) {
      problem ??= (error as Error).message;
    }
  }
  return { closed, problem };
}

/** A folder and what is in it. Links are left out: they have no mode of their own. */
async function* entriesOf(path: string, depth: number): AsyncGenerator<{ path: string; mode: number }> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined || found.isSymbolicLink()) return;
  yield { path, mode: found.mode };
  if (!found.isDirectory() || depth === 0) return;
  for await (const entry of await opendir(path)) yield* entriesOf(join(path, entry.name), depth - 1);
}

/**
 * Creates an empty file that only the server's user can use, if there is none. SQLite creates its files for everyone whom
 * the umask does not exclude, but its logs have the mode of their database.
 */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, "ax", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
