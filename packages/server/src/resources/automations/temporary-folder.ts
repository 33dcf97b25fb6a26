import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { compareCodeUnits, type DesignFile } from "@lakehelm/codegen";
import { unavailable } from "../../core/errors.ts";

const prefix = "lakehelm-design-";

/**
 * Writes files into a temporary folder, passes on what it reads back from there, and removes the folder afterwards. The
 * folder name contains the process id, so that the next start can remove the folders of ended processes.
 */
export async function inTemporaryFolder<T>(
  files: readonly DesignFile[],
  use: (readBack: readonly DesignFile[]) => Promise<T>,
  root = tmpdir(),
): Promise<T> {
  let folder: string | undefined;
  const refused = (error: unknown): never => {
    throw unavailable("The temporary folder for designs cannot be used.", error);
  };
  try {
    folder = await mkdtemp(join(root, `${prefix}${process.pid}-`)).catch(refused);
    await writeInto(folder, files).catch(refused);
    return await use(await readFolder(folder).catch(refused));
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

async function writeInto(folder: string, files: readonly DesignFile[]): Promise<void> {
  for (const { path, content } of files) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content, { flag: "wx" });
  }
}

async function readFolder(folder: string): Promise<DesignFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((file) => join(file.parentPath, file.name));
  const files: DesignFile[] = [];
  for (const file of paths) {
    const path = relative(folder, file).replaceAll(sep, "/");
    files.push({ path, content: await readFile(file, "utf8") });
  }
  return files.sort((a, b) => compareCodeUnits(a.path, b.path));
}

/** At startup: removes the folders of processes that crashed. Returns their number. */
export async function cleanTemporary(root = tmpdir()): Promise<number> {
  // If the folder for temporary files does not exist, there is nothing to remove.
  const names = await readdir(root).catch(() => []);
  const left = names.filter((name) => name.startsWith(prefix) && !isInUse(name));
  const removed = await Promise.allSettled(
    left.map((name) => rm(join(root, name), { recursive: true, force: true })),
  );
  // Folders of another user cannot be removed; that must not prevent the start.
  return removed.filter(({ status }) => status === "fulfilled").length;
}

/** A folder with our own process id belongs to a former process: at startup we have created none. */
function isInUse(name: string): boolean {
  const owner = Number.parseInt(name.slice(prefix.length), 10);
  if (!(owner > 0) || owner === process.pid) return false;
  try {
    return process.kill(owner, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
