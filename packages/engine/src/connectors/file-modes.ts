import { chmod, type FileHandle, open } from "node:fs/promises";

/** The user's umask, read when the engine starts, before it makes its own files private. */
const umask = process.umask();

const fileMode = 0o666 & ~umask;
const folderMode = 0o777 & ~umask;

/** From now on, only this user can use the files that this process creates: warehouses, their logs, spilled rows, stages. */
export const keepOwnFilesPrivate = (): void => void process.umask(0o077);

/** Gives a file that was written for the user the mode that the user's umask provides. */
export const shareFile = (file: FileHandle): Promise<void> => file.chmod(fileMode);

/**
 * Changes the mode by path: opening and closing a database file that DuckDB has open would release DuckDB's lock on it.
 */
export const shareDatabase = (path: string): Promise<void> => chmod(path, fileMode);

export const shareFolder = (path: string): Promise<void> => chmod(path, folderMode);

/** Creates an empty file for the user. The logs of a SQLite file have its mode. */
export async function createSharedFile(path: string): Promise<void> {
  const handle = await open(path, "ax");
  await handle.chmod(fileMode).finally(() => handle.close());
}
