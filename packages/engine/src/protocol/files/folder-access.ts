import { readlink, realpath, stat, statfs } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { DataProblem } from "../problem.ts";

/** Where connectors and file triggers may read and write files on this machine. */
export interface FolderAccess {
  /** The folders that an administrator granted, with everything below them. */
  readonly granted: readonly string[];
  /** The server's data folder: keys, control state, warehouses. Never accessible, even if it is granted. */
  readonly dataFolder: string;
}

/**
 * Folders of the operating system that show memory, variables and devices. Never accessible, even if they are granted.
 */
const systemFolders = ["/proc", "/sys", "/dev"];

/** The real path, after all links are resolved. Throws a DataProblem if connectors may not use it. */
export async function resolvePath(path: string, access: FolderAccess): Promise<string> {
  if (!isAbsolute(path)) throw new DataProblem(notAbsolute(path));
  const [real = path, dataFolder = "", ...granted] = await Promise.all(
    [path, access.dataFolder, ...access.granted].map((one) => resolveLinks(one)),
  );
  const problem =
    problemOf(path, real, { dataFolder, granted }, access.granted) ?? (await kindProblem(path, real));
  if (problem !== undefined) throw new DataProblem(problem);
  return real;
}

/** Why a path may not be used, after all links are resolved; undefined if it may. */
export const pathProblem = (path: string, access: FolderAccess): Promise<string | undefined> =>
  resolvePath(path, access).then(
    () => undefined,
    (error: Error) => error.message,
  );

/** Why a path may not be used as it is written, without a look at the disk. */
export function writtenPathProblem(path: string, access: FolderAccess): string | undefined {
  if (!isAbsolute(path)) return notAbsolute(path);
  const granted = access.granted.map((folder) => resolve(folder));
  return problemOf(path, resolve(path), { dataFolder: resolve(access.dataFolder), granted }, access.granted);
}

/** The types of file systems that show memory, variables and devices, wherever they are mounted. */
const systemFileSystems = new Map([
  [0x9fa0, "proc"],
  [0x62656572, "sysfs"],
  [0x1cd1, "devpts"],
  [0x64626720, "debugfs"],
  [0x74726163, "tracefs"],
  [0x73636673, "securityfs"],
  [0x27e0eb, "cgroup"],
  [0x63677270, "cgroup2"],
]);

/** A pipe or a device can block its reader forever. */
async function kindProblem(path: string, real: string): Promise<string | undefined> {
  const found = await stat(real).catch(() => undefined);
  if (found === undefined) return undefined;
  if (!found.isFile() && !found.isDirectory()) return `${path} is neither a file nor a folder.`;
  const fileSystem = systemFileSystems.get((await statfs(real)).type);
  return (
    fileSystem && `The path ${path} is on a ${fileSystem} file system, which belongs to the operating system.`
  );
}

const notAbsolute = (path: string) => `The path ${path} is not absolute: it must begin with "/".`;

function problemOf(
  path: string,
  real: string,
  { dataFolder, granted }: FolderAccess,
  named: readonly string[],
): string | undefined {
  const system = systemFolders.find((folder) => isWithin(real, folder));
  if (system !== undefined) return `The path ${path} is in ${system}, which belongs to the operating system.`;
  if (isWithin(real, dataFolder)) {
    return `The path ${path} is in Lakehelm's data folder, which connectors may not use. Use another folder.`;
  }
  if (isWithin(dataFolder, real)) {
    return `The path ${path} contains Lakehelm's data folder. Use a subfolder that does not, or move one of them.`;
  }
  if (granted.some((folder) => isWithin(real, folder))) return undefined;
  const reason =
    named.length === 0
      ? "no folder is granted to connectors"
      : `connectors may use only these folders: ${named.join(", ")}`;
  return `The path ${path} cannot be used: ${reason}. An administrator grants folders with PLATFORM_CONNECTOR_FOLDERS.`;
}

const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

const mostLinks = 40;

/** Resolves symbolic links, also one whose target does not exist: to write to it would create that file. */
async function resolveLinks(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    if (parent === path || links > mostLinks) return path;
    const [folder, target] = await Promise.all([
      resolveLinks(parent, links),
      readlink(path).catch(() => undefined),
    ]);
    return target === undefined
      ? join(folder, basename(path))
      : resolveLinks(resolve(folder, target), links + 1);
  }
}
