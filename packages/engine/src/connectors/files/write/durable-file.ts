import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { DataProblem } from "../../../protocol/problem.ts";
import { fileReason } from "../../target/paths.ts";

/** The name under which a file is written before it is there: readers of `*.csv` do not see it. */
export const unfinished = (path: string): string => `${path}.unfinished`;

/** Puts a finished file in its place. Readers see the old one or the new one, also after the power has failed. */
export async function putInPlace(path: string): Promise<void> {
  try {
    await sync(unfinished(path));
    await rename(unfinished(path), path);
    await sync(dirname(path));
  } catch (error) {
    throw new DataProblem(`${path} could not be written: ${fileReason(error)}.`, { cause: error });
  }
}

/** Writes a small file whole. */
export async function writeDurably(path: string, content: string): Promise<void> {
  try {
    const handle = await open(unfinished(path), "w", 0o644);
    await handle.writeFile(content).finally(() => handle.close());
  } catch (error) {
    throw new DataProblem(`${path} could not be written: ${fileReason(error)}.`, { cause: error });
  }
  await putInPlace(path);
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
