import { realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, sep } from "node:path";
import { DataProblem } from "../protocol/problem.ts";
import type { ConnectionConfig } from "../protocol/requests.ts";

/** Where connectors may read and write files of this machine. */
export interface Folders {
  /** The server's data folder: its keys, its control state, its warehouses. */
  readonly own: string;
  /** If any are named, only below these. */
  readonly allowed: readonly string[];
}

/**
 * Whoever may make a connector is not one who may read the server's keys: no path leads into the data folder, whatever links
 * are on the way, and none is above it.
 */
export async function requireFolder({ config }: ConnectionConfig, { own, allowed }: Folders): Promise<void> {
  const { path } = config;
  if (typeof path !== "string" || path === "") return;
  if (!isAbsolute(path)) throw new DataProblem(`The path ${path} is not absolute: it must begin with "/".`);
  const real = await followed(path);
  const data = await followed(own);
  if (isWithin(real, data))
    throw new DataProblem(`The path ${path} lies in the data folder, which is Lakehelm's own.`);
  if (isWithin(data, real)) {
    throw new DataProblem(
      `Lakehelm's own data folder lies in ${path}. Name a folder further down, or move one of them.`,
    );
  }
  if (allowed.length === 0) return;
  const roots = await Promise.all(allowed.map(followed));
  if (roots.some((root) => isWithin(real, root))) return;
  throw new DataProblem(
    `The path ${path} is not in one of the folders that PLATFORM_CONNECTOR_FOLDERS allows: ${allowed.join(", ")}.`,
  );
}

const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** With links followed, as far as it exists. */
async function followed(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(await followed(above), basename(path));
  }
}
