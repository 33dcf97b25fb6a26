import { glob, readdir, realpath, stat } from "node:fs/promises";
import { basename, join, matchesGlob, relative, sep } from "node:path";
import { suggestion } from "@lakehelm/contract/text";
import { DataProblem } from "../../../protocol/problem.ts";
import { fileReason } from "../../file-errors.ts";

export interface ListedFile {
  /** The real path, with links resolved. */
  readonly path: string;
  /** Relative to the connection's folder. */
  readonly name: string;
  /** When it was last modified, in UTC with microseconds: `2026-01-31 23:59:59.000000`. */
  readonly modified: string;
}

export interface FileFilter {
  readonly folder: string;
  /** Selects the files of a folder. A file or pattern that is named explicitly may have any extension. */
  readonly extensions: RegExp;
  /** A glob pattern for file names. */
  readonly namePattern: string | undefined;
}

/** The files of a dataset, by name. None of them is outside the folder, neither by `..` nor by a link. */
export async function listFiles(
  { folder, extensions, namePattern }: FileFilter,
  dataset: string,
): Promise<ListedFile[]> {
  const root = await rootOf(folder);
  const problem = datasetProblem(dataset);
  if (problem) throw new DataProblem(`${JSON.stringify(dataset)} cannot be read: ${problem}`);
  const found: ListedFile[] = [];
  for (const name of await namesOf(root, dataset, extensions)) {
    if (namePattern !== undefined && !matchesGlob(basename(name), namePattern)) continue;
    const file = await fileAt(root, name);
    if (file) found.push(file);
  }
  if (found.length === 0) throw await missingFileProblem(folder, root, dataset);
  return found.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** The files of a folder, and its subfolders that contain files. */
export async function listDatasets({ folder, extensions }: FileFilter): Promise<string[]> {
  const root = await rootOf(folder);
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

async function rootOf(folder: string): Promise<string> {
  try {
    const root = await realpath(folder);
    if ((await stat(root)).isDirectory()) return root;
  } catch (error) {
    throw new DataProblem(`The folder ${folder} cannot be read: ${fileReason(error)}.`, { cause: error });
  }
  throw new DataProblem(`${folder} is not a folder.`);
}

function datasetProblem(dataset: string): string | undefined {
  if (dataset === "") return 'expected a file, a sub-folder or a pattern, or "." for the folder.';
  if (dataset.startsWith("/") || /^[a-z][a-z0-9+.-]*:/i.test(dataset))
    return "it must be below the connection's path.";
  if (dataset.includes("\\") || dataset.includes("\0")) return "it contains a backslash or a zero byte.";
  return /(^|[/{,])\.\.($|[/},])/.test(dataset)
    ? 'it contains "..", which leaves the connection\'s path.'
    : undefined;
}

async function namesOf(root: string, dataset: string, extensions: RegExp): Promise<string[]> {
  const entry = await stat(join(root, dataset)).catch(() => undefined);
  if (entry?.isFile()) return [dataset];
  if (entry?.isDirectory()) return namesBelow(root, dataset, extensions);
  return /[*?[\]{}]/.test(dataset) ? Array.fromAsync(glob(dataset, { cwd: root })) : [];
}

async function namesBelow(root: string, folder: string, extensions: RegExp): Promise<string[]> {
  const start = join(root, folder);
  const entries = await readdir(start, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => relative(start, join(entry.parentPath, entry.name)))
    .filter((name) => extensions.test(name) && !name.split(sep).some(isHidden))
    .map((name) => join(folder, name));
}

/** Hidden files: writers use such names for unfinished files and metadata. */
const isHidden = (name: string): boolean => /^[._]/.test(name);

async function fileAt(root: string, name: string): Promise<ListedFile | undefined> {
  const path = await realpath(join(root, name)).catch(() => undefined);
  if (path === undefined) return undefined;
  if (!path.startsWith(root.endsWith(sep) ? root : root + sep)) {
    if (path === root) return undefined;
    throw new DataProblem(`${name} is a link that leads outside the connection's path.`);
  }
  const { mtimeNs, isFile } = await stat(path, { bigint: true }).then((found) => ({
    mtimeNs: found.mtimeNs,
    isFile: found.isFile(),
  }));
  return isFile ? { path, name, modified: timeText(mtimeNs / 1000n) } : undefined;
}

function timeText(microseconds: bigint): string {
  const seconds = new Date(Number(microseconds / 1000n)).toISOString().slice(0, 19).replace("T", " ");
  return `${seconds}.${String(microseconds % 1_000_000n).padStart(6, "0")}`;
}

async function missingFileProblem(folder: string, root: string, dataset: string): Promise<DataProblem> {
  const names = (await readdir(root)).filter((name) => name !== dataset);
  return new DataProblem(
    `There is no file for ${JSON.stringify(dataset)} in ${folder}.${suggestion(dataset, names)}`,
  );
}

/** The total size in bytes. */
export async function sizeOf(files: readonly ListedFile[]): Promise<number> {
  const sizes = await Promise.all(files.map(async ({ path }) => (await stat(path)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The paths that DuckDB opens to read files: it checks access to the pattern and to the file that matches it. */
export const openedPaths = (files: readonly ListedFile[]): string[] =>
  files.flatMap(({ path }) => (duckdbPath(path) === path ? [path] : [path, duckdbPath(path)]));

/** DuckDB treats every path as a glob pattern, so special characters are escaped. */
export const duckdbPath = (path: string): string => path.replace(/[[*?]/g, "[$&]");
