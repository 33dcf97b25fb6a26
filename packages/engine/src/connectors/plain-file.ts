import { constants, type FileHandle, open } from "node:fs/promises";
import { DataProblem } from "../protocol/problem.ts";
import { codeOf } from "./file-errors.ts";

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/**
 * Opens a file to read it. Throws a DataProblem if it is a link, which may lead out of the folders that connectors can
 * use, or a pipe or a device. O_NONBLOCK: opening a pipe would otherwise wait for its writer.
 */
export async function openPlainFile(path: string): Promise<FileHandle> {
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: unknown) => {
    if (codeOf(error) === "ELOOP")
      throw new DataProblem(`${path} cannot be read: it is a link.`, { cause: error });
    throw error;
  });
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new DataProblem(`${path} cannot be read: it is not a regular file.`);
}
