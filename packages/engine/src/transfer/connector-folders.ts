import { realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, sep } from "node:path";
import type { ConnectorFolders } from "../protocol/engine.ts";
import { DataProblem } from "../protocol/problem.ts";
import type { ConnectionConfig } from "../protocol/transfer.ts";

/**
 * Throws a DataProblem if a connection's path is not allowed. Users who may create connectors may not read the server's keys: no
 * path may lead into the data folder, with symbolic links resolved, or contain it.
 */
export async function requireAllowedPath(
  { config }: ConnectionConfig,
  { own, allowed }: ConnectorFolders,
): Promise<void> {
  const { path } = config;
  if (typeof path !== "string" || path === "") return;
  if (!isAbsolute(path)) throw new DataProblem(`The path ${path} is not absolute: it must begin with "/".`);
  const real = await resolveLinks(path);
  const dataFolder = await resolveLinks(own);
  if (isWithin(real, dataFolder))
    throw new DataProblem(
      `The path ${path} is in Lakehelm's data folder, which connectors may not use. Use another folder.`,
    );
  if (isWithin(dataFolder, real)) {
    throw new DataProblem(
      `The path ${path} contains Lakehelm's data folder. Use a subfolder that does not, or move one of them.`,
    );
  }
  if (allowed.length === 0) return;
  const roots = await Promise.all(allowed.map(resolveLinks));
  if (roots.some((root) => isWithin(real, root))) return;
  throw new DataProblem(
    `The path ${path} is not in one of the folders that PLATFORM_CONNECTOR_FOLDERS allows: ${allowed.join(", ")}.`,
  );
}

const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** Resolves symbolic links in the part of the path that exists. */
async function resolveLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await resolveLinks(parent), basename(path));
  }
}
