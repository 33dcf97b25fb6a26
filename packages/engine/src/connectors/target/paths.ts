import { access, constants, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, sep } from "node:path";
import { field } from "@lakehelm/contract/connections";
import { DataProblem } from "../../protocol/problem.ts";
import type { ConnectionConfig } from "../../protocol/transfer.ts";
import { codeOf, fileReason } from "../file-errors.ts";
import { readTargetSettings } from "../settings.ts";

/**
 * The `path` of a connection with links resolved, as far as it exists. The folder of a file must exist: an unmounted disk
 * must not become a folder on another disk.
 */
export async function targetPath(connection: ConnectionConfig, ownFolder: string): Promise<string> {
  const path = readTargetSettings({ path: field.text() }, connection, ({ path }) => path);
  if (!isAbsolute(path)) throw new DataProblem(`The path ${path} is not absolute: it must begin with "/".`);
  const real = (await resolveLinks(path)) ?? join(await folderOf(path), basename(path));
  const own = (await resolveLinks(ownFolder)) ?? ownFolder;
  if (`${real}${sep}`.startsWith(`${own}${sep}`)) {
    throw new DataProblem(
      `The path ${path} is in Lakehelm's warehouse folder, which connectors may not use.`,
    );
  }
  return real;
}

async function folderOf(path: string): Promise<string> {
  const folder = await resolveLinks(dirname(path));
  if (folder === undefined)
    throw new DataProblem(`There is no folder ${dirname(path)} for ${basename(path)}.`);
  return folder;
}

async function resolveLinks(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
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
