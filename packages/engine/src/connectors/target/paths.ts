import { access, constants, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { field } from "@lakehelm/contract/connections";
import { DataProblem } from "../../protocol/problem.ts";
import type { ConnectionConfig } from "../../protocol/transfer.ts";
import { codeOf, fileReason } from "../file-errors.ts";
import { readTargetSettings } from "../settings.ts";
import type { TargetContext } from "./context.ts";

/** The real `path` of a connection. The folder of a file must exist: an unmounted disk must not become a folder on another disk. */
export async function targetPath(
  connection: ConnectionConfig,
  { resolvePath }: Pick<TargetContext, "resolvePath">,
): Promise<string> {
  const path = readTargetSettings({ path: field.text() }, connection, ({ path }) => path);
  const real = await resolvePath(path);
  if (!(await pathExists(real))) await requireFolderOf(real, path);
  return real;
}

async function requireFolderOf(real: string, path: string): Promise<void> {
  try {
    await stat(dirname(real));
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") {
      throw new DataProblem(`There is no folder ${dirname(path)} for ${basename(path)}.`, { cause: error });
    }
    throw new DataProblem(`${path} cannot be reached: ${fileReason(error)}.`, { cause: error });
  }
}

export const pathExists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

export async function requireWritable(path: string): Promise<void> {
  try {
    await access(path, constants.W_OK);
  } catch (error) {
    throw new DataProblem(`${path} cannot be written: ${fileReason(error)}.`, { cause: error });
  }
}
