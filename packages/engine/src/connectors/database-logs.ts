import { lstat } from "node:fs/promises";
import { DataProblem } from "../protocol/problem.ts";

/**
 * A database also writes to log files, which are named after it with an added extension. Throws a DataProblem if one of
 * them is a link, which may lead out of the folders that connectors can use.
 */
export async function requireNoLinkedLogs(path: string, extensions: readonly string[]): Promise<void> {
  for (const extension of extensions) {
    const found = await lstat(path + extension).catch(() => undefined);
    if (found && !found.isFile()) {
      throw new DataProblem(`${path} cannot be opened: ${path}${extension} is not a regular file.`);
    }
  }
}
