import { readdir, realpath, stat } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { findFiles, globProblem, isGlob, nameMatcher } from "../../../protocol/files/glob.ts";
import { DataProblem } from "../../../protocol/problem.ts";
import { fileReason } from "../../file-errors.ts";
import { fileIdentity, timeText } from "./file-identity.ts";
import { type FileNames, missingFile } from "./file-names.ts";
import type { ListedFile } from "./file-store.ts";

export interface FileFilter {
  readonly folder: string;
  /** See `SourceContext`. */
  resolvePath(path: string): Promise<string>;
  readonly extensions: FileNames;
  /** A glob pattern for file names. */
  readonly namePattern: string | undefined;
}

/** The files of a dataset, by name. None of them is outside the folder, neither by `..` nor by a link. */
export async function listFiles(filter: FileFilter, dataset: string): Promise<ListedFile[]> {
  const { folder, extensions, namePattern } = filter;
  const root = await rootOf(filter);
  const problem =
    datasetProblem(dataset) ?? (namePattern === undefined ? undefined : globProblem(namePattern));
  if (problem) throw new DataProblem(`${JSON.stringify(dataset)} cannot be read: ${problem}`);
  const device = (await stat(root, { bigint: true })).dev;
  const isNamed = namePattern === undefined ? () => true : nameMatcher(namePattern);
  const found: ListedFile[] = [];
  for (const name of await namesOf(root, dataset, extensions)) {
    if (!isNamed(basename(name))) continue;
    const file = await fileAt(root, name);
    if (!file) continue;
    // The file is on another file system that is mounted in the folder, possibly one of the operating system: its path
    // must be allowed, too.
    if (file.device !== device) await filter.resolvePath(file.path);
    const { device: _, ...listed } = file;
    found.push(listed);
  }
  if (found.length === 0) throw missingFile(dataset, folder, await namesBeside(root, dataset), filter);
  return found.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** The files of a folder, and its subfolders that contain files. */
export async function listDatasets(filter: FileFilter): Promise<string[]> {
  const { extensions } = filter;
  const root = await rootOf(filter);
  const names = (await readdir(root, { withFileTypes: true })).filter(({ name }) => !isHidden(name));
  const datasets: string[] = [];
  for (const entry of names) {
    const hasFiles = entry.isDirectory()
      ? (await namesBelow(root, entry.name, extensions)).length > 0
      : extensions.test(entry.name);
    if (hasFiles) datasets.push(entry.name);
  }
  return datasets.sort();
}

async function rootOf({ folder, resolvePath }: FileFilter): Promise<string> {
  const root = await resolvePath(folder);
  try {
    if ((await stat(root)).isDirectory()) return root;
  } catch (error) {
    throw new DataProblem(`The folder ${folder} cannot be read: ${fileReason(error)}.`, { cause: error });
  }
  throw new DataProblem(`${folder} is not a folder.`);
}

export function datasetProblem(dataset: string): string | undefined {
  if (dataset === "") return 'expected a file, a sub-folder or a pattern, or "." for the folder.';
  if (dataset.startsWith("/") || /^[a-z][a-z0-9+.-]*:/i.test(dataset))
    return "it must be below the connection's path.";
  if (dataset.includes("\\") || dataset.includes("\0")) return "it contains a backslash or a zero byte.";
  return /(^|[/{,])\.\.($|[/},])/.test(dataset)
    ? 'it contains "..", which leaves the connection\'s path.'
    : undefined;
}

async function namesOf(root: string, dataset: string, extensions: FileNames): Promise<string[]> {
  const entry = await stat(join(root, dataset)).catch(() => undefined);
  if (entry?.isFile()) return [dataset];
  if (entry?.isDirectory()) return namesBelow(root, dataset, extensions);
  return isGlob(dataset) ? filesMatching(root, dataset) : [];
}

async function namesBelow(root: string, folder: string, extensions: FileNames): Promise<string[]> {
  return (await filesMatching(join(root, folder), "**"))
    .filter((name) => extensions.test(name) && !name.split("/").some(isHidden))
    .map((name) => join(folder, name));
}

async function filesMatching(root: string, pattern: string): Promise<string[]> {
  try {
    return await findFiles(root, pattern);
  } catch (error) {
    throw new DataProblem((error as Error).message, { cause: error });
  }
}

/** Hidden files: writers use such names for unfinished files and metadata. */
export const isHidden = (name: string): boolean => /^[._]/.test(name);

async function fileAt(
  root: string,
  name: string,
): Promise<(ListedFile & { readonly device: bigint }) | undefined> {
  const path = await realpath(join(root, name)).catch(() => undefined);
  if (path === undefined) return undefined;
  if (!path.startsWith(root.endsWith(sep) ? root : root + sep)) {
    if (path === root) return undefined;
    throw new DataProblem(`${name} is a link that leads outside the connection's path.`);
  }
  const found = await stat(path, { bigint: true });
  if (!found.isFile()) return undefined;
  const version = `${found.size} ${found.mtimeNs}`;
  return {
    path,
    name,
    size: Number(found.size),
    modified: timeText(found.mtimeNs / 1000n),
    // A renamed file keeps its inode, a restored one its path.
    identities: [
      fileIdentity(`path ${name} ${version}`),
      fileIdentity(`inode ${found.dev} ${found.ino} ${version}`),
    ],
    place: `${found.dev} ${found.ino}`,
    device: found.dev,
  };
}

const namesBeside = async (root: string, dataset: string): Promise<string[]> =>
  (await readdir(root)).filter((name) => name !== dataset);
