import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { DataProblem } from "../../../protocol/problem.ts";
import { fileReason } from "../../file-errors.ts";

/** The name of a file until it is complete. Readers of `*.csv` do not see it. */
export const unfinishedPath = (path: string): string => `${path}.unfinished`;

/** Renames a complete file to its final name. Readers see the old or the new file, also after a power failure. */
export async function commitFile(path: string): Promise<void> {
  try {
    await sync(unfinishedPath(path));
    await rename(unfinishedPath(path), path);
    await sync(dirname(path));
  } catch (error) {
    throw new DataProblem(`${path} could not be written: ${fileReason(error)}.`, { cause: error });
  }
}

/** Writes a small file. */
export async function writeDurably(path: string, content: string): Promise<void> {
  try {
    const handle = await open(unfinishedPath(path), "w", 0o644);
    await handle.writeFile(content).finally(() => handle.close());
  } catch (error) {
    throw new DataProblem(`${path} could not be written: ${fileReason(error)}.`, { cause: error });
  }
  await commitFile(path);
}

export async function removeDurably(path: string): Promise<void> {
  await rm(path, { force: true });
  await sync(dirname(path));
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
